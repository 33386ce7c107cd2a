//! Tests: jumps instead of values.

use fullcourt_engine::ir::{Cmp, Expr, ExprId};
use fullcourt_engine::program::Op;

use super::emit::{Emitter, Label, Made};
use super::program::Lower;
use super::values::{Int, NOTHING, Set, has, mirrored, negated};

impl Lower<'_> {
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
        if let Some(reach) = self.asked_backwards(set) {
            return self.reached(&reach, on, to);
        }
        if let Some(question) = self.asked_for_one(set) {
            return self.one_of(question, on, to);
        }
        let to = Emitter::to(to);
        match self.set(set)? {
            Set::Const(words) if self.folds_sets() => {
                if (words != NOTHING) == on {
                    self.out.op(Op::Jump(to))?;
                }
                Ok(())
            }
            set => {
                let s = self.set_in_reg(set)?;
                self.out.op(if on { Op::IfSome { s, to } } else { Op::IfEmpty { s, to } })
            }
        }
    }

    fn in_set(&mut self, a: Int, set: ExprId, on: bool, to: Label) -> Made<()> {
        let set = self.set(set)?;
        let label = Emitter::to(to);
        match (a, set) {
            (Int::Const(place), Set::Const(words)) if self.folds_sets() => {
                if has(&words, place) == on {
                    self.out.op(Op::Jump(label))
                } else {
                    Ok(())
                }
            }
            (_, Set::Const(NOTHING)) if self.folds_sets() => {
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
