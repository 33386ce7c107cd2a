//! Shape: *no piece of some set of mine may be reached after the action.* Where it is not reached before, an action that
//! only moves one piece, or only puts one down, can let somebody in only by leaving a line on which it stands between.
//!
//! Precondition: [`Lower::shields`] for the law, [`Lower::plain`] for the effects: the only law that binds the action is `not some (those k in PIECES OF MINE with some (those
//! a in PIECES OF OTHERS with k in GEOMETRY of a))`, its sets are made of sides, kinds and traits alone, its movements can be
//! walked backwards through empty squares; and the effects leave every square as it was but for the one the piece leaves
//! and the one on which a piece of the same side stands then.
//!
//! Emits, once for a search, code that gathers those lines; then aims are given out as a whole set, or tested for what is
//! special alone. Everything else is played and tested.

mod plain;
mod search;

use fullcourt_engine::board::{Leg, is_stopped};
use fullcourt_engine::ir::{Cmp, Expr, ExprId, LawDef, Local, Stmt, StmtId};
use fullcourt_engine::program::{Op, Reg};

use super::Shape;
use super::reversed_reach::{Reach, Way, backwards};
use crate::lower::emit::{Emitter, Label, Made};
use crate::lower::program::{Lower, Piece, Val};
use crate::lower::values::{Int, Set};

pub use plain::Plain;

/// What is worked out once for all actions of a position.
#[derive(Clone, Copy, Debug)]
pub struct Shield {
    /// 1 if one of mine is reached already.
    pub reached: Reg,
    /// Squares that a piece may not leave without a test.
    pub lines: Reg,
    /// The kinds whose pieces may not be reached.
    pub guarded: u64,
}

impl Lower<'_> {
    /// Works out, once for a search, who is reached and which lines matter; `None` when the law is of another shape.
    pub fn shield(&mut self, law: &LawDef) -> Made<Option<Shield>> {
        if !self.shapes.has(Shape::Shield) {
            return Ok(None);
        }
        // The frame of the law stays in use: its names are numbers known by now.
        let found = self.aside(law.locals, |lower| {
            let Some((local, guarded, reach)) = lower.guarded(law.test) else { return Ok(None) };
            if !lower.shields(guarded, &reach) {
                return Ok(None);
            }
            lower.lines(local, guarded, &reach).map(Some)
        })?;
        Ok(found)
    }

    /// Whether a law that asks whether others reach pieces of a set can be settled by lines.
    fn shields(&self, guarded: ExprId, reach: &Reach) -> bool {
        let mine = self.me.is_some() && self.pieces_of(guarded).owner == self.me;
        let others = reach.owner.is_some() && reach.owner != self.me;
        // What stands between is known along files, ranks and diagonals alone, and only where a path that a piece stops
        // ends on that piece: not with a least number of steps.
        let odd = |way: &Way| {
            is_stopped(std::slice::from_ref(&way.leg))
                && matches!(way.leg, Leg::Ride { .. } | Leg::Steps { min: 2.., .. })
        };
        let lines = !reach.ways.iter().any(|way| odd(way) || way.through.is_some());
        mine && others && lines && self.is_of_pieces(guarded) && self.is_of_pieces(reach.domain)
    }

    /// `not some (those k in D with some (those a in E with k in GEOMETRY of a))`, names with known values left out.
    fn guarded(&mut self, test: ExprId) -> Option<(Local, ExprId, Reach)> {
        let Expr::Not(inner) = *self.rules.expr(test) else { return None };
        let some = self.peel(inner)?;
        let Expr::Some(those) = *self.rules.expr(some) else { return None };
        let Expr::Those(local, domain, inner) = *self.rules.expr(those) else { return None };
        let some = self.peel(inner)?;
        let Expr::Some(those) = *self.rules.expr(some) else { return None };
        let Expr::Those(asked, others, test) = *self.rules.expr(those) else { return None };
        let reach = self.reach_of(asked, others, test)?;
        let on_it = matches!(self.rules.expr(reach.spot), Expr::Local(spot) if *spot == local);
        on_it.then_some((local, domain, reach))
    }

    /// What stands behind names for values that are known.
    fn peel(&mut self, mut id: ExprId) -> Option<ExprId> {
        while let Expr::Let(local, value, body) = *self.rules.expr(id) {
            let value = self.constant(value)?;
            self.bind(local, Val::Int(Int::Const(value)));
            id = body;
        }
        Some(id)
    }

    /// Whether a set is made of sides, kinds and traits alone: then it changes only when pieces do.
    fn is_of_pieces(&self, id: ExprId) -> bool {
        match self.rules.expr(id) {
            Expr::SidePieces(side) => self.constant(*side).is_some(),
            Expr::KindPieces(kind) => self.constant(*kind).is_some(),
            Expr::TraitPieces(_) => true,
            Expr::SetAnd(a, b) | Expr::SetOr(a, b) => self.is_of_pieces(*a) && self.is_of_pieces(*b),
            _ => false,
        }
    }

    fn lines(&mut self, local: Local, guarded: ExprId, reach: &Reach) -> Made<Shield> {
        let rules = self.rules;
        let may_be = |kind: &usize| {
            let piece = Piece { owner: self.me, kind: Some(*kind) };
            self.known_in(piece, guarded) != Some(false)
        };
        let guarded_kinds = (0..rules.kinds.len()).filter(may_be).fold(0u64, |mask, kind| mask | 1 << kind);
        let (reached, lines) = (self.out.int()?, self.out.set()?);
        self.out.op(Op::Int { d: reached, k: 0 })?;
        self.set_into(lines, Set::Const([0; 8]))?;
        let mark = self.out.mark();
        let (empty, own) = (self.out.set()?, self.out.set()?);
        self.out.op(Op::Empty { d: empty })?;
        let side = usize::try_from(self.me.unwrap_or(0)).unwrap_or(0);
        let mine = self.plane(rules.side_plane(side))?;
        self.set_into(own, mine)?;
        let others = self.set_reg(reach.domain)?;
        let domain = self.set(guarded)?;
        let end = self.out.label();
        let (place, again) = self.each(domain, end)?;
        self.bind(local, Val::Int(Int::Reg(place)));
        for way in &reach.ways {
            let inner = self.out.mark();
            let t = self.having(way, Set::Reg(others))?;
            let (next, clear) = (self.out.label(), self.out.label());
            self.out.op(Op::IfEmpty { s: t, to: Emitter::to(next) })?;
            let back = vec![backwards(&way.leg)];
            let facing = self.facing_back(reach, &back);
            let stopped = is_stopped(&back);
            let path = self.path_number(back)?;
            let (near, hit) = (self.out.set()?, self.out.set()?);
            self.out.op(Op::Path { d: near, path, a: place, t: empty, facing })?;
            self.out.op(Op::And { d: hit, s: near, t })?;
            self.out.op(Op::IfEmpty { s: hit, to: Emitter::to(clear) })?;
            self.out.op(Op::Int { d: reached, k: 1 })?;
            self.out.place(clear);
            if stopped {
                // Beyond my own pieces: who would come through if one of them left?
                let (open, far) = (self.out.set()?, self.out.set()?);
                self.out.op(Op::And { d: open, s: near, t: own })?;
                self.out.op(Op::IfEmpty { s: open, to: Emitter::to(next) })?;
                self.out.op(Op::Or { d: open, s: open, t: empty })?;
                self.out.op(Op::Path { d: far, path, a: place, t: open, facing })?;
                self.out.op(Op::Minus { d: far, s: far, t: near })?;
                self.out.op(Op::And { d: far, s: far, t })?;
                let (more, one, line) = (self.out.label(), self.out.int()?, self.out.set()?);
                self.out.place(more);
                self.out.op(Op::Next { d: one, s: far, to: Emitter::to(next) })?;
                self.out.op(Op::Between { d: line, a: place, b: one })?;
                self.out.op(Op::Or { d: lines, s: lines, t: line })?;
                self.out.op(Op::Jump(Emitter::to(more)))?;
            }
            self.out.place(next);
            self.out.release(inner);
        }
        self.out.op(Op::Jump(Emitter::to(again)))?;
        self.out.place(end);
        self.out.release(mark);
        Ok(Shield { reached, lines, guarded: guarded_kinds })
    }

    /// The tests that send an aim to the full test; names that they need are worked out first.
    pub fn special(&mut self, steps: &[StmtId], tests: &[ExprId], to: Label) -> Made<()> {
        let mut touched = false;
        for &step in steps {
            match self.rules.stmt(step) {
                Stmt::Let(local, value) if !touched => self.let_in(*local, *value)?,
                Stmt::If(arms, _) => {
                    for (test, _) in arms.iter().filter(|(test, _)| tests.contains(test)) {
                        self.cond(*test, true, to)?;
                    }
                    touched = true;
                }
                Stmt::Let(..) | Stmt::Choose(_) | Stmt::Need(..) => {}
                _ => touched = true,
            }
        }
        Ok(())
    }

    /// Goes to a label if the shield does not hold for a piece.
    pub fn unshielded(&mut self, shield: &Shield, who: Option<Reg>, to: Label) -> Made<()> {
        self.out.op(Op::IfCmpConst { cmp: Cmp::Eq, a: shield.reached, k: 1, to: Emitter::to(to) })?;
        if let Some(a) = who {
            self.out.op(Op::IfIn { a, s: shield.lines, to: Emitter::to(to) })?;
        }
        Ok(())
    }
}
