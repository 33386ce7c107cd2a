//! A program as text, for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Init, Op, Program};
use crate::ir::Rules;

impl Program {
    /// The operations in order, each piece of code under its name.
    #[must_use]
    pub fn listing(&self, rules: &Rules) -> String {
        let mut heads: BTreeMap<u32, String> = BTreeMap::new();
        for (action, codes) in rules.actions.iter().zip(&self.actions) {
            for (side, code) in rules.sides.iter().zip(codes) {
                heads.insert(code.find, format!("find `{}` for {}", action.name, side.name));
                heads.insert(code.play, format!("play `{}` for {}", action.name, side.name));
            }
        }
        for code in &self.rules {
            let name = rules.rules.get(usize::from(code.rule)).map_or("?", |rule| rule.name.as_str());
            heads.insert(code.entry, format!("rule `{name}`"));
        }
        for (phase, &entry) in rules.phases.iter().zip(&self.phase_sides) {
            heads.insert(entry, format!("who acts in `{}`", phase.name));
        }
        for (latch, &entry) in rules.latches.iter().zip(&self.latches) {
            let name = rules.slots.get(latch.slot.ix()).map_or("?", |slot| slot.name.as_str());
            heads.insert(entry, format!("latch `{name}`"));
        }
        for (slot, init) in self.inits.iter().flatten() {
            if let Init::Code(entry) = init {
                let name = rules.slots.get(usize::from(*slot)).map_or("?", |slot| slot.name.as_str());
                heads.insert(*entry, format!("first value of `{name}`"));
            }
        }
        let given_up = self.code.iter().filter(|op| matches!(op, Op::Give)).count();
        let mut out =
            format!("{}: {} operations, {given_up} fragments left to the walker\n", rules.title, self.code.len());
        let without = self.without;
        let left_off = [
            (without.path_tables, "paths are walked"),
            (without.judging_later, "each phase is judged when it begins"),
            (without.remembering, "plugins are asked every time"),
        ];
        for (_, what) in left_off.iter().filter(|(off, _)| *off) {
            let _ = writeln!(out, "left off: {what}");
        }
        for (at, op) in (0u32..).zip(&self.code) {
            if let Some(head) = heads.get(&at) {
                let _ = writeln!(out, "\n{head}");
            }
            let _ = writeln!(out, "  {at:>5}  {op:?}");
        }
        out
    }
}
