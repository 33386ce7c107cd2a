//! Statements: what effects do to a position.

use crate::bits::Bits;
use crate::fault::Fault;
use crate::game::Game;
use crate::history::Beside;
use crate::ir::{
    Choice, ClockId, CounterId, EventId, ExprId, Fixed, HistoryId, Local, Origin, PhaseId, Plane, ReserveId, Slot,
    SlotTy, SpanId, Stmt, StmtId, TriggerKind, Ty,
};
use crate::position::Position;
use crate::tally::Tally;
use crate::text::EventText;
use crate::walk::eval::{BUDGET, Cx, Value, int};

/// What waits while an action is carried out: it takes hold in `settle`.
pub(crate) struct Pending {
    /// Events with their values, not yet reacted to; a clock that ran out is an event without a number.
    pub happened: std::collections::VecDeque<Happened>,
    /// Spans that are to end.
    pub ends: Vec<SpanId>,
    /// Spans that are to begin, with their side.
    pub begins: Vec<(SpanId, i32)>,
    /// The next phase.
    pub go: Option<PhaseId>,
}

/// Something to which rules may react.
#[derive(Clone, Debug)]
pub(crate) enum Happened {
    Event(EventId, Vec<i32>),
    RanOut(ClockId),
}

/// An action being carried out on a copy of the position.
pub(crate) struct Run<'g, const N: usize> {
    pub game: &'g Game<N>,
    pub pos: Position<N>,
    pub cx: Cx<'g, N>,
    pub pending: Pending,
    /// What a record says, in order.
    pub log: Vec<EventText>,
    /// The number of the rule, or of the action after all rules, that runs.
    pub author: i32,
    /// Statistics, if somebody listens.
    pub tally: Option<&'g mut Tally>,
    /// The aims that `choose` takes, when an action is carried out.
    pub aims: [i32; crate::action::MAX_AIMS],
    pub taken: usize,
    /// Positions are only counted: see [`Beside::counting`].
    pub counting: bool,
    /// The effects are only tried: nothing needs to be said of them.
    pub trying: bool,
}

impl<'g, const N: usize> Run<'g, N> {
    pub fn new(game: &'g Game<N>, pos: Position<N>, rule: &'g str, beside: Beside<'g>) -> Self {
        let pending =
            Pending { happened: std::collections::VecDeque::new(), ends: Vec::new(), begins: Vec::new(), go: None };
        let mut cx = Cx::new(rule);
        cx.me = pos.slot(Fixed::TO_ACT);
        cx.history = beside.history;
        cx.seen = beside.recent.to_vec();
        let Beside { tally, counting, .. } = beside;
        let aims = [0; crate::action::MAX_AIMS];
        Run { game, pos, cx, pending, log: Vec::new(), author: -1, tally, aims, taken: 0, counting, trying: false }
    }

    pub(crate) fn test(&mut self, id: ExprId) -> bool {
        self.game.test(&self.pos, &mut self.cx, id)
    }

    pub(crate) fn int(&mut self, id: ExprId) -> i32 {
        self.game.int(&self.pos, &mut self.cx, id)
    }

    fn set(&mut self, id: ExprId) -> Bits<N> {
        self.game.set(&self.pos, &mut self.cx, id)
    }

    fn place(&mut self, id: ExprId) -> Option<usize> {
        let place = usize::try_from(self.int(id)).ok();
        place.filter(|&place| place < self.game.rules.board.places())
    }

    /// Carries out statements; stops when something has failed.
    pub fn block(&mut self, steps: &[StmtId]) {
        for &step in steps {
            self.cx.spend(1, self.game.rules.stmt_origins[step.ix()]);
            if self.cx.failed() {
                return;
            }
            self.step(step);
        }
    }

    fn step(&mut self, id: StmtId) {
        let game = self.game;
        let origin = game.rules.stmt_origins[id.ix()];
        match game.rules.stmt(id) {
            Stmt::Choose(choice) => self.choose(choice, origin),
            Stmt::Need(test, _, text) => {
                if !self.test(*test) {
                    self.cx.fail("refused", text.clone(), origin);
                }
            }
            Stmt::Let(local, value) => {
                let value = game.eval(&self.pos, &mut self.cx, *value);
                self.cx.bind(*local, value);
            }
            Stmt::If(arms, otherwise) => {
                for (test, steps) in arms {
                    if self.test(*test) {
                        return self.block(steps);
                    }
                }
                self.block(otherwise);
            }
            Stmt::ForSides(local, steps) => {
                for side in 0..game.rules.sides.len() {
                    self.cx.bind(*local, int(side));
                    self.block(steps);
                }
            }
            Stmt::For(local, domain, steps) => {
                for place in self.set(*domain).iter() {
                    self.cx.bind(*local, int(place));
                    self.block(steps);
                }
            }
            Stmt::Move(from, to) => self.move_piece(*from, *to, origin),
            Stmt::MoveEach(local, set, to) => self.move_each(*local, *set, *to, origin),
            Stmt::Put(kind, side, on) => self.put(*kind, *side, *on, origin),
            Stmt::Remove(square) => self.remove(*square, origin),
            Stmt::Mark(plane, squares, on) => self.mark(*plane, *squares, *on),
            Stmt::SetPlane(plane, squares) => {
                let set = self.set(*squares);
                self.pos.set_plane(*plane, set);
            }
            Stmt::SetSlot(slot, of, value) => {
                let value = self.int(*value);
                self.store(*slot, *of, origin, |_| value);
            }
            Stmt::AddSlot(slot, of, value, plus) => {
                let value = self.int(*value);
                let more = if *plus { value } else { value.saturating_neg() };
                self.store(*slot, *of, origin, |old| old.saturating_add(more));
            }
            Stmt::SetCounter(counter, place, value) => self.set_counter(*counter, *place, *value),
            Stmt::Reserve(reserve, side, kind, more) => self.reserve(*reserve, *side, *kind, *more, origin),
            Stmt::Tick(clock) => self.tick(*clock),
            Stmt::Report(event, args) => self.report(*event, args, origin),
            Stmt::Begin(span, side) => {
                let side = side.map_or(-1, |side| self.int(side));
                self.pending.begins.retain(|(other, _)| other != span);
                self.pending.begins.push((*span, side));
            }
            Stmt::End(span) => self.pending.ends.push(*span),
            Stmt::Go(phase) => self.pending.go = Some(*phase),
            Stmt::Win(side) => {
                let side = self.int(*side);
                self.decide(side, false);
            }
            Stmt::Award(side) => {
                let side = self.int(*side);
                self.decide(side, true);
            }
            Stmt::Draw => self.decide(-1, false),
            Stmt::Stat(stat, of, value, more) => {
                let (of, value) = (self.int(*of), self.int(*value));
                if let Some(tally) = self.tally.as_deref_mut() {
                    let value = i64::from(value);
                    tally.add(&game.rules, *stat, of, if *more { value } else { -value });
                }
            }
            Stmt::Recall(recall, place) => {
                let place = self.int(*place);
                self.recall(recall.ix(), place);
            }
            Stmt::Forget(recall) => self.recall(recall.ix(), -1),
        }
    }

    fn choose(&mut self, choice: &Choice, origin: Origin) {
        let aim = self.aims.get(self.taken).copied().unwrap_or(-1);
        self.taken += 1;
        let holds = self.game.offers(&self.pos, &mut self.cx, choice, aim);
        if !holds {
            self.cx.fail("refused", "the choice is not among those offered".to_owned(), origin);
        }
        self.cx.bind(choice.local, Value::Int(aim));
    }

    fn move_piece(&mut self, from: ExprId, to: ExprId, origin: Origin) {
        let (from, to) = (self.place(from), self.place(to));
        let (Some(from), Some(to)) = (from, to) else {
            return self.cx.fail("no-square", "there is no square to move from or to".to_owned(), origin);
        };
        self.move_all(&[(from, to)], origin);
    }

    fn move_each(&mut self, local: Local, set: ExprId, to: ExprId, origin: Origin) {
        let mut moves = Vec::new();
        for from in self.set(set).iter() {
            self.cx.bind(local, int(from));
            let Some(to) = self.place(to) else {
                let name = self.game.rules.board.name(from);
                return self.cx.fail("no-square", format!("there is no square for the piece on {name}"), origin);
            };
            moves.push((from, to));
        }
        self.move_all(&moves, origin);
    }

    /// Pieces go from places to places, all at once; what belongs to them goes along.
    fn move_all(&mut self, moves: &[(usize, usize)], origin: Origin) {
        let board = &self.game.rules.board;
        let mut after = self.game.occupied(&self.pos);
        for &(from, _) in moves {
            if !after.has(from) {
                return self.cx.fail("no-piece", format!("there is no piece on {} to move", board.name(from)), origin);
            }
            after.remove(from);
        }
        for &(_, to) in moves {
            if after.has(to) {
                return self.cx.fail("occupied", format!("{} is occupied", board.name(to)), origin);
            }
            after.insert(to);
        }
        for &plane in &self.game.travelling {
            let old = self.pos.plane(plane);
            let mut new = old;
            moves.iter().for_each(|&(from, _)| new.remove(from));
            moves.iter().filter(|(from, _)| old.has(*from)).for_each(|&(_, to)| new.insert(to));
            self.pos.set_plane(plane, new);
        }
        for &slot in &self.game.piece_slots {
            let at = usize::try_from(self.pos.slot(slot)).ok();
            if let Some((_, to)) = moves.iter().find(|(from, _)| Some(*from) == at) {
                self.pos.set_slot(slot, i32::try_from(*to).unwrap_or(-1));
            }
        }
        if let Some(tally) = self.tally.as_deref_mut() {
            tally.moved(moves);
        }
    }

    fn put(&mut self, kind: ExprId, side: ExprId, on: ExprId, origin: Origin) {
        let (kind, side, on) = (self.int(kind), self.int(side), self.place(on));
        let rules = &self.game.rules;
        let kind = usize::try_from(kind).ok().filter(|&kind| kind < rules.kinds.len());
        let side = usize::try_from(side).ok().filter(|&side| side < rules.sides.len());
        let (Some(kind), Some(side), Some(on)) = (kind, side, on) else {
            return self.cx.fail("no-piece", "there is no piece, side or square to put".to_owned(), origin);
        };
        if self.game.occupied(&self.pos).has(on) {
            return self.cx.fail("occupied", format!("{} is occupied", rules.board.name(on)), origin);
        }
        self.pos.set_bit(rules.side_plane(side), on, true);
        self.pos.set_bit(rules.kind_plane(kind), on, true);
        if let Some(tally) = self.tally.as_deref_mut() {
            tally.put(side, kind, on);
        }
    }

    fn remove(&mut self, square: ExprId, origin: Origin) {
        let place = self.place(square).filter(|&place| self.game.occupied(&self.pos).has(place));
        let Some(place) = place else {
            return self.cx.fail("no-piece", "there is no piece to remove".to_owned(), origin);
        };
        for &plane in &self.game.travelling {
            self.pos.set_bit(plane, place, false);
        }
        for &slot in &self.game.piece_slots {
            if usize::try_from(self.pos.slot(slot)) == Ok(place) {
                self.pos.set_slot(slot, -1);
            }
        }
        if let Some(tally) = self.tally.as_deref_mut() {
            tally.removed(place);
        }
    }

    fn mark(&mut self, plane: Plane, squares: ExprId, on: bool) {
        let squares = self.set(squares);
        let old = self.pos.plane(plane);
        // Marks are of pieces: a square without one is not marked.
        let new = if on { old.or(squares.and(self.game.occupied(&self.pos))) } else { old.minus(squares) };
        self.pos.set_plane(plane, new);
    }

    fn store(&mut self, slot: Slot, of: Option<ExprId>, origin: Origin, value: impl Fn(i32) -> i32) {
        let slot = match of {
            None => slot,
            Some(side) => match usize::try_from(self.int(side)) {
                Ok(side) if side < self.game.rules.sides.len() => slot.plus(side),
                _ => return self.cx.fail("no-side", "there is no side whose value could be set".to_owned(), origin),
            },
        };
        let mut value = value(self.pos.slot(slot));
        match self.game.rules.slots[slot.ix()].ty {
            SlotTy::Number(range) => value = value.clamp(range.low, range.high),
            SlotTy::Piece => {
                // It follows a piece: an empty square has none to follow.
                let occupied = self.game.occupied(&self.pos);
                if !usize::try_from(value).is_ok_and(|place| occupied.has(place)) {
                    value = -1;
                }
            }
            SlotTy::Test | SlotTy::Side | SlotTy::Kind | SlotTy::Square => {}
        }
        self.pos.set_slot(slot, value);
    }

    fn set_counter(&mut self, counter: CounterId, place: ExprId, value: ExprId) {
        let (place, value) = (self.place(place), self.int(value));
        let Some(place) = place.filter(|&place| self.game.occupied(&self.pos).has(place)) else {
            return;
        };
        self.game.set_counter(&mut self.pos, counter.ix(), place, value);
    }

    fn reserve(&mut self, reserve: ReserveId, side: ExprId, kind: ExprId, more: bool, origin: Origin) {
        let (side, kind) = (self.int(side), self.int(kind));
        let side = usize::try_from(side).ok().filter(|&side| side < self.game.rules.sides.len());
        let kind = usize::try_from(kind).ok().filter(|&kind| kind < self.game.rules.kinds.len());
        let (Some(side), Some(kind)) = (side, kind) else {
            return self.cx.fail("no-piece", "there is no such piece for a reserve".to_owned(), origin);
        };
        let slot = self.game.reserve_slot(reserve.ix(), side, kind);
        let count = self.pos.slot(slot).saturating_add(if more { 1 } else { -1 });
        if count < 0 {
            let name = &self.game.rules.kinds[kind].name;
            return self.cx.fail("no-piece", format!("the reserve has no {name}"), origin);
        }
        let most = match self.game.rules.slots[slot.ix()].ty {
            SlotTy::Number(range) => range.high,
            _ => i32::MAX,
        };
        if count > most {
            return self.cx.fail("full", format!("the reserve has room for {most} of a kind"), origin);
        }
        self.pos.set_slot(slot, count);
    }

    fn tick(&mut self, clock: ClockId) {
        let def = &self.game.rules.clocks[clock.ix()];
        let left = self.pos.slot(def.slot);
        if left <= 0 || def.runs.is_some_and(|runs| !self.test(runs)) {
            return;
        }
        self.pos.set_slot(def.slot, left - 1);
        if left == 1 {
            self.pending.happened.push_back(Happened::RanOut(clock));
        }
    }

    fn report(&mut self, event: EventId, args: &[ExprId], origin: Origin) {
        let values: Vec<i32> = args.iter().map(|&arg| self.int(arg)).collect();
        // An event costs memory and looks at every rule: the budget holds some ten thousand of them.
        self.cx.spend(BUDGET / 10_000, origin);
        if self.cx.failed() {
            return;
        }
        if self.trying {
            return;
        }
        self.log.push(self.game.event_text(&self.pos, event, &values));
        self.tally_event(|trigger| match trigger {
            TriggerKind::Event(id, binders) if *id == event => Some((binders.clone(), values.clone())),
            _ => None,
        });
        self.pending.happened.push_back(Happened::Event(event, values));
    }

    fn recall(&mut self, recall: usize, place: i32) {
        if let Some(tally) = self.tally.as_deref_mut() {
            tally.recall(recall, place);
            self.cx.recalled = tally.recalled();
        }
    }

    /// Runs the statistics of something that happened; `matches` gives the frame's values for a trigger.
    pub(crate) fn tally_event(&mut self, matches: impl Fn(&TriggerKind) -> Option<(Vec<Local>, Vec<i32>)>) {
        let Some(recalled) = self.tally.as_deref().map(Tally::recalled) else {
            return;
        };
        let game = self.game;
        for rule in &game.rules.tallies {
            let Some((binders, values)) = rule.triggers.iter().find_map(&matches) else {
                continue;
            };
            // The statistic runs in the middle of another rule: it has a frame of its own.
            let mut cx = Cx::new(&rule.name);
            cx.enter(rule.locals);
            cx.me = self.cx.me;
            cx.history = self.cx.history;
            cx.steps = self.cx.steps;
            cx.recalled.clone_from(&recalled);
            for (local, value) in binders.iter().zip(values) {
                cx.bind(*local, Value::Int(value));
            }
            let outer = std::mem::replace(&mut self.cx, cx);
            if let Some(tally) = self.tally.as_deref() {
                self.cx.recalled = tally.recalled();
            }
            if rule.guard.is_none_or(|guard| self.test(guard)) {
                self.block(&rule.steps);
            }
            let mut inner = std::mem::replace(&mut self.cx, outer);
            self.cx.steps = inner.steps;
            if let Err(fault) = inner.done() {
                self.cx.fail(fault.code, fault.text, fault.origin);
            }
        }
    }

    fn decide(&mut self, side: i32, anyhow: bool) {
        if self.pos.slot(Fixed::DECIDED) == 0 || anyhow {
            self.pos.set_slot(Fixed::DECIDED, 1);
            self.pos.set_slot(Fixed::WINNER, side);
            self.pos.set_slot(Fixed::DECIDER, self.author);
        }
    }

    /// The end of a run: the position, what was said and seen.
    ///
    /// # Errors
    /// The first fault.
    pub fn finish(mut self) -> Result<Done<N>, Fault> {
        self.cx.done()?;
        Ok(Done { pos: self.pos, log: self.log, seen: self.cx.seen, steps: self.cx.steps })
    }
}

/// What came of an action.
#[derive(Clone, Debug)]
pub struct Done<const N: usize> {
    /// The position after it.
    pub pos: Position<N>,
    /// What a record says, in order.
    pub log: Vec<EventText>,
    /// What histories have seen.
    pub seen: Vec<(HistoryId, u64)>,
    /// How many steps it took.
    pub steps: u64,
}

impl<const N: usize> Game<N> {
    /// The slot of a kind in the reserve of a side.
    #[must_use]
    pub fn reserve_slot(&self, reserve: usize, side: usize, kind: usize) -> Slot {
        self.rules.reserves[reserve].first.plus(side * self.rules.kinds.len() + kind)
    }

    /// Kinds of which the reserve of a side has one.
    #[must_use]
    pub fn reserve_kinds(&self, pos: &Position<N>, reserve: usize, side: usize) -> u64 {
        (0..self.rules.kinds.len())
            .filter(|&kind| pos.slot(self.reserve_slot(reserve, side, kind)) > 0)
            .fold(0, |kinds, kind| kinds | 1 << kind)
    }

    /// The counter of the piece on a place.
    #[must_use]
    pub fn counter(&self, pos: &Position<N>, counter: usize, place: usize) -> i32 {
        let def = &self.rules.counters[counter];
        (0..def.bits).filter(|&bit| pos.plane(def.first.plus(bit)).has(place)).fold(0, |value, bit| value | 1 << bit)
    }

    /// Sets the counter of the piece on a place, as far as its range goes.
    pub(crate) fn set_counter(&self, pos: &mut Position<N>, counter: usize, place: usize, value: i32) {
        let def = &self.rules.counters[counter];
        let value = value.clamp(0, def.max);
        for bit in 0..def.bits {
            pos.set_bit(def.first.plus(bit), place, value >> bit & 1 == 1);
        }
    }

    /// Whether a choice offers an aim.
    pub(crate) fn offers(&self, pos: &Position<N>, cx: &mut Cx<N>, choice: &Choice, aim: i32) -> bool {
        match choice.ty {
            Ty::Kind => {
                let kinds = self.kinds(pos, cx, choice.domain);
                u32::try_from(aim).is_ok_and(|kind| kinds.checked_shr(kind).unwrap_or(0) & 1 == 1)
            }
            _ => usize::try_from(aim).is_ok_and(|place| self.set(pos, cx, choice.domain).has(place)),
        }
    }
}
