//! The text of a position.

use std::fmt::Write;

use super::{letter, words_of};
use crate::game::Game;
use crate::ir::{Field, Gaps, PositionDef, Slot, SlotTy, Ty};
use crate::position::Position;

impl<const N: usize> Game<N> {
    /// A position as the ruleset's first template writes it; `None` when it has none.
    #[must_use]
    pub fn line(&self, pos: &Position<N>) -> Option<String> {
        self.rules.positions.first().map(|def| self.line_of(def, pos))
    }

    /// A position as a template writes it.
    #[must_use]
    pub fn line_of(&self, def: &PositionDef, pos: &Position<N>) -> String {
        let mut out = String::new();
        for field in &def.fields {
            self.write_field(field, pos, &mut out);
        }
        out
    }

    fn write_field(&self, field: &Field, pos: &Position<N>, out: &mut String) {
        let rules = &*self.rules;
        match field {
            Field::Text(text) => out.push_str(text),
            Field::Men { down, between, gaps } => self.write_men(*down, between, gaps, pos, out),
            Field::Slot { slot, count, words, between, none } => {
                for index in 0..*count {
                    if index > 0 {
                        out.push_str(between);
                    }
                    self.write_value(slot.plus(index), words, none.as_deref(), pos, out);
                }
            }
            Field::Plane { plane, none } => {
                let set = pos.plane(*plane);
                set.iter().for_each(|place| out.push_str(&rules.board.name(place)));
                if set.is_empty() {
                    out.push_str(none);
                }
            }
            Field::Counter { counter, none } => {
                let start = out.len();
                for place in self.occupied(pos).iter() {
                    let value = self.counter(pos, counter.ix(), place);
                    let name = rules.board.name(place);
                    if rules.counters[counter.ix()].square && value > 0 {
                        out.push_str(&name);
                        out.push_str(&self.aim_text(Ty::Square, value - 1));
                    } else {
                        out.push_str(&name.repeat(usize::try_from(value).unwrap_or(0)));
                    }
                }
                if out.len() == start {
                    out.push_str(none);
                }
            }
            Field::Flags { plane, flags, none } => {
                let set = pos.plane(*plane);
                let words: String =
                    flags.iter().filter(|(_, at)| set.has(*at)).map(|(word, _)| word.as_str()).collect();
                out.push_str(if words.is_empty() { none } else { &words });
            }
            Field::Reserve(id) => {
                for (side, kind) in (0..2).flat_map(|side| (0..rules.kinds.len()).map(move |kind| (side, kind))) {
                    let count = match side < rules.sides.len() {
                        true => pos.slot(self.reserve_slot(id.ix(), side, kind)),
                        false => 0,
                    };
                    out.push_str(&letter(rules, side, kind).repeat(usize::try_from(count).unwrap_or(0)));
                }
            }
            Field::Owner { span, words, none } => {
                let words = words_of(rules, words, SlotTy::Side);
                let owner = usize::try_from(pos.slot(rules.spans[span.ix()].owner)).ok();
                out.push_str(owner.and_then(|side| words.get(side)).unwrap_or(none));
            }
            Field::Phase => out.push_str(self.phase(pos).map_or("over", |phase| rules.phases[phase].name.as_str())),
        }
    }

    fn write_men(&self, down: bool, between: &str, gaps: &Gaps, pos: &Position<N>, out: &mut String) {
        let board = &self.rules.board;
        for row in 0..board.ranks {
            if row > 0 {
                out.push_str(between);
            }
            let rank = if down { board.ranks - 1 - row } else { row };
            let mut empty = 0;
            for file in 0..=board.files {
                let at = board.at(file, rank).filter(|_| file < board.files).and_then(|at| i32::try_from(at).ok());
                let man = at.and_then(|at| self.owner_at(pos, at).zip(self.kind_at(pos, at)));
                if man.is_none() && file < board.files {
                    empty += 1;
                    continue;
                }
                match gaps {
                    Gaps::Count if empty > 0 => {
                        let _ = write!(out, "{empty}");
                    }
                    Gaps::Sign(sign) => out.push_str(&sign.repeat(empty)),
                    Gaps::Count => {}
                }
                empty = 0;
                if let Some((side, kind)) = man {
                    out.push_str(&letter(&self.rules, side, kind));
                }
            }
        }
    }

    fn write_value(&self, slot: Slot, words: &[String], none: Option<&str>, pos: &Position<N>, out: &mut String) {
        let (ty, value) = (self.rules.slots[slot.ix()].ty, pos.slot(slot));
        let text = match ty {
            SlotTy::Number(_) => value.to_string(),
            _ if value < 0 => none.unwrap_or("-").to_owned(),
            SlotTy::Square | SlotTy::Piece => self.aim_text(Ty::Square, value),
            SlotTy::Test | SlotTy::Side | SlotTy::Kind => {
                let words = words_of(&self.rules, words, ty);
                let index =
                    if ty == SlotTy::Test { usize::from(value == 0) } else { usize::try_from(value).unwrap_or(0) };
                words.get(index).cloned().unwrap_or_default()
            }
        };
        out.push_str(&text);
    }
}
