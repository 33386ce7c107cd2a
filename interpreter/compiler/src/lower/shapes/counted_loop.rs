//! Shape: `for x in SET { add K to N }`, or `take K from N`, where K is known.
//!
//! Precondition: [`Lower::adds_alone`]. N has a range, and each turn goes the same way: once at its end it stays there, so
//! the sum of all turns, kept within the range once, is where they lead. K is small enough that the sum is exact. A side
//! whose number it is must be known to be one, since a loop without a turn asks for none. Emits `Count`, a product, and
//! one addition.

use fullcourt_engine::ir::{Arith, Slot, SlotTy, Stmt, StmtId};
use fullcourt_engine::program::Op;

use super::Shape;
use crate::lower::emit::Made;
use crate::lower::program::Lower;
use crate::lower::values::Set;

/// The most that a turn may add: times 512 places it is still a number.
const MOST: i32 = 1_000_000;

/// What each turn adds.
#[derive(Clone, Copy, Debug)]
pub struct Adds {
    slot: Slot,
    more: i32,
}

impl Lower<'_> {
    /// What a loop adds in each turn, if that is all it does.
    pub fn adds_alone(&self, steps: &[StmtId]) -> Option<Adds> {
        let [step] = steps else { return None };
        let Stmt::AddSlot(slot, of, value, plus) = self.rules.stmt(*step) else { return None };
        if !self.shapes.has(Shape::CountedLoop) {
            return None;
        }
        let value = self.constant(*value).filter(|value| (-MOST..=MOST).contains(value))?;
        let slot = match of {
            None => *slot,
            Some(side) => {
                let side = usize::try_from(self.constant(*side)?).ok()?;
                (side < self.rules.sides.len()).then(|| slot.plus(side))?
            }
        };
        let ranged = matches!(self.rules.slots.get(slot.ix())?.ty, SlotTy::Number(_));
        ranged.then_some(Adds { slot, more: if *plus { value } else { -value } })
    }

    /// All turns at once.
    pub fn added_up(&mut self, adds: Adds, domain: Set) -> Made<()> {
        let (s, slot) = (self.set_in_reg(domain)?, self.slot(adds.slot)?);
        let (a, b) = (self.out.int()?, self.out.int()?);
        self.out.op(Op::Count { d: a, s })?;
        self.out.op(Op::Int { d: b, k: adds.more })?;
        self.out.op(Op::Arith { op: Arith::Mul, d: a, a, b })?;
        self.out.op(Op::AddSlot { slot, a })
    }
}
