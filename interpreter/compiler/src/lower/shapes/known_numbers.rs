//! Shape: a number, side or kind that is known when lowered: the side that acts, its opponent, what is known of a piece, and
//! what is reckoned from such.
//!
//! Precondition: [`Lower::constant`] and [`Lower::reckoned`]. Emits nothing; who uses the number has it as a constant.
//! Options, numbers as they are written and names for them are known in any case.

use fullcourt_engine::ir::{Arith, Expr, ExprId};

use super::Shape;
use crate::lower::program::{Lower, Val};
use crate::lower::values::Int;

impl Lower<'_> {
    /// A number that is known when lowered.
    pub fn constant(&self, id: ExprId) -> Option<i32> {
        match self.rules.expr(id) {
            Expr::Const(value) => Some(*value),
            Expr::Option(option) => Some(self.options.get(option.ix()).copied().unwrap_or(0)),
            Expr::Local(local) => match self.local(*local) {
                Val::Int(Int::Const(value)) => Some(value),
                _ => None,
            },
            _ if !self.shapes.has(Shape::KnownNumbers) => None,
            Expr::Me => self.me,
            Expr::Opponent(side) => {
                let sides = self.rules.sides.len();
                let side = usize::try_from(self.constant(*side)?).ok().filter(|&side| side < sides)?;
                i32::try_from((side + 1) % sides).ok()
            }
            Expr::OwnerAt(place) => self.piece_on(*place).owner,
            Expr::KindAt(place) => self.piece_on(*place).kind.and_then(|kind| i32::try_from(kind).ok()),
            _ => None,
        }
    }

    /// The result of arithmetic with numbers that are known.
    pub fn reckoned(&self, op: Arith, a: Int, b: Int) -> Option<i32> {
        match (a, b) {
            (Int::Const(a), Int::Const(b)) if self.shapes.has(Shape::KnownNumbers) => Some(op.of(a, b)),
            _ => None,
        }
    }
}
