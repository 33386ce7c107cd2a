//! Shape: `some (those x in SET with TEST)`, asked as a condition.
//!
//! Precondition: [`Lower::asked_for_one`]; a test changes nothing, so those after the first that passes need none. Emits a
//! loop that is left there, in place of one that gathers a set.

use fullcourt_engine::ir::{Expr, ExprId, Local};
use fullcourt_engine::program::Op;

use super::Shape;
use crate::lower::emit::{Emitter, Label, Made};
use crate::lower::program::{Lower, Val};
use crate::lower::values::Int;

impl Lower<'_> {
    /// The name, the set and the test of such a condition.
    pub fn asked_for_one(&self, set: ExprId) -> Option<(Local, ExprId, ExprId)> {
        match *self.rules.expr(set) {
            Expr::Those(local, domain, test) if self.shapes.has(Shape::FirstSuffices) => Some((local, domain, test)),
            _ => None,
        }
    }

    /// Goes to a label if a place of a set passes a test, or if none does.
    pub fn one_of(&mut self, (local, domain, test): (Local, ExprId, ExprId), on: bool, to: Label) -> Made<()> {
        let set = self.set(domain)?;
        let end = self.out.label();
        let (found, none) = if on { (to, end) } else { (end, to) };
        let (place, again) = self.each(set, none)?;
        self.bind(local, Val::Int(Int::Reg(place)));
        let piece = self.pieces_of(domain);
        self.learn(local, piece);
        self.cond(test, false, again)?;
        self.out.op(Op::Jump(Emitter::to(found)))?;
        self.out.place(end);
        Ok(())
    }
}
