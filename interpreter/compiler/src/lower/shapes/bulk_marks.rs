//! Shape: `for x in SET { mark x as M }`, with any number of such statements.
//!
//! Precondition: [`Lower::marks_alone`]. Each turn touches the marks of its own place only, and who stands where does not
//! change: so the turns do not see each other, and statement by statement for the whole set comes to the same. Emits one
//! `Mark` or `Unmark` of the set for each statement.

use fullcourt_engine::ir::{Expr, Local, Stmt, StmtId};
use fullcourt_engine::program::Op;

use super::Shape;
use crate::lower::emit::{Full, Made};
use crate::lower::program::Lower;
use crate::lower::values::Set;

impl Lower<'_> {
    /// Whether all that steps do is to mark and unmark the place of that name.
    pub fn marks_alone(&self, local: Local, steps: &[StmtId]) -> bool {
        let of_it = |step: &StmtId| match self.rules.stmt(*step) {
            Stmt::Mark(_, squares, _) => match self.rules.expr(*squares) {
                Expr::Single(place) => matches!(self.rules.expr(*place), Expr::Local(it) if *it == local),
                _ => false,
            },
            _ => false,
        };
        self.shapes.has(Shape::BulkMarks) && !steps.is_empty() && steps.iter().all(of_it)
    }

    /// The marks of such steps for a whole set.
    pub fn marks_of_set(&mut self, steps: &[StmtId], domain: Set) -> Made<()> {
        let s = self.set_in_reg(domain)?;
        for &step in steps {
            if let Stmt::Mark(plane, _, on) = self.rules.stmt(step) {
                let plane = u8::try_from(plane.0).map_err(|_| Full)?;
                self.out.op(if *on { Op::Mark { plane, s } } else { Op::Unmark { plane, s } })?;
            }
        }
        Ok(())
    }
}
