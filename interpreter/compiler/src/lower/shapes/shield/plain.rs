//! What the effects of an action do to who is reached: whether the shield holds for them.

use std::collections::HashMap;

use fullcourt_engine::ir::{Expr, ExprId, Local, Stmt, StmtId};

use crate::lower::program::{Lower, Piece};

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
}
