//! Shape: a piece is chosen that must reach a place which is known before: `choose who in …`, `need PLACE in moves of who`.
//! Instead of asking each piece where it goes, one goes back from the place once and leaves out those that do not lie there.
//!
//! Precondition: [`Lower::needed`]: the kind of the piece is known, nothing changes before the condition, the place is
//! told by no name, and the kind's movements can be walked backwards without a condition. Emits the paths back; the condition
//! itself is still asked, so pieces may only be left out too rarely.

use fullcourt_engine::ir::{Expr, ExprId, Local, Stmt, StmtId};
use fullcourt_engine::program::{Op, Reg};

use super::Shape;
use super::reversed_reach::{Reach, Way, backwards};
use crate::lower::emit::{Emitter, Made};
use crate::lower::paths::is_facing;
use crate::lower::program::{Lower, Piece};
use crate::lower::values::Set;

impl Lower<'_> {
    /// The place that a chosen piece must reach by the steps that follow, with the movements of its kind.
    pub fn needed(&self, rest: &[StmtId], who: Local, piece: Piece, domain: ExprId) -> Option<Reach> {
        let kind = piece.kind.filter(|_| self.shapes.has(Shape::NeededReach))?;
        for &step in rest {
            match self.rules.stmt(step) {
                Stmt::Let(..) => {}
                Stmt::Need(test, ..) => {
                    if let Some(reach) = self.needed_by(*test, who, (kind, piece.owner), domain) {
                        return Some(reach);
                    }
                }
                _ => return None,
            }
        }
        None
    }

    fn needed_by(
        &self,
        test: ExprId,
        who: Local,
        (kind, owner): (usize, Option<i32>),
        domain: ExprId,
    ) -> Option<Reach> {
        match *self.rules.expr(test) {
            Expr::And(a, b) => {
                let first = self.needed_by(a, who, (kind, owner), domain);
                first.or_else(|| self.needed_by(b, who, (kind, owner), domain))
            }
            Expr::InSet(spot, set) if !self.has_locals(spot) => {
                let ways = self.ways_within(set, who, kind)?;
                let faces = ways.iter().any(|way| is_facing(std::slice::from_ref(&way.leg)));
                (!faces || owner.is_some()).then_some(Reach { domain, spot, ways, owner })
            }
            _ => None,
        }
    }

    /// The movements of a kind if a set lies within where its piece goes.
    fn ways_within(&self, set: ExprId, who: Local, kind: usize) -> Option<Vec<Way>> {
        match *self.rules.expr(set) {
            Expr::SetAnd(a, b) => self.ways_within(a, who, kind).or_else(|| self.ways_within(b, who, kind)),
            Expr::Geometry(geo, None, place) => {
                let is_who = matches!(self.rules.expr(place), Expr::Local(asked) if *asked == who);
                if !is_who {
                    return None;
                }
                let mut ways = Vec::new();
                self.ways_of_kind(kind, geo, &mut ways)?;
                Some(ways)
            }
            _ => None,
        }
    }

    /// Leaves those out of a set of pieces from which the place is not reached.
    pub fn leave_out(&mut self, among: Reg, reach: &Reach) -> Made<()> {
        let mark = self.out.mark();
        let end = self.out.label();
        self.out.op(Op::IfEmpty { s: among, to: Emitter::to(end) })?;
        let spot = self.int(reach.spot)?;
        let a = self.in_reg(spot)?;
        let all = self.out.set()?;
        if reach.ways.is_empty() {
            self.set_into(all, Set::Const([0; 8]))?;
        }
        for (number, way) in reach.ways.iter().enumerate() {
            let back = vec![backwards(&way.leg)];
            let t = self.through(&back, way.through)?;
            let facing = self.facing_back(reach, &back);
            let path = self.path_number(back)?;
            if number == 0 {
                self.out.op(Op::Path { d: all, path, a, t, facing })?;
            } else {
                let d = self.out.set()?;
                self.out.op(Op::Path { d, path, a, t, facing })?;
                self.out.op(Op::Or { d: all, s: all, t: d })?;
            }
        }
        self.out.op(Op::And { d: among, s: among, t: all })?;
        self.out.place(end);
        self.out.release(mark);
        Ok(())
    }
}
