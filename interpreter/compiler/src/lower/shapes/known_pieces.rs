//! Shape: a name for a place on which a piece of a known side or kind stands.
//!
//! Precondition: [`Lower::pieces_of`] says what is known of a piece from the set it was taken from (it is forgotten when
//! pieces move), and [`Lower::known_in`] what follows from it. Emits nothing where a side, a kind, or whether the piece is
//! in a set of pieces would be asked.

use fullcourt_engine::ir::{Expr, ExprId};

use super::Shape;
use crate::lower::program::{Lower, Piece};

impl Lower<'_> {
    /// Whether a piece of which something is known is in a set.
    pub fn known_in(&self, piece: Piece, set: ExprId) -> Option<bool> {
        if !self.shapes.has(Shape::KnownPieces) {
            return None;
        }
        let rules = self.rules;
        match rules.expr(set) {
            Expr::KindPieces(kind) => {
                let kind = self.constant(*kind).and_then(|kind| usize::try_from(kind).ok())?;
                piece.kind.map(|known| known == kind)
            }
            Expr::TraitPieces(wanted) => piece.kind.map(|kind| rules.kinds[kind].traits.contains(wanted)),
            Expr::SidePieces(side) => {
                let side = self.constant(*side)?;
                piece.owner.map(|owner| owner == side)
            }
            Expr::Occupied => (piece.kind.is_some() || piece.owner.is_some()).then_some(true),
            Expr::SetAnd(a, b) => match (self.known_in(piece, *a), self.known_in(piece, *b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::SetOr(a, b) => match (self.known_in(piece, *a), self.known_in(piece, *b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Expr::SetNot(a) => self.known_in(piece, *a).map(|in_it| !in_it),
            _ => None,
        }
    }

    /// What is known of every piece of a set.
    pub fn pieces_of(&self, set: ExprId) -> Piece {
        if !self.shapes.has(Shape::KnownPieces) {
            return Piece::default();
        }
        match self.rules.expr(set) {
            Expr::SidePieces(side) => Piece { owner: self.constant(*side), kind: None },
            Expr::KindPieces(kind) => {
                let kind = self.constant(*kind).and_then(|kind| usize::try_from(kind).ok());
                Piece { owner: None, kind: kind.filter(|&kind| kind < self.rules.kinds.len()) }
            }
            Expr::SetAnd(a, b) => {
                let (a, b) = (self.pieces_of(*a), self.pieces_of(*b));
                Piece { owner: a.owner.or(b.owner), kind: a.kind.or(b.kind) }
            }
            _ => Piece::default(),
        }
    }
}
