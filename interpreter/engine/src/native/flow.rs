//! Jumps as blocks: the code of a piece is cut into loops and blocks, as WebAssembly has no jumps.
//!
//! A jump forward leaves a block that ends at its target; a jump backward goes on with a loop that begins there. That
//! works where no jump leads into a loop from outside, which is how the compiler lowers rules; else there is no machine code.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{Op, Program};

/// A part of the code that a label ends or begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// A jump to it leaves a block that ends there.
    Ahead(u32),
    /// A jump to it begins a loop again.
    Again(u32),
    /// A block of the machine code itself.
    Other,
}

/// A loop or the whole piece: from, to (not included), and the targets of jumps forward within it, those that come last
/// first.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub from: u32,
    pub to: u32,
    pub ahead: Vec<u32>,
}

/// The structure of a piece: its loops by where they begin, and the piece itself.
pub(super) struct Flow {
    pub whole: Region,
    /// Where the code ends.
    pub end: u32,
    pub loops: BTreeMap<u32, Region>,
}

/// Where an operation may go on elsewhere.
fn targets(program: &Program, mut op: Op) -> Vec<u32> {
    match op {
        Op::Switch { table, .. } => program.switches.get(usize::from(table)).cloned().unwrap_or_default(),
        _ => op.target_mut().map(|to| *to).into_iter().collect(),
    }
}

impl Flow {
    /// The structure of the code `from..to`; `None` when it has none.
    pub fn of(program: &Program, from: u32, to: u32) -> Option<Flow> {
        let mut jumps = Vec::new();
        let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
        for (at, &op) in (from..to).zip(program.code.get(from as usize..to as usize)?) {
            for target in targets(program, op) {
                if target < from || target > to {
                    return None;
                }
                if target <= at {
                    let end = ends.entry(target).or_default();
                    *end = (*end).max(at + 1);
                } else {
                    jumps.push((at, target));
                }
            }
        }
        // A loop that begins within another ends there: what follows the last jump back may belong to the outer one, too.
        let begins: Vec<u32> = ends.keys().copied().collect();
        for &inner in begins.iter().rev() {
            let end = ends.get(&inner).copied().unwrap_or(inner);
            for (_, outer) in ends.range_mut(..inner).filter(|(_, outer)| **outer > inner) {
                *outer = (*outer).max(end);
            }
        }
        let region = |(&begin, &end): (&u32, &u32)| (begin, Region { from: begin, to: end, ahead: Vec::new() });
        let loops: BTreeMap<u32, Region> = ends.iter().map(region).collect();
        let mut flow = Flow { whole: Region { from, to: to + 1, ahead: Vec::new() }, end: to, loops };
        let mut targets: BTreeSet<u32> = BTreeSet::new();
        for &(at, target) in &jumps {
            let region = flow.around(target);
            if at < region.from || at >= region.to {
                return None;
            }
            targets.insert(target);
        }
        for &target in targets.iter().rev() {
            let begin = flow.around(target).from;
            let is_whole = flow.around(target).to == to + 1;
            match flow.loops.get_mut(&begin).filter(|_| !is_whole) {
                Some(region) => region.ahead.push(target),
                None => flow.whole.ahead.push(target),
            }
        }
        Some(flow)
    }

    /// The innermost loop in which a target lies, its head and its end left out; or the whole.
    fn around(&self, target: u32) -> &Region {
        let inside = |region: &&Region| region.from < target && target < region.to;
        self.loops.values().rev().find(inside).unwrap_or(&self.whole)
    }
}
