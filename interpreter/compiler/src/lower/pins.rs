//! Shape: *no piece of some set of mine may be reached after the action.* Where it is not reached before, an action that
//! only moves one piece, or only puts one down, can let somebody in only by leaving a line on which it stands between.
//!
//! Precondition, in code below: the only law that binds the action is `not some (those k in PIECES OF MINE with some (those
//! a in PIECES OF OTHERS with k in GEOMETRY of a))`, its sets are made of sides, kinds and traits alone, its movements can be
//! walked backwards through empty squares; and the effects leave every square as it was but for the one the piece leaves
//! and the one on which a piece of the same side stands then. Everything else is played and tested.

use std::collections::HashMap;

use fullcourt_engine::board::{Leg, is_stopped};
use fullcourt_engine::ir::{Cmp, Expr, ExprId, LawDef, Local, Stmt, StmtId};
use fullcourt_engine::program::{Op, Reg};

use super::emit::{Emitter, Made};
use super::program::{Lower, Piece, Val};
use super::reach::{Reach, backwards};
use super::shapes::is_facing;
use super::values::{Int, Set};

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

/// Whether an action needs no test unless somebody is reached already or a line is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plain {
    /// It does.
    No,
    /// It needs none, unless one of these tests holds, which the effects ask for, or a piece of one of these kinds (which
    /// may be guarded) is put down.
    Unless(Vec<ExprId>, Vec<ExprId>),
}

/// The effects of an action while they are looked through.
struct Look<'l> {
    who: Option<Local>,
    to: Local,
    names: HashMap<u32, ExprId>,
    /// Names for values of the position before any effect.
    early: Vec<Local>,
    /// Whether an effect has been passed.
    touched: bool,
    guarded: u64,
    /// Whether a piece of the side that acts stands on the last aim.
    stands: bool,
    /// Whether the piece has left its square (or there was none to leave).
    plain: bool,
    tests: &'l mut Vec<ExprId>,
    puts: &'l mut Vec<ExprId>,
}

impl Lower<'_> {
    /// Works out, once for a search, who is reached and which lines matter; `None` when the law is of another shape.
    pub fn shield(&mut self, law: &LawDef) -> Made<Option<Shield>> {
        let me = self.me;
        // The frame of the law stays in use: its names are numbers known by now.
        let found = self.aside(law.locals, |lower| {
            let Some((local, guarded, reach)) = lower.guarded(law.test) else { return Ok(None) };
            if lower.pieces_of(guarded).owner != me || me.is_none() || !lower.is_of_pieces(guarded) {
                return Ok(None);
            }
            if reach.owner.is_none() || reach.owner == me {
                return Ok(None);
            }
            // What stands between is known along files, ranks and diagonals alone, and only where a path that a piece stops
            // ends on that piece: not with a least number of steps.
            let rides = |way: &super::reach::Way| {
                is_stopped(std::slice::from_ref(&way.leg))
                    && matches!(way.leg, Leg::Ride { .. } | Leg::Steps { min: 2.., .. })
            };
            if reach.ways.iter().any(rides) {
                return Ok(None);
            }
            if !lower.is_of_pieces(reach.domain) || reach.ways.iter().any(|way| way.through.is_some()) {
                return Ok(None);
            }
            lower.lines(local, guarded, &reach).map(Some)
        })?;
        Ok(found)
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

    /// Whether the effects of an action are plain; `who` is its first aim if that is a piece of the side that acts, `to` its
    /// last.
    pub fn plain(&self, steps: &[StmtId], who: Option<(Local, Piece)>, to: Local, guarded: u64) -> Plain {
        // A piece that is guarded itself takes the question with it.
        if let Some((_, piece)) = who
            && piece.kind.is_none_or(|kind| guarded >> kind & 1 == 1)
        {
            return Plain::No;
        }
        let (mut tests, mut puts) = (Vec::new(), Vec::new());
        let mut look = Look {
            who: who.map(|(local, _)| local),
            to,
            names: HashMap::new(),
            early: Vec::new(),
            touched: false,
            guarded,
            stands: false,
            plain: true,
            tests: &mut tests,
            puts: &mut puts,
        };
        self.look(steps, &mut look);
        if look.plain && look.stands { Plain::Unless(tests, puts) } else { Plain::No }
    }

    fn look(&self, steps: &[StmtId], look: &mut Look<'_>) {
        for &step in steps {
            let quiet = matches!(self.rules.stmt(step), Stmt::Let(..) | Stmt::Choose(_) | Stmt::Need(..));
            match self.rules.stmt(step) {
                Stmt::Let(local, value) => {
                    look.names.insert(local.0, *value);
                    if !look.touched {
                        look.early.push(*local);
                    }
                }
                Stmt::If(arms, otherwise) => self.look_at_arms(arms, otherwise, look),
                Stmt::ForSides(..) => look.plain &= !self.moves_pieces(step),
                Stmt::For(local, domain, steps) => {
                    if self.is_within(*domain, look) {
                        // Only the place of the last aim is looked at, if any.
                        look.names.insert(local.0, *domain);
                        let stands = look.stands;
                        self.look_within(steps, *local, look);
                        look.stands = stands;
                    } else {
                        let moves = steps.iter().any(|&step| self.moves_pieces(step));
                        look.plain &= !moves;
                    }
                }
                Stmt::Move(from, to) => {
                    let leaves = matches!(self.rules.expr(*from), Expr::Local(local) if Some(*local) == look.who);
                    look.plain &= leaves && self.is_last(*to, look);
                    look.stands = true;
                }
                Stmt::Remove(square) => {
                    look.plain &= self.is_last(*square, look);
                    look.stands = false;
                }
                Stmt::Put(kind, side, on) => {
                    look.plain &= self.constant(*side) == self.me && self.is_last(*on, look);
                    look.stands = true;
                    match self.constant(*kind).and_then(|kind| u32::try_from(kind).ok()) {
                        Some(kind) => look.plain &= look.guarded.checked_shr(kind).unwrap_or(1) & 1 == 0,
                        // A choice, or a name for a value of the position before the effects.
                        None if matches!(self.rules.expr(*kind), Expr::Local(local)
                            if !look.names.contains_key(&local.0) || look.early.contains(local)) =>
                        {
                            look.puts.push(*kind);
                        }
                        None => look.plain = false,
                    }
                }
                Stmt::MoveEach(..) => look.plain = false,
                _ => {}
            }
            look.touched |= !quiet;
        }
    }

    fn look_at_arms(&self, arms: &[(ExprId, Vec<StmtId>)], otherwise: &[StmtId], look: &mut Look<'_>) {
        let changes = |steps: &[StmtId]| steps.iter().any(|&step| self.moves_pieces(step));
        for (test, steps) in arms {
            if !changes(steps) {
                continue;
            }
            // A test that no piece of this kind passes says nothing here.
            if self.never(*test, look) {
                continue;
            }
            // The test is asked before the effects: it must not see them.
            let early = matches!(self.rules.expr(*test), Expr::Local(local) if look.early.contains(local));
            look.plain &= early || !look.touched;
            look.tests.push(*test);
        }
        look.plain &= !changes(otherwise);
    }

    /// Whether a test cannot hold: it is known, or asks for a place in a branch that the piece does not have.
    fn never(&self, test: ExprId, look: &Look<'_>) -> bool {
        match self.rules.expr(test) {
            Expr::Local(local) => look.names.get(&local.0).is_some_and(|&value| self.never(value, look)),
            Expr::And(a, b) => self.never(*a, look) || self.never(*b, look),
            Expr::InSet(_, set) => match self.rules.expr(*set) {
                Expr::Geometry(geo, label @ Some(_), place) => {
                    self.piece_on(*place).kind.is_some_and(|kind| !self.has_branch(kind, *geo, *label))
                }
                _ => false,
            },
            Expr::Const(value) => *value != 1,
            _ => false,
        }
    }

    /// Whether an expression is the place of the last aim.
    fn is_last(&self, id: ExprId, look: &Look<'_>) -> bool {
        match self.rules.expr(id) {
            Expr::Local(local) if *local == look.to => true,
            Expr::Local(local) => {
                look.names.get(&local.0).is_some_and(|&value| value != id && self.is_last(value, look))
            }
            _ => false,
        }
    }

    /// Whether a set has at most the place of the last aim.
    fn is_within(&self, id: ExprId, look: &Look<'_>) -> bool {
        match self.rules.expr(id) {
            Expr::Single(place) => self.is_last(*place, look),
            Expr::Local(local) => {
                look.names.get(&local.0).is_some_and(|&value| value != id && self.is_within(value, look))
            }
            Expr::SetAnd(a, b) => self.is_within(*a, look) || self.is_within(*b, look),
            _ => false,
        }
    }

    /// Statements for the place of the last aim alone: who stands there may go.
    fn look_within(&self, steps: &[StmtId], place: Local, look: &mut Look<'_>) {
        for &step in steps {
            match self.rules.stmt(step) {
                Stmt::Remove(square) => {
                    look.plain &= matches!(self.rules.expr(*square), Expr::Local(local) if *local == place);
                }
                _ => look.plain &= !self.moves_pieces(step),
            }
        }
    }

    /// The tests that send an aim to the full test; names that they need are worked out first.
    pub fn special(&mut self, steps: &[StmtId], tests: &[ExprId], to: super::emit::Label) -> Made<()> {
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
    pub fn unshielded(&mut self, shield: &Shield, who: Option<Reg>, to: super::emit::Label) -> Made<()> {
        self.out.op(Op::IfCmpConst { cmp: Cmp::Eq, a: shield.reached, k: 1, to: Emitter::to(to) })?;
        if let Some(a) = who {
            self.out.op(Op::IfIn { a, s: shield.lines, to: Emitter::to(to) })?;
        }
        Ok(())
    }
}
