//! Shape: *does some piece of a side reach this place?* Instead of asking every piece where it goes, one goes back from the
//! place along each movement and looks for a piece that has it.
//!
//! Precondition: [`Lower::reach_of`]: every branch of the geometry is made of single legs that can be walked backwards, from the piece, through
//! squares that do not depend on it, without a condition; if a movement depends on the way a piece faces, all pieces asked
//! belong to one side that is known. Emits one path back for each movement that
//! some kind has.

use fullcourt_engine::board::{Directions, Leg, is_stopped};
use fullcourt_engine::ir::{Expr, ExprId, GeoId, Local};
use fullcourt_engine::program::{Op, Reg};

use super::Shape;
use crate::lower::emit::{Emitter, Label, Made};
use crate::lower::paths::is_facing;
use crate::lower::program::Lower;
use crate::lower::values::Set;

/// The question.
pub struct Reach {
    /// The pieces asked.
    pub domain: ExprId,
    /// The place.
    pub spot: ExprId,
    /// Movements with the kinds that have them, and what they go through.
    pub ways: Vec<Way>,
    /// The side of all pieces, if it is known.
    pub owner: Option<i32>,
}

/// A movement that some kinds have.
pub struct Way {
    /// Its leg.
    pub leg: Leg,
    /// What it goes through, if not through empty squares.
    pub through: Option<ExprId>,
    /// The kinds.
    pub kinds: Vec<usize>,
}

impl Lower<'_> {
    /// The question, if a condition is one and is to be asked backwards.
    pub fn asked_backwards(&self, set: ExprId) -> Option<Reach> {
        match *self.rules.expr(set) {
            Expr::Those(local, domain, test) if self.shapes.has(Shape::ReversedReach) => {
                self.reach_of(local, domain, test)
            }
            _ => None,
        }
    }

    /// Whether `some (those a in DOMAIN with SPOT in GEOMETRY of a)` is such a question.
    pub fn reach_of(&self, local: Local, domain: ExprId, test: ExprId) -> Option<Reach> {
        let Expr::InSet(spot, set) = *self.rules.expr(test) else { return None };
        let Expr::Geometry(geo, None, place) = *self.rules.expr(set) else { return None };
        if !matches!(self.rules.expr(place), Expr::Local(asked) if *asked == local) || self.mentions(spot, local) {
            return None;
        }
        let owner = self.pieces_of(domain).owner;
        let ways = self.ways_of(geo)?;
        let faces = ways.iter().any(|way| is_facing(std::slice::from_ref(&way.leg)));
        (!faces || owner.is_some()).then_some(Reach { domain, spot, ways, owner })
    }

    /// Which way a movement back is walked.
    pub fn facing_back(&self, reach: &Reach, back: &[Leg]) -> u8 {
        match reach.owner {
            Some(side) if is_facing(back) => {
                // A ride's ways were turned; steps ahead are those of a side that looks the other way.
                let ride = matches!(back, [Leg::Ride { .. }]);
                if ride { self.facing(side) } else { 1 - self.facing(side) }
            }
            _ => 0,
        }
    }

    /// The movements of a geometry over all kinds; `None` when one of them cannot be walked backwards.
    fn ways_of(&self, geo: GeoId) -> Option<Vec<Way>> {
        let mut ways: Vec<Way> = Vec::new();
        for kind in 0..self.rules.kinds.len() {
            self.ways_of_kind(kind, geo, &mut ways)?;
        }
        Some(ways)
    }

    /// Adds the movements of a geometry of a kind; `None` when one of them cannot be walked backwards.
    pub fn ways_of_kind(&self, kind: usize, geo: GeoId, ways: &mut Vec<Way>) -> Option<()> {
        for branch in &self.rules.kinds[kind].geometry[geo.ix()] {
            if branch.guard.is_some() {
                return None;
            }
            self.gather(branch.value, branch.it, kind, ways)?;
        }
        Some(())
    }

    fn gather(&self, value: ExprId, it: Local, kind: usize, ways: &mut Vec<Way>) -> Option<()> {
        match self.rules.expr(value) {
            Expr::SetOr(a, b) => {
                self.gather(*a, it, kind, ways)?;
                self.gather(*b, it, kind, ways)
            }
            Expr::Path(path, from, through) => {
                if !matches!(self.rules.expr(*from), Expr::Local(local) if *local == it) {
                    return None;
                }
                if through.is_some_and(|through| self.has_locals(through)) {
                    return None;
                }
                let [leg] = self.rules.paths[path.ix()].as_slice() else { return None };
                for leg in parts(leg) {
                    let known = ways.iter_mut().find(|way| way.leg == leg && way.through == *through);
                    match known {
                        Some(way) => way.kinds.push(kind),
                        None => ways.push(Way { leg, through: *through, kinds: vec![kind] }),
                    }
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Whether an expression has names, or the side that acts, in it.
    pub fn has_locals(&self, id: ExprId) -> bool {
        let mut found = false;
        crate::graph::refs::exprs_below(self.rules, id, &mut |expr| {
            found |= matches!(expr, Expr::Local(_) | Expr::Let(..) | Expr::Those(..) | Expr::The(..) | Expr::Me);
        });
        found
    }

    fn mentions(&self, id: ExprId, local: Local) -> bool {
        let mut found = false;
        crate::graph::refs::exprs_below(self.rules, id, &mut |expr| {
            found |= matches!(expr, Expr::Local(other) if *other == local);
        });
        found
    }

    /// Goes to a label if the place is reached, or is not.
    pub fn reached(&mut self, reach: &Reach, on: bool, to: Label) -> Made<()> {
        let end = self.out.label();
        let found = if on { to } else { end };
        let spot = self.int(reach.spot)?;
        let a = self.in_reg(spot)?;
        let domain = self.set(reach.domain)?;
        for way in &reach.ways {
            let mark = self.out.mark();
            let s = self.having(way, domain)?;
            let next = self.out.label();
            self.out.op(Op::IfEmpty { s, to: Emitter::to(next) })?;
            let back = vec![backwards(&way.leg)];
            let t = self.through(&back, way.through)?;
            let facing = self.facing_back(reach, &back);
            let path = self.path_number(back)?;
            let d = self.out.set()?;
            self.out.op(Op::Path { d, path, a, t, facing })?;
            self.out.op(Op::And { d, s: d, t: s })?;
            self.out.op(Op::IfSome { s: d, to: Emitter::to(found) })?;
            self.out.place(next);
            self.out.release(mark);
        }
        if !on {
            self.out.op(Op::Jump(Emitter::to(to)))?;
        }
        self.out.place(end);
        Ok(())
    }

    /// The pieces of a set whose kinds have a movement.
    pub fn having(&mut self, way: &Way, among: Set) -> Made<Reg> {
        let mut having = Set::Const([0; 8]);
        for &kind in &way.kinds {
            let one = self.plane(self.rules.kind_plane(kind))?;
            having = self.or(having, one)?;
        }
        let having = self.and(among, having)?;
        self.set_in_reg(having)
    }

    /// What a path goes through; a path that nothing stops asks for no register.
    pub fn through(&mut self, legs: &[Leg], through: Option<ExprId>) -> Made<Reg> {
        match through {
            _ if !is_stopped(legs) => Ok(0),
            Some(through) => self.set_reg(through),
            None => {
                let d = self.out.set()?;
                self.out.op(Op::Empty { d })?;
                Ok(d)
            }
        }
    }
}

/// A movement in any direction is one along lines and one along diagonals, which others may have, too.
fn parts(leg: &Leg) -> Vec<Leg> {
    match *leg {
        Leg::Steps { dirs: Directions::Any, min, max, free, turning } => {
            let steps = |dirs| Leg::Steps { dirs, min, max, free, turning };
            vec![steps(Directions::Straight), steps(Directions::Diagonal)]
        }
        ref other => vec![other.clone()],
    }
}

/// The same movement from its end to its beginning. Steps ahead become steps ahead of a side that looks the other way.
pub fn backwards(leg: &Leg) -> Leg {
    match leg {
        Leg::Ride { ways, min, max } => {
            Leg::Ride { ways: ways.iter().map(|(files, ranks)| (-files, -ranks)).collect(), min: *min, max: *max }
        }
        other => other.clone(),
    }
}
