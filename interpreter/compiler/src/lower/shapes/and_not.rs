//! Shape: `a and not b`, on either side.
//!
//! Precondition: [`Lower::rest_of`]. Emits one `Minus` in place of `Not` and `And`.

use fullcourt_engine::ir::{Expr, ExprId};

use super::Shape;
use crate::lower::program::Lower;

impl Lower<'_> {
    /// The set, and what it is without, of two sets that are joined by `and`.
    pub fn rest_of(&self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        if !self.shapes.has(Shape::AndNot) {
            return None;
        }
        match (self.rules.expr(a), self.rules.expr(b)) {
            (_, Expr::SetNot(inner)) => Some((a, *inner)),
            (Expr::SetNot(inner), _) => Some((b, *inner)),
            _ => None,
        }
    }
}
