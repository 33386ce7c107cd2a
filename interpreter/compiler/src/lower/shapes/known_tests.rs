//! Shape: a test that comes out the same in every position.
//!
//! Precondition: [`Lower::known`]. Emits nothing for the test, and code for what follows from it alone.

use fullcourt_engine::ir::{Expr, ExprId};

use super::Shape;
use crate::lower::program::{Lower, Val};
use crate::lower::values::{Int, NOTHING, Set};

impl Lower<'_> {
    /// Whether a test is known when lowered. Emits nothing that would be needed later.
    pub fn known(&self, id: ExprId) -> Option<bool> {
        if !self.shapes.has(Shape::KnownTests) {
            return None;
        }
        match self.rules.expr(id) {
            Expr::Const(value) => Some(*value == 1),
            Expr::Not(a) => self.known(*a).map(|a| !a),
            Expr::And(a, b) => match (self.known(*a), self.known(*b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::Or(a, b) => match (self.known(*a), self.known(*b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Expr::Cmp(cmp, a, b) => match (self.constant(*a), self.constant(*b)) {
                (Some(a), Some(b)) => Some(cmp.holds(a, b)),
                _ => None,
            },
            Expr::Local(local) => match self.local(*local) {
                Val::Int(Int::Const(value)) => Some(value == 1),
                _ => None,
            },
            Expr::InSet(_, set) if self.is_nothing(*set) => Some(false),
            Expr::Some(set) if self.is_nothing(*set) => Some(false),
            Expr::InSet(place, set) => {
                let piece = self.piece_on(*place);
                self.known_in(piece, *set)
            }
            _ => None,
        }
    }

    /// Whether a set is known to be empty.
    fn is_nothing(&self, set: ExprId) -> bool {
        match self.rules.expr(set) {
            Expr::Places(words) => **words == NOTHING,
            Expr::Local(local) => self.local(*local) == Val::Set(Set::Const(NOTHING)),
            Expr::SetAnd(a, b) => self.is_nothing(*a) || self.is_nothing(*b),
            Expr::SetOr(a, b) => self.is_nothing(*a) && self.is_nothing(*b),
            Expr::Those(_, domain, _) => self.is_nothing(*domain),
            // A branch that the piece does not have.
            Expr::Geometry(geo, label, place) => {
                self.piece_on(*place).kind.is_some_and(|kind| !self.has_branch(kind, *geo, *label))
            }
            _ => false,
        }
    }
}
