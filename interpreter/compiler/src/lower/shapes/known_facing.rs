//! Shape: a path that depends on the way a piece faces, from a place whose piece has a known side.
//!
//! Precondition: [`Lower::known_facing`]. Emits a `Path` that faces one way, in place of one that looks for the owner.

use fullcourt_engine::board::Leg;
use fullcourt_engine::ir::ExprId;

use super::Shape;
use crate::lower::paths::is_facing;
use crate::lower::program::Lower;

/// As operations have it: the way the piece's owner faces.
const BY_OWNER: u8 = 255;

impl Lower<'_> {
    /// Which way a path from a place is walked, as operations have it.
    pub fn facing_from(&self, legs: &[Leg], from: ExprId) -> u8 {
        // A path that does not face may go either way.
        if is_facing(legs) { self.known_facing(from).unwrap_or(BY_OWNER) } else { 0 }
    }

    fn known_facing(&self, from: ExprId) -> Option<u8> {
        let owner = self.piece_on(from).owner.filter(|_| self.shapes.has(Shape::KnownFacing))?;
        Some(self.facing(owner))
    }
}
