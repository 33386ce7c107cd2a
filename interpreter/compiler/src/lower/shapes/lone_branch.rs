//! Shape: a geometry of a kind that has one branch without a condition.
//!
//! Precondition: [`Lower::lone_branch`]. Emits the branch alone: nothing is gathered, and no branch before it takes
//! anything away.

use fullcourt_engine::ir::{Branch, GeoId};

use super::Shape;
use crate::lower::program::Lower;

impl<'r> Lower<'r> {
    /// The only branch of a geometry of a kind, if it has no condition.
    pub fn lone_branch(&self, kind: usize, geo: GeoId) -> Option<&'r Branch> {
        match self.rules.kinds[kind].geometry[geo.ix()].as_slice() {
            [only] if only.guard.is_none() && self.shapes.has(Shape::LoneBranch) => Some(only),
            _ => None,
        }
    }
}
