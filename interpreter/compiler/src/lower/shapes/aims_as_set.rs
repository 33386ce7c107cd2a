//! Shape: the last choice of an action whose aims nothing tests any more.
//!
//! Precondition: [`Lower::is_untested`]. Emits the group of the whole set, without a loop over it.

use fullcourt_engine::ir::{Stmt, StmtId};

use super::Shape;
use crate::lower::program::Lower;

impl Lower<'_> {
    /// Whether each aim of a choice is legal as it is: `rest` are the steps between it and the effects.
    pub fn is_untested(&self, rest: &[StmtId], lawful: bool) -> bool {
        let quiet = |step: &StmtId| matches!(self.rules.stmt(*step), Stmt::Let(..));
        self.shapes.has(Shape::AimsAsSet) && !lawful && rest.iter().all(quiet)
    }
}
