//! What follows an action, in the walker's order (see `walk::settle`), with tables in place of searches.

use super::machine::{Happened, Machine, Memory, Past, Start};
use super::{Entry, Init};
use crate::bits::Bits;
use crate::history::key;
use crate::ir::{Fixed, Plane, Slot, SlotTy};
use crate::position::Position;

/// Whether to go on; `None` when the program gave up.
type Goes = Option<()>;

impl<const N: usize> Machine<N> {
    fn done(ran: bool) -> Goes {
        ran.then_some(())
    }

    /// The number that a piece of code leaves in register 0.
    pub(super) fn number(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, entry: Entry) -> Option<i32> {
        self.run(pos, m, past, entry).then(|| m.ints[0])
    }

    /// Stages 2 to 7.
    pub(super) fn settle(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Goes {
        self.latch(pos, m, past)?;
        self.react(pos, m, past)?;
        self.rules(pos, m, past, &self.at_once, &[])?;
        self.react(pos, m, past)?;
        let mut closed = 0;
        self.close(pos, m, past, &mut closed)?;
        self.count(pos, m, past, closed)?;
        self.close(pos, m, past, &mut closed)?;
        if pos.slot(Fixed::DECIDED) == 0 {
            self.open_waiting(pos, m, past)?;
        }
        if pos.slot(Fixed::DECIDED) == 0 {
            self.enter_phase(pos, m, past)?;
        }
        self.end_if_decided(pos, m, past, closed)
    }

    /// What is open ends when the game does.
    fn end_if_decided(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, mut closed: u64) -> Goes {
        if pos.slot(Fixed::DECIDED) == 1 {
            self.close(pos, m, past, &mut closed)?;
            pos.set_slot(Fixed::PHASE, -1);
            pos.set_slot(Fixed::TO_ACT, -1);
        }
        Some(())
    }

    fn latch(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Goes {
        let rules = &self.game.rules;
        for (latch, &entry) in rules.latches.iter().zip(&self.program.latches) {
            let open = pos.slot(rules.spans[latch.span.ix()].open) == 1;
            if open && pos.slot(latch.slot) == 0 && self.number(pos, m, past, entry)? == 1 {
                pos.set_slot(latch.slot, 1);
            }
        }
        Some(())
    }

    fn react(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Goes {
        while let Some((happened, start, count)) = m.waiting.happened.pop_front() {
            match happened {
                Happened::Event(event) => {
                    let values: [i32; 8] =
                        std::array::from_fn(|n| m.waiting.values.get(start + n).copied().unwrap_or(-1));
                    if count > values.len() {
                        return None;
                    }
                    self.rules(pos, m, past, &self.events[event], &values)?;
                }
                Happened::RanOut(clock) => self.rules(pos, m, past, &self.clocks[clock], &[])?,
            }
        }
        m.waiting.values.clear();
        Some(())
    }

    fn rules(
        &self,
        pos: &mut Position<N>,
        m: &mut Memory<N>,
        past: Past<'_>,
        starts: &[Start],
        values: &[i32],
    ) -> Goes {
        for start in starts {
            let code = &self.program.rules[start.rule];
            m.author = i32::from(code.rule);
            for (&reg, &value) in start.values.iter().zip(values) {
                m.ints[usize::from(reg)] = value;
            }
            m.passed = false;
            Self::done(self.run(pos, m, past, code.entry))?;
            if m.passed {
                self.latch(pos, m, past)?;
            }
        }
        Some(())
    }

    fn close(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, closed: &mut u64) -> Goes {
        let rules = &self.game.rules;
        loop {
            if pos.slot(Fixed::DECIDED) == 1 {
                m.waiting.ends |= 1;
            }
            if m.waiting.ends == 0 {
                return Some(());
            }
            let mut ending = 0;
            for (span, table) in self.spans.iter().enumerate() {
                if m.waiting.ends >> span & 1 == 1 {
                    ending |= table.within;
                }
            }
            let open = |&&span: &&usize| ending >> span & 1 == 1 && pos.slot(rules.spans[span].open) == 1;
            let Some(&span) = self.innermost.iter().find(open) else {
                m.waiting.ends = 0;
                return Some(());
            };
            self.rules(pos, m, past, &self.spans[span].ends, &[])?;
            self.react(pos, m, past)?;
            let def = &rules.spans[span];
            pos.set_slot(def.open, 0);
            if span != 0 {
                pos.set_slot(def.owner, -1);
                self.refresh(pos, m, past, span)?;
            }
            *closed |= 1 << span;
        }
    }

    fn count(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, closed: u64) -> Goes {
        let rules = &self.game.rules;
        for (count, starts) in rules.counts.iter().zip(&self.counted) {
            if closed >> count.of.ix() & 1 == 0 {
                continue;
            }
            let most = if let SlotTy::Number(range) = rules.slots[count.slot.ix()].ty { range.high } else { i32::MAX };
            pos.set_slot(count.slot, pos.slot(count.slot).saturating_add(1).min(most));
            self.rules(pos, m, past, starts, &[])?;
            self.react(pos, m, past)?;
        }
        Some(())
    }

    fn open_waiting(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Goes {
        let mut begins = std::mem::take(&mut m.waiting.begins);
        for &(span, side) in &begins {
            if pos.slot(Fixed::DECIDED) == 0 {
                self.begin(pos, m, past, span, side)?;
            }
        }
        begins.clear();
        // What those spans have asked for meanwhile stays.
        if m.waiting.begins.is_empty() {
            m.waiting.begins = begins;
        }
        Some(())
    }

    fn begin(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, span: usize, side: i32) -> Goes {
        let rules = &self.game.rules;
        let def = &rules.spans[span];
        if let Some(parent) = def.parent
            && pos.slot(rules.spans[parent.ix()].open) == 0
        {
            self.begin(pos, m, past, parent.ix(), side)?;
        }
        pos.set_slot(def.open, 1);
        if span != 0 {
            pos.set_slot(def.owner, if def.owned { side } else { -1 });
        }
        self.refresh(pos, m, past, span)?;
        self.latch(pos, m, past)?;
        self.rules(pos, m, past, &self.spans[span].begins, &[])?;
        self.react(pos, m, past)
    }

    fn refresh(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, span: usize) -> Goes {
        for &plane in &self.spans[span].planes {
            pos.set_plane(Plane(u32::from(plane)), Bits::EMPTY);
        }
        for &(slot, init) in &self.program.inits[span] {
            let value = match init {
                Init::Const(value) => value,
                Init::Code(entry) => {
                    let value = self.number(pos, m, past, entry)?;
                    match self.game.rules.slots[usize::from(slot)].ty {
                        SlotTy::Number(range) => value.clamp(range.low, range.high),
                        _ => value,
                    }
                }
            };
            pos.set_slot(Slot(u32::from(slot)), value);
        }
        Some(())
    }

    fn enter_phase(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Goes {
        let rules = &self.game.rules;
        for _ in 0..=rules.phases.len() {
            let phase = m.waiting.go.take().or_else(|| self.game.phase(pos))?;
            let def = &rules.phases[phase];
            let side = self.number(pos, m, past, self.program.phase_sides[phase])?;
            pos.set_slot(Fixed::PHASE, i32::try_from(phase).ok()?);
            pos.set_slot(Fixed::TO_ACT, side);
            if side < 0 {
                return None;
            }
            if let Some(span) = def.span
                && pos.slot(rules.spans[span.ix()].open) == 0
            {
                self.begin(pos, m, past, span.ix(), side)?;
            }
            if pos.slot(Fixed::DECIDED) == 1 || !self.leads_on(pos, m, past, phase, side)? {
                return Some(());
            }
        }
        None
    }

    /// Judges a phase that has just begun; whether something else follows at once.
    fn leads_on(
        &self,
        pos: &mut Position<N>,
        m: &mut Memory<N>,
        past: Past<'_>,
        phase: usize,
        side: i32,
    ) -> Option<bool> {
        for &id in &self.sees[phase] {
            let key = key(&self.game.rules.histories[id.ix()], pos);
            m.seen.push((id, key));
        }
        if self.can_wait[phase] && (m.later || m.counting) {
            m.unjudged = Some(phase);
            return Some(false);
        }
        let is_stuck = !self.stuck[phase].is_empty() && !self.any_legal(pos, m, past)?;
        self.judge(pos, m, past, (phase, side, is_stuck))
    }

    /// Judges a position that waits for it; `legal` says whether something is legal.
    pub(super) fn judge_later(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, legal: bool) -> Goes {
        let Some(phase) = m.unjudged.take() else { return Some(()) };
        let side = pos.slot(Fixed::TO_ACT);
        let is_stuck = !legal && !self.stuck[phase].is_empty();
        m.waiting.go = None;
        self.judge(pos, m, past, (phase, side, is_stuck))?;
        self.end_if_decided(pos, m, past, 0)
    }

    fn judge(
        &self,
        pos: &mut Position<N>,
        m: &mut Memory<N>,
        past: Past<'_>,
        (phase, side, is_stuck): (usize, i32, bool),
    ) -> Option<bool> {
        let starts = if is_stuck { &self.stuck[phase] } else { &self.opens[phase] };
        if starts.is_empty() || (!is_stuck && m.counting) {
            return Some(false);
        }
        m.me = side;
        self.rules(pos, m, past, starts, &[])?;
        if !is_stuck && pos.slot(Fixed::DECIDED) == 0 {
            return Some(false);
        }
        self.react(pos, m, past)?;
        let mut closed = 0;
        self.close(pos, m, past, &mut closed)?;
        self.count(pos, m, past, closed)?;
        if pos.slot(Fixed::DECIDED) == 1 {
            return Some(false);
        }
        self.open_waiting(pos, m, past)?;
        Some(true)
    }
}
