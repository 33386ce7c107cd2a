//! Shape: the first aim of an action is a piece of the side that acts, and the rest asks for movements of that piece.
//!
//! Precondition: [`Lower::splits`] where aims are looked for, [`Lower::split_of`] where the action is carried out. Emits the
//! code once for each kind that the piece may have: tests of its kind and branches that the kind does not have are gone.

use fullcourt_engine::ir::{Choice, Expr, Local, Stmt, StmtId, Ty};
use fullcourt_engine::program::Op;

use super::Shape;
use crate::lower::effects::Search;
use crate::lower::emit::{Emitter, Full, Label, Made};
use crate::lower::program::{Lower, Piece};
use crate::lower::values::Set;

impl<'r> Lower<'r> {
    /// Whether there is code for each kind of a piece that is chosen; `steps` are those that follow.
    pub fn splits(&self, piece: Piece, steps: &[StmtId], local: Local) -> bool {
        let one_side = piece.owner.is_some() && piece.kind.is_none();
        self.shapes.has(Shape::ByKind) && one_side && self.asks_kind(steps, local)
    }

    /// The first choice and what is known of its piece, if the effects have code for each kind: no piece has moved before.
    pub fn split_of(&self, steps: &'r [StmtId]) -> Option<(&'r Choice, Piece)> {
        let (index, choice) = steps.iter().enumerate().find_map(|(index, &step)| match self.rules.stmt(step) {
            Stmt::Choose(choice) => Some((index, choice)),
            _ => None,
        })?;
        let untouched = steps[..index].iter().all(|&step| !self.moves_pieces(step));
        if !self.shapes.has(Shape::ByKind) || choice.ty != Ty::Square || !untouched {
            return None;
        }
        let piece = self.pieces_of(choice.domain);
        (piece.owner.is_some() && self.asks_kind(steps, choice.local)).then_some((choice, piece))
    }

    /// Whether steps ask for the kind of the piece on a place.
    fn asks_kind(&self, steps: &[StmtId], local: Local) -> bool {
        let mut exprs = Vec::new();
        crate::graph::refs::stmts_below(self.rules, steps, &mut |_, stmt| {
            exprs.extend(crate::graph::refs::exprs_of(stmt));
        });
        let mut asks = false;
        for id in exprs {
            crate::graph::refs::exprs_below(self.rules, id, &mut |expr| {
                if let Expr::Geometry(.., place) = expr {
                    asks |= matches!(self.rules.expr(*place), Expr::Local(asked) if *asked == local);
                }
            });
        }
        asks
    }

    /// Looks for aims kind by kind.
    pub fn choose_by_kind(
        &mut self,
        search: &mut Search<'_>,
        (choice, at): (&Choice, usize),
        domain: Set,
        piece: Piece,
    ) -> Made<()> {
        let all = self.set_in_reg(domain)?;
        for kind in 0..self.rules.kinds.len() {
            let piece = Piece { kind: Some(kind), ..piece };
            if self.known_in(piece, choice.domain) == Some(false) {
                continue;
            }
            let mark = self.out.mark();
            let one = self.plane(self.rules.kind_plane(kind))?;
            let some = self.and(Set::Reg(all), one)?;
            self.choose_from(search, choice, at, (some, piece))?;
            self.out.release(mark);
        }
        Ok(())
    }

    /// Effects by the kind of the first aim, which is in register 0.
    pub fn play_by_kind(&mut self, steps: &[StmtId], choice: &Choice, piece: Piece) -> Made<()> {
        let table = u16::try_from(self.out.program.switches.len()).map_err(|_| Full)?;
        let labels: Vec<Label> = (0..=self.rules.kinds.len()).map(|_| self.out.label()).collect();
        self.out.program.switches.push(labels.iter().map(|label| Emitter::to(*label)).collect());
        self.out.op(Op::Switch { a: 0, table })?;
        let mark = self.out.mark();
        for (kind, label) in labels.into_iter().enumerate() {
            self.out.release(mark);
            self.out.place(label);
            if kind == self.rules.kinds.len() {
                return self.out.op(Op::Nobody);
            }
            self.forget();
            self.learn(choice.local, Piece { kind: Some(kind), ..piece });
            self.effects(steps, false)?;
            self.out.op(Op::End)?;
        }
        Ok(())
    }
}
