//! What follows an action, always in the same order:
//!
//! 1. its effects as written (done before this stage);
//! 2. reactions to its events, in the order of the events, each once;
//! 3. ends that are judged at once;
//! 4. spans that end, innermost first, with what their end says;
//! 5. counts, and the rules that wait for them (caps);
//! 6. spans that begin;
//! 7. the next phase.
//!
//! Events of a later stage get their reactions at the end of the block that reported them. A result ends the game: its
//! spans end (stage 4), what was to begin does not. The language reference has a worked example.

use crate::fault::Fault;
use crate::game::Game;
use crate::history::{Beside, key};
use crate::ir::{Fixed, HistoryId, PhaseId, Plane, Slot, SlotTy, SpanId, TriggerKind};
use crate::position::Position;
use crate::tally::Tally;
use crate::walk::act::{Done, Happened, Run};
use crate::walk::eval::Value;

/// The game is the outermost span.
pub const GAME: SpanId = SpanId(0);

impl<const N: usize> Run<'_, N> {
    /// Stages 2 to 7.
    pub fn settle(&mut self) {
        self.latch();
        self.react();
        self.run_rules(|trigger| (*trigger == TriggerKind::AtOnce).then(Vec::new));
        self.react();
        let mut closed = Vec::new();
        self.close_spans(&mut closed);
        self.count(&closed);
        // A cap or an end of a span may have decided the game.
        self.close_spans(&mut closed);
        if self.pos.slot(Fixed::DECIDED) == 0 {
            self.open_spans();
        }
        // A rule of a span that begins may decide the game: then no phase follows.
        if self.pos.slot(Fixed::DECIDED) == 0 {
            self.enter_phase();
        }
        self.end_if_decided(&mut closed);
    }

    pub(crate) fn latch(&mut self) {
        let game = self.game;
        for latch in &game.rules.latches {
            let open = self.pos.slot(game.rules.spans[latch.span.ix()].open) == 1;
            if open && self.pos.slot(latch.slot) == 0 && self.shared_test(latch.when) {
                self.pos.set_slot(latch.slot, 1);
            }
        }
    }

    /// A test outside rules and actions, in a frame of its own.
    fn shared_test(&mut self, test: crate::ir::ExprId) -> bool {
        self.cx.enter(self.game.rules.shared_locals);
        self.test(test)
    }

    /// Reactions to what has happened, first come, first served; their own events come after.
    fn react(&mut self) {
        while let Some(happened) = self.pending.happened.pop_front() {
            if self.cx.failed() {
                return;
            }
            match happened {
                Happened::Event(event, values) => {
                    self.run_rules(|trigger| match trigger {
                        TriggerKind::Event(id, binders) if *id == event => {
                            Some(binders.iter().copied().zip(values.iter().copied()).collect())
                        }
                        _ => None,
                    });
                }
                Happened::RanOut(clock) => {
                    self.run_rules(|trigger| (*trigger == TriggerKind::RunsOut(clock)).then(Vec::new));
                }
            }
        }
    }

    /// Runs the rules whose trigger matches, in their order.
    fn run_rules(&mut self, matches: impl Fn(&TriggerKind) -> Option<Vec<(crate::ir::Local, i32)>>) {
        let game = self.game;
        for (index, rule) in game.rules.rules.iter().enumerate() {
            let Some(values) = rule.triggers.iter().find_map(&matches) else {
                continue;
            };
            self.author = i32::try_from(index).unwrap_or(-1);
            self.cx.rule = &rule.name;
            self.cx.enter(rule.locals);
            for (local, value) in values {
                self.cx.bind(local, Value::Int(value));
            }
            if rule.guard.is_none_or(|guard| self.test(guard)) && !self.cx.failed() {
                self.block(&rule.steps);
                self.latch();
            }
            if self.cx.failed() {
                self.cx.blame(&rule.name);
                return;
            }
        }
    }

    /// Ends what was to end, innermost first, and all that is open when the game is decided.
    fn close_spans(&mut self, closed: &mut Vec<SpanId>) {
        let game = self.game;
        for _ in 0..game.rules.spans.len() {
            if self.pos.slot(Fixed::DECIDED) == 1 {
                self.pending.ends.push(GAME);
            }
            let next = (0u32..).zip(&game.rules.spans).map(|(id, _)| SpanId(id)).filter(|&span| {
                self.pos.slot(game.rules.spans[span.ix()].open) == 1
                    && self.pending.ends.iter().any(|&end| game.encloses(end, span))
            });
            let Some(span) = next.max_by_key(|&span| (game.depth(span), span)) else {
                break;
            };
            self.run_rules(|trigger| (*trigger == TriggerKind::Ends(span)).then(Vec::new));
            self.react();
            self.tally_event(|trigger| (*trigger == TriggerKind::Ends(span)).then(|| (Vec::new(), Vec::new())));
            let def = &game.rules.spans[span.ix()];
            self.pos.set_slot(def.open, 0);
            if span != GAME {
                self.pos.set_slot(def.owner, -1);
                self.refresh(span);
            }
            closed.push(span);
            if self.cx.failed() {
                return;
            }
        }
        self.pending.ends.clear();
    }

    fn count(&mut self, closed: &[SpanId]) {
        let game = self.game;
        for count in &game.rules.counts {
            let more = closed.iter().filter(|&&span| span == count.of).count();
            if more == 0 {
                continue;
            }
            let more = i32::try_from(more).unwrap_or(0);
            let most =
                if let SlotTy::Number(range) = game.rules.slots[count.slot.ix()].ty { range.high } else { i32::MAX };
            self.pos.set_slot(count.slot, self.pos.slot(count.slot).saturating_add(more).min(most));
            self.run_rules(|trigger| (*trigger == TriggerKind::Counted(count.slot)).then(Vec::new));
            self.react();
        }
    }

    fn open_spans(&mut self) {
        for (span, side) in std::mem::take(&mut self.pending.begins) {
            if self.pos.slot(Fixed::DECIDED) == 0 {
                self.begin(span, side);
            }
        }
    }

    /// A span begins: those around it first, what lives in it starts fresh.
    fn begin(&mut self, span: SpanId, side: i32) {
        let game = self.game;
        let def = &game.rules.spans[span.ix()];
        if let Some(parent) = def.parent
            && self.pos.slot(game.rules.spans[parent.ix()].open) == 0
        {
            self.begin(parent, side);
        }
        if self.cx.failed() {
            return;
        }
        self.open(span, if def.owned { side } else { -1 });
        self.latch();
        self.tally_event(|trigger| (*trigger == TriggerKind::Begins(span)).then(|| (Vec::new(), Vec::new())));
        self.run_rules(|trigger| (*trigger == TriggerKind::Begins(span)).then(Vec::new));
        self.react();
    }

    /// A span is open, and what lives in it starts fresh; no rule runs.
    pub(crate) fn open(&mut self, span: SpanId, side: i32) {
        let def = &self.game.rules.spans[span.ix()];
        self.pos.set_slot(def.open, 1);
        if span != GAME {
            self.pos.set_slot(def.owner, side);
        }
        self.refresh(span);
    }

    /// What lives in a span gets its first value.
    fn refresh(&mut self, span: SpanId) {
        let game = self.game;
        for (index, def) in (0u32..).zip(&game.rules.planes) {
            if def.span == Some(span) {
                self.pos.set_plane(Plane(index), crate::bits::Bits::EMPTY);
            }
        }
        for (index, def) in (0u32..).zip(&game.rules.slots).skip(Fixed::COUNT) {
            if def.span == span && !def.name.is_empty() {
                self.cx.enter(game.rules.shared_locals);
                let mut value = self.int(def.init);
                if let SlotTy::Number(range) = def.ty {
                    value = value.clamp(range.low, range.high);
                }
                self.pos.set_slot(Slot(index), value);
            }
        }
    }

    fn enter_phase(&mut self) {
        let game = self.game;
        // A phase in which nothing is legal may say what happens then; that may lead to the next one, and so on.
        for _ in 0..=game.rules.phases.len() {
            let Some(phase) = self.pending.go.take().map(crate::ir::PhaseId::ix).or_else(|| game.phase(&self.pos))
            else {
                return self.cx.fail("no-phase", "no phase follows".to_owned(), crate::ir::Origin::default());
            };
            let def = &game.rules.phases[phase];
            self.cx.enter(game.rules.shared_locals);
            let side = self.int(def.side);
            self.pos.set_slot(Fixed::PHASE, i32::try_from(phase).unwrap_or(-1));
            self.pos.set_slot(Fixed::TO_ACT, side);
            if usize::try_from(side).is_err() && !self.cx.failed() {
                let text = format!("nobody acts in the phase `{}`", def.name);
                return self.cx.fail("nobody-acts", text, def.origin);
            }
            if let Some(span) = def.span
                && self.pos.slot(game.rules.spans[span.ix()].open) == 0
            {
                self.begin(span, side);
            }
            if self.cx.failed() || self.pos.slot(Fixed::DECIDED) == 1 || !self.leads_on(phase, side) {
                return;
            }
        }
        self.cx.fail(
            "no-phase",
            "phases in which nothing is legal follow each other for ever".to_owned(),
            Default::default(),
        );
    }
}

impl<const N: usize> Run<'_, N> {
    /// Judges a phase that has just begun; whether something else follows at once.
    fn leads_on(&mut self, phase: usize, side: i32) -> bool {
        if !self.judge_phase(phase, side) {
            return false;
        }
        self.react();
        let mut closed = Vec::new();
        self.close_spans(&mut closed);
        self.count(&closed);
        if self.pos.slot(Fixed::DECIDED) == 1 {
            return false;
        }
        self.open_spans();
        true
    }

    /// Judges a phase in which a position was loaded, and goes on as after an action.
    pub(crate) fn arrive(&mut self, phase: usize, side: i32) {
        if self.leads_on(phase, side) {
            self.enter_phase();
        }
        self.end_if_decided(&mut Vec::new());
    }

    fn end_if_decided(&mut self, closed: &mut Vec<SpanId>) {
        if self.pos.slot(Fixed::DECIDED) == 1 {
            self.close_spans(closed);
            self.pos.set_slot(Fixed::PHASE, -1);
            self.pos.set_slot(Fixed::TO_ACT, -1);
        }
    }

    /// Judges a phase that has just begun: rules for when nothing is legal in it, else those for when it opens. Says
    /// whether something was found that may lead on.
    fn judge_phase(&mut self, phase: usize, side: i32) -> bool {
        let game = self.game;
        let id = PhaseId(u32::try_from(phase).unwrap_or(0));
        let seen = game.sees(&self.pos);
        self.cx.seen.extend(seen);
        let waits = |trigger: &TriggerKind| game.rules.rules.iter().any(|rule| rule.triggers.contains(trigger));
        let (stuck, opens) = (TriggerKind::Stuck(id), TriggerKind::Opens(id));
        let is_stuck = waits(&stuck)
            && match game.has_legal(&self.pos, &Beside { recent: &self.cx.seen, ..Beside::past(self.cx.history) }) {
                Ok(open) => !open,
                Err(fault) => {
                    self.cx.fail(fault.code, fault.text, fault.origin);
                    return false;
                }
            };
        let trigger = if is_stuck { stuck } else { opens };
        if !waits(&trigger) || (!is_stuck && self.counting) {
            return false;
        }
        self.cx.me = side;
        self.run_rules(|other| (*other == trigger).then(Vec::new));
        // A phase that opens is played unless the game ends.
        is_stuck || self.pos.slot(Fixed::DECIDED) == 1
    }
}

impl<const N: usize> Game<N> {
    /// What the histories see in a position that was set.
    pub(crate) fn sees(&self, pos: &Position<N>) -> Vec<(HistoryId, u64)> {
        let here = self.phase(pos).and_then(|phase| u32::try_from(phase).ok()).map(PhaseId);
        let histories = (0u32..).zip(&self.rules.histories).filter(|(_, def)| Some(def.phase) == here);
        histories.map(|(number, def)| (HistoryId(number), key(def, pos))).collect()
    }

    /// Whether a span is another or lies around it.
    fn encloses(&self, outer: SpanId, inner: SpanId) -> bool {
        let mut span = Some(inner);
        while let Some(at) = span {
            if at == outer {
                return true;
            }
            span = self.rules.spans[at.ix()].parent;
        }
        false
    }

    fn depth(&self, span: SpanId) -> usize {
        let mut depth = 0;
        let mut at = span;
        while let Some(parent) = self.rules.spans[at.ix()].parent {
            depth += 1;
            at = parent;
        }
        depth
    }

    /// Begins a game on a position in which the setup has been made.
    ///
    /// # Errors
    /// The first fault of the rules that run.
    pub fn begin(
        &self,
        pos: Position<N>,
        setup: impl FnOnce(&mut Position<N>),
        tally: Option<&mut Tally>,
    ) -> Result<Done<N>, Fault> {
        let mut run = Run::new(self, pos, "start", Beside { tally, ..Beside::default() });
        let def = &self.rules.spans[GAME.ix()];
        run.pos.set_slot(def.open, 1);
        run.refresh(GAME);
        setup(&mut run.pos);
        if let Some(tally) = run.tally.as_deref_mut() {
            self.introduce(&run.pos, tally);
        }
        run.tally_event(|trigger| (*trigger == TriggerKind::Begins(GAME)).then(|| (Vec::new(), Vec::new())));
        run.run_rules(|trigger| (*trigger == TriggerKind::Begins(GAME)).then(Vec::new));
        run.settle();
        run.finish()
    }
}
