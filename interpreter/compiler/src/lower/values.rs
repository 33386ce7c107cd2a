//! Expressions: numbers and sets, known when lowered or left in a register.

use fullcourt_engine::ir::{Cmp, Expr, ExprId, Local, ZoneOf};
use fullcourt_engine::program::{Arg, Op, Reg};

use super::emit::{Emitter, Made};
use super::program::{Lower, Val};

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Int {
    /// Known when lowered.
    Const(i32),
    /// In a register.
    Reg(Reg),
}

/// A set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Known when lowered.
    Const([u64; 8]),
    /// In a register.
    Reg(Reg),
}

pub(super) const NOTHING: [u64; 8] = [0; 8];

pub(super) fn has(words: &[u64; 8], place: i32) -> bool {
    usize::try_from(place).is_ok_and(|place| place < 512 && words[place / 64] >> (place % 64) & 1 == 1)
}

pub(super) fn negated(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Eq => Cmp::Ne,
        Cmp::Ne => Cmp::Eq,
        Cmp::Lt => Cmp::Ge,
        Cmp::Le => Cmp::Gt,
        Cmp::Gt => Cmp::Le,
        Cmp::Ge => Cmp::Lt,
    }
}

pub(super) fn mirrored(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Lt => Cmp::Gt,
        Cmp::Le => Cmp::Ge,
        Cmp::Gt => Cmp::Lt,
        Cmp::Ge => Cmp::Le,
        same => same,
    }
}

impl Lower<'_> {
    /// A number in a register.
    pub fn in_reg(&mut self, value: Int) -> Made<Reg> {
        match value {
            Int::Reg(reg) => Ok(reg),
            Int::Const(k) => {
                let d = self.out.int()?;
                self.out.op(Op::Int { d, k })?;
                Ok(d)
            }
        }
    }

    /// A number into that register.
    pub fn into(&mut self, d: Reg, value: Int) -> Made<()> {
        match value {
            Int::Const(k) => self.out.op(Op::Int { d, k }),
            Int::Reg(a) if a == d => Ok(()),
            Int::Reg(a) => self.out.op(Op::Copy { d, a }),
        }
    }

    /// A set in a register.
    pub fn set_in_reg(&mut self, value: Set) -> Made<Reg> {
        match value {
            Set::Reg(reg) => Ok(reg),
            Set::Const(_) => {
                let d = self.out.set()?;
                self.set_into(d, value)?;
                Ok(d)
            }
        }
    }

    /// A set into that register.
    pub fn set_into(&mut self, d: Reg, value: Set) -> Made<()> {
        match value {
            Set::Const(words) => {
                let k = self.out.set_number(words)?;
                self.out.op(Op::Set { d, k })
            }
            Set::Reg(s) if s == d => Ok(()),
            Set::Reg(s) => self.out.op(Op::CopySet { d, s }),
        }
    }

    /// An operation that leaves a number in a fresh register.
    pub fn made(&mut self, op: impl FnOnce(Reg) -> Op) -> Made<Int> {
        let d = self.out.int()?;
        self.out.op(op(d))?;
        Ok(Int::Reg(d))
    }

    /// An operation that leaves a set in a fresh register.
    pub fn made_set(&mut self, op: impl FnOnce(Reg) -> Op) -> Made<Set> {
        let d = self.out.set()?;
        self.out.op(op(d))?;
        Ok(Set::Reg(d))
    }

    /// The number of an expression in a register.
    pub fn reg(&mut self, id: ExprId) -> Made<Reg> {
        let value = self.int(id)?;
        self.in_reg(value)
    }

    /// The set of an expression in a register.
    pub fn set_reg(&mut self, id: ExprId) -> Made<Reg> {
        let value = self.set(id)?;
        self.set_in_reg(value)
    }

    /// A name for a value.
    pub fn let_in(&mut self, local: Local, value: ExprId) -> Made<()> {
        let value = if self.is_set(value) { Val::Set(self.set(value)?) } else { Val::Int(self.int(value)?) };
        self.bind(local, value);
        Ok(())
    }

    /// Whether an expression is a set (of places or kinds).
    pub fn is_set(&self, id: ExprId) -> bool {
        match self.rules.expr(id) {
            Expr::Places(_)
            | Expr::Everywhere
            | Expr::Empty
            | Expr::Occupied
            | Expr::Zone(..)
            | Expr::Ranks(..)
            | Expr::Files(..)
            | Expr::SidePieces(_)
            | Expr::KindPieces(_)
            | Expr::TraitPieces(_)
            | Expr::Single(_)
            | Expr::Plane(_)
            | Expr::Kinds(_)
            | Expr::ReserveKinds(..)
            | Expr::SetAnd(..)
            | Expr::SetOr(..)
            | Expr::SetNot(_)
            | Expr::Those(..)
            | Expr::Path(..)
            | Expr::Geometry(..)
            | Expr::Between(..)
            | Expr::InFront(..)
            | Expr::Near(..) => true,
            Expr::Local(local) => matches!(self.local(*local), Val::Set(_)),
            Expr::If(_, a, _) => self.is_set(*a),
            // What a name stands for is not bound yet: the body tells by its own shape.
            Expr::Let(local, value, body) => match self.rules.expr(*body) {
                Expr::Local(inner) if inner == local => self.is_set(*value),
                _ => self.is_set(*body),
            },
            Expr::Plugin(function, _) => {
                let def = self.rules.plugin_fns.get(usize::from(*function));
                def.is_some_and(|def| def.signature.result == fullcourt_engine::hostcall::HostType::Squares)
            }
            _ => false,
        }
    }

    /// The value of an expression that is a number, a place, a side, a kind or a test.
    #[expect(clippy::too_many_lines, reason = "the dispatch table of expressions: one short arm for each")]
    pub fn int(&mut self, id: ExprId) -> Made<Int> {
        let rules = self.rules;
        if let Some(known) = self.constant(id) {
            return Ok(Int::Const(known));
        }
        match rules.expr(id) {
            Expr::Local(local) => match self.local(*local) {
                Val::Int(value) => Ok(value),
                Val::Set(_) => Ok(Int::Const(-1)),
            },
            Expr::Slot(slot) => {
                let slot = self.slot(*slot)?;
                self.made(|d| Op::Slot { d, slot })
            }
            Expr::SpanOwner(span) => {
                let slot = self.slot(rules.spans[span.ix()].owner)?;
                self.made(|d| Op::Slot { d, slot })
            }
            Expr::SlotOf(slot, side) => {
                let slot = self.slot(*slot)?;
                match self.int(*side)? {
                    Int::Const(side) => {
                        match u16::try_from(side).ok().filter(|&s| usize::from(s) < rules.sides.len()) {
                            Some(side) => self.made(|d| Op::Slot { d, slot: slot + side }),
                            None => Ok(Int::Const(0)),
                        }
                    }
                    Int::Reg(a) => self.made(|d| Op::SlotOf { d, slot, a }),
                }
            }
            Expr::Counter(counter, place) => {
                let (counter, a) = (self.small(counter.0)?, self.reg(*place)?);
                self.made(|d| Op::Counter { d, counter, a })
            }
            Expr::ReserveCount(reserve, side) => {
                let (reserve, a) = (self.small(reserve.0)?, self.reg(*side)?);
                self.made(|d| Op::ReserveCount { d, reserve, a })
            }
            Expr::Me => self.made(|d| Op::Me { d }),
            Expr::Winner => self.made(|d| Op::Winner { d }),
            Expr::Seen(id) => {
                let history = self.small(id.0)?;
                self.made(|d| Op::Seen { d, history })
            }
            Expr::Opponent(side) => {
                let a = self.reg(*side)?;
                self.made(|d| Op::Opponent { d, a })
            }
            Expr::Count(set) => {
                let set = self.set(*set)?;
                self.counted(set)
            }
            Expr::Arith(op, a, b) => {
                let (a, b) = (self.int(*a)?, self.int(*b)?);
                if let Some(known) = self.reckoned(*op, a, b) {
                    return Ok(Int::Const(known));
                }
                let (a, b) = (self.in_reg(a)?, self.in_reg(b)?);
                self.made(|d| Op::Arith { op: *op, d, a, b })
            }
            Expr::If(test, a, b) => {
                if let Some(known) = self.known(*test) {
                    return self.int(if known { *a } else { *b });
                }
                let d = self.out.int()?;
                let (other, end) = (self.out.label(), self.out.label());
                self.cond(*test, false, other)?;
                let value = self.int(*a)?;
                self.into(d, value)?;
                self.out.op(Op::Jump(Emitter::to(end)))?;
                self.out.place(other);
                let value = self.int(*b)?;
                self.into(d, value)?;
                self.out.place(end);
                Ok(Int::Reg(d))
            }
            Expr::Let(local, value, body) => {
                self.let_in(*local, *value)?;
                self.int(*body)
            }
            Expr::The(local, domain, keys) => self.the(*local, *domain, keys),
            Expr::Distance(a, b) => {
                let (a, b) = (self.reg(*a)?, self.reg(*b)?);
                self.made(|d| Op::Distance { d, a, b })
            }
            Expr::KindAt(place) => {
                let a = self.reg(*place)?;
                self.made(|d| Op::KindAt { d, a })
            }
            Expr::OwnerAt(place) => {
                let a = self.reg(*place)?;
                self.made(|d| Op::OwnerAt { d, a })
            }
            Expr::RankAt(place) => {
                let a = self.reg(*place)?;
                self.made(|d| Op::RankAt { d, a })
            }
            Expr::FileAt(place) => {
                let a = self.reg(*place)?;
                self.made(|d| Op::FileAt { d, a })
            }
            Expr::Plugin(function, args) => {
                let (function, args) = (*function, self.plugin_args(args)?);
                self.made(|d| Op::Plugin { d, function, args })
            }
            Expr::Recalled(_) => {
                self.out.op(Op::Give)?;
                Ok(Int::Const(-1))
            }
            // A test.
            _ => {
                if let Some(known) = self.known(id) {
                    return Ok(Int::Const(i32::from(known)));
                }
                let d = self.out.int()?;
                let end = self.out.label();
                self.out.op(Op::Int { d, k: 1 })?;
                self.cond(id, true, end)?;
                self.out.op(Op::Int { d, k: 0 })?;
                self.out.place(end);
                Ok(Int::Reg(d))
            }
        }
    }

    fn plugin_args(&mut self, args: &[ExprId]) -> Made<u16> {
        let mut out = Vec::with_capacity(args.len());
        for &arg in args {
            out.push(if self.is_set(arg) { Arg::Set(self.set_reg(arg)?) } else { Arg::Int(self.reg(arg)?) });
        }
        self.out.args(out)
    }

    /// The place of a set with the smallest keys.
    fn the(&mut self, local: Local, domain: ExprId, keys: &[ExprId]) -> Made<Int> {
        let best = self.out.int()?;
        let loop_set = self.out.set()?;
        let domain = self.set(domain)?;
        self.set_into(loop_set, domain)?;
        self.out.op(Op::Int { d: best, k: -1 })?;
        let (again, take, end) = (self.out.label(), self.out.label(), self.out.label());
        let place = self.out.int()?;
        let kept: Vec<Reg> = keys.iter().map(|_| self.out.int()).collect::<Made<_>>()?;
        if keys.is_empty() {
            self.out.op(Op::Next { d: best, s: loop_set, to: Emitter::to(end) })?;
            self.out.place(end);
            return Ok(Int::Reg(best));
        }
        self.out.place(again);
        self.out.op(Op::Next { d: place, s: loop_set, to: Emitter::to(end) })?;
        self.bind(local, Val::Int(Int::Reg(place)));
        let mut found = Vec::with_capacity(keys.len());
        for &key in keys {
            found.push(self.reg(key)?);
        }
        self.out.op(Op::IfCmpConst { cmp: Cmp::Eq, a: best, k: -1, to: Emitter::to(take) })?;
        for (&a, &b) in found.iter().zip(&kept) {
            self.out.op(Op::IfCmp { cmp: Cmp::Lt, a, b, to: Emitter::to(take) })?;
            self.out.op(Op::IfCmp { cmp: Cmp::Gt, a, b, to: Emitter::to(again) })?;
        }
        self.out.op(Op::Jump(Emitter::to(again)))?;
        self.out.place(take);
        for (&a, &d) in found.iter().zip(&kept) {
            self.out.op(Op::Copy { d, a })?;
        }
        self.out.op(Op::Copy { d: best, a: place })?;
        self.out.op(Op::Jump(Emitter::to(again)))?;
        self.out.place(end);
        Ok(Int::Reg(best))
    }

    /// The value of an expression that is a set.
    #[expect(clippy::too_many_lines, reason = "the dispatch table of expressions: one short arm for each")]
    pub fn set(&mut self, id: ExprId) -> Made<Set> {
        let rules = self.rules;
        match rules.expr(id) {
            Expr::Places(words) => Ok(Set::Const(**words)),
            Expr::Kinds(kinds) => Ok(Set::Const([*kinds, 0, 0, 0, 0, 0, 0, 0])),
            Expr::Everywhere => Ok(Set::Const(self.grid)),
            Expr::Empty => self.made_set(|d| Op::Empty { d }),
            Expr::Occupied => self.made_set(|d| Op::Occupied { d }),
            Expr::Local(local) => match self.local(*local) {
                Val::Set(value) => Ok(value),
                Val::Int(_) => Ok(Set::Const(NOTHING)),
            },
            Expr::Zone(zone, of) => {
                let table = &self.zones[zone.ix()];
                match of {
                    ZoneOf::All => Ok(Set::Const(table.all.0)),
                    ZoneOf::Written => Ok(Set::Const(table.written.0)),
                    ZoneOf::Side(side) => {
                        let side = self.int(*side)?;
                        self.zone_of(*zone, side)
                    }
                }
            }
            Expr::Ranks(a, b) => self.band(*a, *b, false),
            Expr::Files(a, b) => self.band(*a, *b, true),
            Expr::SidePieces(side) => match self.int(*side)? {
                Int::Const(side) => match usize::try_from(side) {
                    Ok(side) if side < rules.sides.len() => self.plane(rules.side_plane(side)),
                    _ => Ok(Set::Const(NOTHING)),
                },
                Int::Reg(a) => self.made_set(|d| Op::SideSet { d, a }),
            },
            Expr::KindPieces(kind) => match self.int(*kind)? {
                Int::Const(kind) => match usize::try_from(kind) {
                    Ok(kind) if kind < rules.kinds.len() => self.plane(rules.kind_plane(kind)),
                    _ => Ok(Set::Const(NOTHING)),
                },
                Int::Reg(a) => self.made_set(|d| Op::KindSet { d, a }),
            },
            Expr::TraitPieces(wanted) => {
                let mut all = Set::Const(NOTHING);
                for kind in (0..rules.kinds.len()).filter(|&kind| rules.kinds[kind].traits.contains(wanted)) {
                    let one = self.plane(rules.kind_plane(kind))?;
                    all = self.or(all, one)?;
                }
                Ok(all)
            }
            Expr::Single(place) => {
                let place = self.int(*place)?;
                self.single(place)
            }
            Expr::Plane(plane) => self.plane(*plane),
            Expr::ReserveKinds(reserve, side) => {
                let (reserve, a) = (self.small(reserve.0)?, self.reg(*side)?);
                self.made_set(|d| Op::ReserveKinds { d, reserve, a })
            }
            Expr::SetAnd(a, b) => {
                if let Some((a, without)) = self.rest_of(*a, *b) {
                    let (a, without) = (self.set(a)?, self.set(without)?);
                    return self.minus(a, without);
                }
                let a = self.set(*a)?;
                if a == Set::Const(NOTHING) && self.folds_sets() {
                    return Ok(a);
                }
                let b = self.set(*b)?;
                self.and(a, b)
            }
            Expr::SetOr(a, b) => {
                let (a, b) = (self.set(*a)?, self.set(*b)?);
                self.or(a, b)
            }
            Expr::SetNot(a) => {
                let a = self.set(*a)?;
                self.not(a)
            }
            Expr::If(test, a, b) => {
                if let Some(known) = self.known(*test) {
                    return self.set(if known { *a } else { *b });
                }
                let d = self.out.set()?;
                let (other, end) = (self.out.label(), self.out.label());
                self.cond(*test, false, other)?;
                let value = self.set(*a)?;
                self.set_into(d, value)?;
                self.out.op(Op::Jump(Emitter::to(end)))?;
                self.out.place(other);
                let value = self.set(*b)?;
                self.set_into(d, value)?;
                self.out.place(end);
                Ok(Set::Reg(d))
            }
            Expr::Let(local, value, body) => {
                self.let_in(*local, *value)?;
                self.set(*body)
            }
            Expr::Those(local, domain, test) => {
                let domain_id = *domain;
                let domain = self.set(*domain)?;
                if domain == Set::Const(NOTHING) && self.folds_sets() {
                    return Ok(domain);
                }
                let d = self.out.set()?;
                self.set_into(d, Set::Const(NOTHING))?;
                let end = self.out.label();
                let (place, again) = self.each(domain, end)?;
                self.bind(*local, Val::Int(Int::Reg(place)));
                let piece = self.pieces_of(domain_id);
                self.learn(*local, piece);
                self.cond(*test, false, again)?;
                self.out.op(Op::Insert { d, a: place })?;
                self.out.op(Op::Jump(Emitter::to(again)))?;
                self.out.place(end);
                Ok(Set::Reg(d))
            }
            Expr::Path(path, from, through) => self.path(*path, *from, *through),
            Expr::Geometry(geo, branch, place) => self.geometry(*geo, *branch, *place),
            Expr::Plugin(function, args) => {
                let (function, args) = (*function, self.plugin_args(args)?);
                self.made_set(|d| Op::Plugin { d, function, args })
            }
            Expr::Between(a, b) => {
                let (a, b) = (self.reg(*a)?, self.reg(*b)?);
                self.made_set(|d| Op::Between { d, a, b })
            }
            Expr::InFront(a, b) => {
                let (a, b) = (self.reg(*a)?, self.reg(*b)?);
                self.made_set(|d| Op::InFront { d, a, b })
            }
            Expr::Near(set, reach) => {
                let (s, a) = (self.set_reg(*set)?, self.reg(*reach)?);
                self.made_set(|d| Op::Near { d, s, a })
            }
            _ => Ok(Set::Const(NOTHING)),
        }
    }

    /// A plane of the position.
    pub fn plane(&mut self, plane: fullcourt_engine::ir::Plane) -> Made<Set> {
        let plane = u8::try_from(plane.0).map_err(|_| super::emit::Full)?;
        self.made_set(|d| Op::Plane { d, plane })
    }
}
