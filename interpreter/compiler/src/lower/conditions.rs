//! Tests: jumps instead of values.

use fullcourt_engine::ir::{Cmp, Expr, ExprId};
use fullcourt_engine::program::Op;

use super::emit::{Emitter, Label, Made};
use super::program::{Lower, Piece, Val};
use super::values::{Int, NOTHING, Set, has, mirrored, negated};

impl Lower<'_> {
    /// Whether a test is known when lowered. Emits nothing that would be needed later.
    pub fn known(&self, id: ExprId) -> Option<bool> {
        match self.rules.expr(id) {
            Expr::Const(value) => Some(*value == 1),
            Expr::Not(a) => self.known(*a).map(|a| !a),
            Expr::And(a, b) => match (self.known(*a), self.known(*b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::Or(a, b) => match (self.known(*a), self.known(*b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Expr::Cmp(cmp, a, b) => match (self.constant(*a), self.constant(*b)) {
                (Some(a), Some(b)) => Some(cmp.holds(a, b)),
                _ => None,
            },
            Expr::Local(local) => match self.local(*local) {
                Val::Int(Int::Const(value)) => Some(value == 1),
                _ => None,
            },
            Expr::InSet(_, set) if self.is_nothing(*set) => Some(false),
            Expr::Some(set) if self.is_nothing(*set) => Some(false),
            Expr::InSet(place, set) => {
                let piece = self.piece_on(*place);
                self.known_in(piece, *set)
            }
            _ => None,
        }
    }

    /// Whether a set is known to be empty.
    fn is_nothing(&self, set: ExprId) -> bool {
        match self.rules.expr(set) {
            Expr::Places(words) => **words == NOTHING,
            Expr::Local(local) => self.local(*local) == Val::Set(Set::Const(NOTHING)),
            Expr::SetAnd(a, b) => self.is_nothing(*a) || self.is_nothing(*b),
            Expr::SetOr(a, b) => self.is_nothing(*a) && self.is_nothing(*b),
            Expr::Those(_, domain, _) => self.is_nothing(*domain),
            // A branch that the piece does not have.
            Expr::Geometry(geo, label, place) => {
                self.piece_on(*place).kind.is_some_and(|kind| !self.has_branch(kind, *geo, *label))
            }
            _ => false,
        }
    }

    /// Whether a piece of which something is known is in a set.
    pub fn known_in(&self, piece: Piece, set: ExprId) -> Option<bool> {
        let rules = self.rules;
        match rules.expr(set) {
            Expr::KindPieces(kind) => {
                let kind = self.constant(*kind).and_then(|kind| usize::try_from(kind).ok())?;
                piece.kind.map(|known| known == kind)
            }
            Expr::TraitPieces(wanted) => piece.kind.map(|kind| rules.kinds[kind].traits.contains(wanted)),
            Expr::SidePieces(side) => {
                let side = self.constant(*side)?;
                piece.owner.map(|owner| owner == side)
            }
            Expr::Occupied => (piece.kind.is_some() || piece.owner.is_some()).then_some(true),
            Expr::SetAnd(a, b) => match (self.known_in(piece, *a), self.known_in(piece, *b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::SetOr(a, b) => match (self.known_in(piece, *a), self.known_in(piece, *b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Expr::SetNot(a) => self.known_in(piece, *a).map(|in_it| !in_it),
            _ => None,
        }
    }

    /// What is known of every piece of a set.
    pub fn pieces_of(&self, set: ExprId) -> Piece {
        match self.rules.expr(set) {
            Expr::SidePieces(side) => Piece { owner: self.constant(*side), kind: None },
            Expr::KindPieces(kind) => {
                let kind = self.constant(*kind).and_then(|kind| usize::try_from(kind).ok());
                Piece { owner: None, kind: kind.filter(|&kind| kind < self.rules.kinds.len()) }
            }
            Expr::SetAnd(a, b) => {
                let (a, b) = (self.pieces_of(*a), self.pieces_of(*b));
                Piece { owner: a.owner.or(b.owner), kind: a.kind.or(b.kind) }
            }
            _ => Piece::default(),
        }
    }

    /// A number that is known when lowered.
    pub fn constant(&self, id: ExprId) -> Option<i32> {
        match self.rules.expr(id) {
            Expr::Const(value) => Some(*value),
            Expr::Option(option) => Some(self.options.get(option.ix()).copied().unwrap_or(0)),
            Expr::Me => self.me,
            Expr::Local(local) => match self.local(*local) {
                Val::Int(Int::Const(value)) => Some(value),
                _ => None,
            },
            Expr::Opponent(side) => {
                let sides = self.rules.sides.len();
                let side = usize::try_from(self.constant(*side)?).ok().filter(|&side| side < sides)?;
                i32::try_from((side + 1) % sides).ok()
            }
            Expr::OwnerAt(place) => self.piece_on(*place).owner,
            Expr::KindAt(place) => self.piece_on(*place).kind.and_then(|kind| i32::try_from(kind).ok()),
            _ => None,
        }
    }

    /// Goes to a label if a test comes out that way.
    pub fn cond(&mut self, id: ExprId, on: bool, to: Label) -> Made<()> {
        if let Some(known) = self.known(id) {
            if known == on {
                self.out.op(Op::Jump(Emitter::to(to)))?;
            }
            return Ok(());
        }
        match self.rules.expr(id) {
            Expr::Not(a) => self.cond(*a, !on, to),
            Expr::And(a, b) => self.both(*a, *b, on, to),
            Expr::Or(a, b) => {
                // Either holds unless both fail.
                if on {
                    self.cond(*a, true, to)?;
                    return self.cond(*b, true, to);
                }
                let skip = self.out.label();
                self.cond(*a, true, skip)?;
                self.cond(*b, false, to)?;
                self.out.place(skip);
                Ok(())
            }
            Expr::If(test, a, b) => {
                let (other, end) = (self.out.label(), self.out.label());
                self.cond(*test, false, other)?;
                self.cond(*a, on, to)?;
                self.out.op(Op::Jump(Emitter::to(end)))?;
                self.out.place(other);
                self.cond(*b, on, to)?;
                self.out.place(end);
                Ok(())
            }
            Expr::Let(local, value, body) => {
                self.let_in(*local, *value)?;
                self.cond(*body, on, to)
            }
            Expr::Some(set) => self.some(*set, on, to),
            Expr::InSet(place, set) => {
                let a = self.int(*place)?;
                self.in_set(a, *set, on, to)
            }
            Expr::InKinds(kind, kinds) => {
                let a = self.int(*kind)?;
                self.in_set(a, *kinds, on, to)
            }
            Expr::Cmp(cmp, a, b) => {
                let (a, b) = (self.int(*a)?, self.int(*b)?);
                let cmp = if on { *cmp } else { negated(*cmp) };
                let to = Emitter::to(to);
                match (a, b) {
                    (Int::Const(a), Int::Const(b)) => {
                        if cmp.holds(a, b) {
                            self.out.op(Op::Jump(to))
                        } else {
                            Ok(())
                        }
                    }
                    (Int::Reg(a), Int::Const(k)) => self.out.op(Op::IfCmpConst { cmp, a, k, to }),
                    (Int::Const(k), Int::Reg(a)) => self.out.op(Op::IfCmpConst { cmp: mirrored(cmp), a, k, to }),
                    (Int::Reg(a), Int::Reg(b)) => self.out.op(Op::IfCmp { cmp, a, b, to }),
                }
            }
            _ => {
                let a = self.int(id)?;
                let cmp = if on { Cmp::Eq } else { Cmp::Ne };
                match a {
                    Int::Const(value) if (value == 1) == on => self.out.op(Op::Jump(Emitter::to(to))),
                    Int::Const(_) => Ok(()),
                    Int::Reg(a) => self.out.op(Op::IfCmpConst { cmp, a, k: 1, to: Emitter::to(to) }),
                }
            }
        }
    }

    fn both(&mut self, a: ExprId, b: ExprId, on: bool, to: Label) -> Made<()> {
        if !on {
            self.cond(a, false, to)?;
            return self.cond(b, false, to);
        }
        let skip = self.out.label();
        self.cond(a, false, skip)?;
        self.cond(b, true, to)?;
        self.out.place(skip);
        Ok(())
    }

    fn some(&mut self, set: ExprId, on: bool, to: Label) -> Made<()> {
        // The first that passes the test suffices.
        if let Expr::Those(local, domain, test) = self.rules.expr(set) {
            if let Some(reach) = self.reach_of(*local, *domain, *test) {
                return self.reached(&reach, on, to);
            }
            let domain_id = *domain;
            let domain = self.set(*domain)?;
            let end = self.out.label();
            let (found, none) = if on { (to, end) } else { (end, to) };
            let (place, again) = self.each(domain, none)?;
            self.bind(*local, Val::Int(Int::Reg(place)));
            let piece = self.pieces_of(domain_id);
            self.learn(*local, piece);
            self.cond(*test, false, again)?;
            self.out.op(Op::Jump(Emitter::to(found)))?;
            self.out.place(end);
            return Ok(());
        }
        let to = Emitter::to(to);
        match self.set(set)? {
            Set::Const(words) if (words != NOTHING) == on => self.out.op(Op::Jump(to)),
            Set::Const(_) => Ok(()),
            Set::Reg(s) => self.out.op(if on { Op::IfSome { s, to } } else { Op::IfEmpty { s, to } }),
        }
    }

    fn in_set(&mut self, a: Int, set: ExprId, on: bool, to: Label) -> Made<()> {
        let set = self.set(set)?;
        let label = Emitter::to(to);
        match (a, set) {
            (Int::Const(place), Set::Const(words)) => {
                if has(&words, place) == on {
                    self.out.op(Op::Jump(label))
                } else {
                    Ok(())
                }
            }
            (_, Set::Const(NOTHING)) => {
                if on {
                    Ok(())
                } else {
                    self.out.op(Op::Jump(label))
                }
            }
            _ => {
                let (a, s) = (self.in_reg(a)?, self.set_in_reg(set)?);
                self.out.op(if on { Op::IfIn { a, s, to: label } } else { Op::IfOut { a, s, to: label } })
            }
        }
    }
}
