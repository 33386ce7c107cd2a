//! A position made of what a text says.
//!
//! The game is open and has its first values, then what was said is put in; the span of the phase begins for the side
//! that acts, without the rules for its beginning: they ran when the position came about. At last the phase is judged as
//! after any action, so a mate that is loaded is a mate.

use super::read::{LineError, Said, read};
use crate::game::Game;
use crate::history::Beside;
use crate::ir::{Fixed, SlotTy, SpanId};
use crate::position::Position;
use crate::walk::act::{Done, Run};

impl<const N: usize> Game<N> {
    /// Puts what was said into a position: pieces, numbers, sets and reserves.
    pub(crate) fn put_said(&self, pos: &mut Position<N>, said: &[Said]) {
        let rules = &self.rules;
        for said in said {
            match *said {
                Said::Man(place, side, kind) => {
                    pos.set_bit(rules.side_plane(side), place, true);
                    pos.set_bit(rules.kind_plane(kind), place, true);
                }
                Said::Slot(slot, value) => pos.set_slot(slot, value),
                Said::Bit(plane, place) => pos.set_bit(plane, place, true),
                Said::Counter(counter, place, value) => self.set_counter(pos, counter.ix(), place, value),
                Said::Reserve(..) | Said::Owner(..) | Said::Phase(_) => {}
            }
        }
        // Reserves are counted, so that saying it all again changes nothing.
        for said in said {
            if let Said::Reserve(reserve, side, kind) = *said {
                pos.set_slot(self.reserve_slot(reserve.ix(), side, kind), 0);
            }
        }
        for said in said {
            if let Said::Reserve(reserve, side, kind) = *said {
                let slot = self.reserve_slot(reserve.ix(), side, kind);
                pos.set_slot(slot, pos.slot(slot) + 1);
            }
        }
    }

    /// The position that a text says, and what its histories have seen; `setup` fills in setup parameters.
    ///
    /// # Errors
    /// Where the text does not fit the template, or why there can be no such position.
    pub fn read_line(&self, text: &str, setup: impl Fn(&mut Position<N>)) -> Result<Done<N>, String> {
        let mut best: Option<(usize, LineError)> = None;
        for (index, def) in self.rules.positions.iter().enumerate() {
            match read(&self.rules, def, text.trim()) {
                Ok(said) => return self.load(index, &said, setup),
                Err(error) if best.as_ref().is_none_or(|(_, old)| error.at > old.at) => best = Some((index, error)),
                Err(_) => {}
            }
        }
        let Some((index, error)) = best else {
            return Err("the ruleset has no text of positions; it would need an item `position`".to_owned());
        };
        let example = self.rules.start.as_ref().filter(|(start, _)| *start == index);
        let example = example.map_or(String::new(), |(_, text)| format!("; the first position is `{text}`"));
        Err(format!("{error}{example}"))
    }

    fn load(&self, index: usize, said: &[Said], setup: impl Fn(&mut Position<N>)) -> Result<Done<N>, String> {
        let rules = &*self.rules;
        let def = &rules.positions[index];
        let mut run = Run::new(self, self.blank(), &def.name, Beside::default());
        run.open(SpanId(0), -1);
        setup(&mut run.pos);
        self.put_said(&mut run.pos, said);
        for said in said {
            if let Said::Owner(span, side) = *said {
                self.open_all(&mut run, span, side)?;
            }
        }
        self.put_said(&mut run.pos, said);
        let given = said.iter().find_map(|said| if let Said::Phase(phase) = said { Some(*phase) } else { None });
        let phase = given.or(def.phase.map(crate::ir::PhaseId::ix)).ok_or("the text says no phase")?;
        let phase_def = &rules.phases[phase];
        let acts = |run: &mut Run<'_, N>| {
            run.cx.enter(rules.shared_locals);
            let side = run.int(phase_def.side);
            usize::try_from(side).map_err(|_| format!("nobody acts in the phase `{}`", phase_def.name))
        };
        let side = acts(&mut run)?;
        if let Some(span) = phase_def.span {
            self.open_all(&mut run, span, side)?;
        }
        self.put_said(&mut run.pos, said);
        let side = i32::try_from(acts(&mut run)?).unwrap_or(-1);
        run.pos.set_slot(Fixed::PHASE, i32::try_from(phase).unwrap_or(-1));
        run.pos.set_slot(Fixed::TO_ACT, side);
        run.cx.me = side;
        run.latch();
        self.check_pieces(&run.pos)?;
        self.check_invariants(&run.pos)?;
        run.arrive(phase, side);
        run.finish().map_err(|fault| format!("`{}`: {}", fault.rule, fault.text))
    }

    /// Opens a span and those around it; a span that belongs to a side must have been said before those within it.
    fn open_all(&self, run: &mut Run<'_, N>, span: SpanId, side: usize) -> Result<(), String> {
        let def = &self.rules.spans[span.ix()];
        if run.pos.slot(def.open) == 1 {
            return Ok(());
        }
        if let Some(parent) = def.parent {
            let around = &self.rules.spans[parent.ix()];
            if around.owned && run.pos.slot(around.open) == 0 {
                return Err(format!("the text does not say whose `{}` it is", around.name));
            }
            self.open_all(run, parent, side)?;
        }
        run.open(span, if def.owned { i32::try_from(side).unwrap_or(-1) } else { -1 });
        Ok(())
    }

    /// Marks and slots that belong to pieces need a piece.
    fn check_pieces(&self, pos: &Position<N>) -> Result<(), String> {
        let occupied = self.occupied(pos);
        for &plane in &self.travelling {
            if let Some(place) = pos.plane(plane).minus(occupied).iter().next() {
                let (square, name) = (self.rules.board.name(place), &self.rules.planes[plane.ix()].name);
                return Err(format!("there is no piece on {square} that could be marked as `{name}`"));
            }
        }
        for &slot in &self.piece_slots {
            let at = usize::try_from(pos.slot(slot)).ok();
            if let Some(place) = at.filter(|&place| !occupied.has(place)) {
                let (square, def) = (self.rules.board.name(place), &self.rules.slots[slot.ix()]);
                debug_assert_eq!(def.ty, SlotTy::Piece);
                return Err(format!("there is no piece on {square} that could be marked as `{}`", def.name));
            }
        }
        Ok(())
    }
}
