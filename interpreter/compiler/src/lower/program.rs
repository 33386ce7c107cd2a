//! From rules to a program: the rules are worked out as far as the options, the side that acts and the kind of a piece
//! tell, and what is left becomes operations.

use fullcourt_engine::board::{Facing, Leg};
use fullcourt_engine::game::{Game, ZoneTable};
use fullcourt_engine::ir::{Expr, ExprId, GeoId, Local, PathId, Rules, Slot, TriggerKind};
use fullcourt_engine::program::{ActionCode, Init, Op, Program, RuleCode};

use super::emit::{Emitter, Full, Made};
use super::shapes::Shapes;
use super::values::{Int, Set};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Val {
    /// A number, place, side, kind or test.
    Int(Int),
    /// A set.
    Set(Set),
}

/// What is known of the piece on a place that a name stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Its side.
    pub owner: Option<i32>,
    /// Its kind.
    pub kind: Option<usize>,
}

/// Lowering under way.
pub struct Lower<'r> {
    /// The rules.
    pub rules: &'r Rules,
    /// The values of all options.
    pub options: &'r [i32],
    /// Zones with their squares.
    pub zones: &'r [ZoneTable<8>],
    /// The grid's places.
    pub grid: [u64; 8],
    /// All places.
    pub all: [u64; 8],
    /// The code.
    pub out: Emitter,
    /// The side that acts, if it is known.
    pub me: Option<i32>,
    /// What is done in a shorter way.
    pub shapes: Shapes,
    locals: Vec<Option<Val>>,
    pieces: Vec<Piece>,
}

/// The program of a game: its rules, with the values of its options. `None` when it would become too large; the walker
/// plays then.
#[must_use]
pub fn program(game: &Game<8>) -> Option<Program> {
    program_with(game, Shapes::default())
}

/// The same with these shapes alone: what it means does not depend on them.
#[must_use]
pub fn program_with(game: &Game<8>, shapes: Shapes) -> Option<Program> {
    if game.rules.spans.len() > fullcourt_engine::program::machine::MAX_SPANS {
        return None;
    }
    let mut lower = Lower {
        rules: &game.rules,
        options: &game.options,
        zones: &game.zones,
        grid: game.grid.0,
        all: game.all.0,
        out: Emitter::default(),
        me: None,
        shapes,
        locals: Vec::new(),
        pieces: Vec::new(),
    };
    lower.out.program.paths.clone_from(&game.rules.paths);
    lower.out.program.without = shapes.machine();
    lower.everything().ok()?;
    lower.out.finish().ok()
}

impl Lower<'_> {
    fn everything(&mut self) -> Made<()> {
        let rules = self.rules;
        let sides = i32::try_from(rules.sides.len()).map_err(|_| Full)?;
        for index in 0..rules.actions.len() {
            let mut codes = Vec::new();
            for side in 0..sides {
                self.me = Some(side);
                let find = self.find(index)?;
                let play = self.play(index)?;
                let action = &rules.actions[index];
                codes.push(ActionCode { find, play, aims: u8::try_from(action.aims.len()).map_err(|_| Full)? });
            }
            self.out.program.actions.push(codes);
        }
        self.me = None;
        for index in 0..rules.rules.len() {
            let code = self.rule(index)?;
            self.out.program.rules.push(code);
        }
        for phase in &rules.phases {
            let entry = self.number(phase.side)?;
            self.out.program.phase_sides.push(entry);
        }
        for latch in &rules.latches {
            let entry = self.number(latch.when)?;
            self.out.program.latches.push(entry);
        }
        for span in 0..rules.spans.len() {
            let mut inits = Vec::new();
            for (slot, def) in (0u16..).zip(&rules.slots).skip(fullcourt_engine::ir::Fixed::COUNT) {
                if def.span.ix() != span || def.name.is_empty() {
                    continue;
                }
                let init = match rules.expr(def.init) {
                    Expr::Const(value) => Init::Const(match def.ty {
                        fullcourt_engine::ir::SlotTy::Number(range) => (*value).clamp(range.low, range.high),
                        _ => *value,
                    }),
                    _ => Init::Code(self.number(def.init)?),
                };
                inits.push((slot, init));
            }
            self.out.program.inits.push(inits);
        }
        Ok(())
    }

    /// Begins a piece of code with a frame of so many values.
    pub fn begin(&mut self, locals: usize) -> u32 {
        self.out.release((0, 0));
        self.frame(locals);
        self.out.here()
    }

    fn frame(&mut self, locals: usize) {
        self.locals.clear();
        self.locals.resize(locals, None);
        self.pieces.clear();
        self.pieces.resize(locals, Piece::default());
    }

    /// What is known of the piece on a place.
    pub fn piece_on(&self, place: ExprId) -> Piece {
        match self.rules.expr(place) {
            Expr::Local(local) => self.pieces.get(local.ix()).copied().unwrap_or_default(),
            _ => Piece::default(),
        }
    }

    /// Something is known of the piece on the place that a name stands for.
    pub fn learn(&mut self, local: Local, piece: Piece) {
        if let Some(known) = self.pieces.get_mut(local.ix()) {
            *known = piece;
        }
    }

    /// Pieces have moved: nothing is known of them any more.
    pub fn forget(&mut self) {
        self.pieces.fill(Piece::default());
    }

    /// What is known of pieces, to come back to it on another way.
    pub fn remember(&self) -> Vec<Piece> {
        self.pieces.clone()
    }

    /// Comes back to what was known.
    pub fn recall(&mut self, pieces: &[Piece]) {
        self.pieces.clear();
        self.pieces.extend_from_slice(pieces);
    }

    /// The number of a path that lowering has made.
    pub fn path_number(&mut self, legs: Vec<Leg>) -> Made<u16> {
        let paths = &mut self.out.program.paths;
        let index = paths.iter().position(|known| *known == legs).unwrap_or_else(|| {
            paths.push(legs);
            paths.len() - 1
        });
        u16::try_from(index).map_err(|_| Full)
    }

    /// Which way a side looks, as operations have it.
    pub fn facing(&self, side: i32) -> u8 {
        let side = usize::try_from(side).ok().and_then(|side| self.rules.sides.get(side));
        u8::from(side.is_some_and(|side| side.facing == Facing::South))
    }

    /// What a name stands for.
    pub fn local(&self, local: Local) -> Val {
        self.locals.get(local.ix()).copied().flatten().unwrap_or(Val::Int(Int::Const(-1)))
    }

    /// A name stands for a value.
    pub fn bind(&mut self, local: Local, value: Val) {
        if let Some(place) = self.locals.get_mut(local.ix()) {
            *place = Some(value);
        }
        self.learn(local, Piece::default());
    }

    /// Works with a frame of its own, and comes back to the one in use.
    pub fn aside<T>(&mut self, locals: usize, work: impl FnOnce(&mut Self) -> Made<T>) -> Made<T> {
        let outer = (std::mem::take(&mut self.locals), std::mem::take(&mut self.pieces));
        self.frame(locals);
        let result = work(self);
        (self.locals, self.pieces) = outer;
        result
    }

    /// The number of a slot as operations have it.
    pub fn slot(&self, slot: Slot) -> Made<u16> {
        self.small(slot.0)
    }

    /// A number that fits an operation.
    pub fn small(&self, number: u32) -> Made<u16> {
        u16::try_from(number).map_err(|_| Full)
    }

    /// Code that leaves the value of an expression outside of rules in register 0.
    fn number(&mut self, id: ExprId) -> Made<u32> {
        let entry = self.begin(self.rules.shared_locals);
        let value = self.int(id)?;
        self.into(0, value)?;
        self.out.op(Op::End)?;
        Ok(entry)
    }

    fn rule(&mut self, index: usize) -> Made<RuleCode> {
        let rule = &self.rules.rules[index];
        let entry = self.begin(rule.locals);
        let mut binders: Vec<(Local, u8)> = Vec::new();
        for trigger in &rule.triggers {
            let TriggerKind::Event(_, locals) = trigger else { continue };
            for &local in locals {
                if !binders.iter().any(|(known, _)| *known == local) {
                    let reg = self.out.int()?;
                    self.bind(local, Val::Int(Int::Reg(reg)));
                    binders.push((local, reg));
                }
            }
        }
        let end = self.out.label();
        if let Some(guard) = rule.guard {
            self.cond(guard, false, end)?;
        }
        self.out.op(Op::Passed)?;
        self.effects(&rule.steps, false)?;
        self.out.place(end);
        self.out.op(Op::End)?;
        let rule_number = u16::try_from(index).map_err(|_| Full)?;
        let mut decides = true;
        crate::graph::refs::stmts_below(self.rules, &rule.steps, &mut |_, stmt| {
            use fullcourt_engine::ir::Stmt;
            decides &= matches!(stmt, Stmt::Let(..) | Stmt::If(..) | Stmt::Win(_) | Stmt::Award(_) | Stmt::Draw);
        });
        Ok(RuleCode { rule: rule_number, triggers: rule.triggers.clone(), entry, decides, binders })
    }

    /// Where a path leads.
    pub fn path(&mut self, path: PathId, from: ExprId, through: Option<ExprId>) -> Made<Set> {
        let a = self.reg(from)?;
        let legs = &self.rules.paths[path.ix()];
        let t = self.through(legs, through)?;
        let facing = self.facing_from(legs, from);
        let path = self.small(path.0)?;
        let d = self.out.set()?;
        self.out.op(Op::Path { d, path, a, t, facing })?;
        Ok(Set::Reg(d))
    }

    /// A geometry of the piece on a place: by its kind.
    pub fn geometry(&mut self, geo: GeoId, branch: Option<u16>, place: ExprId) -> Made<Set> {
        let rules = self.rules;
        let piece = self.piece_on(place);
        if let Some(kind) = piece.kind {
            if !self.has_branch(kind, geo, branch) {
                return Ok(Set::Const([0; 8]));
            }
            let a = self.reg(place)?;
            let d = self.out.set()?;
            let mut result = Ok(Set::Const([0; 8]));
            self.aside(rules.shared_locals, |lower| {
                result = lower.branches((kind, piece.owner), geo, branch, (a, d));
                Ok(())
            })?;
            return result;
        }
        let a = self.reg(place)?;
        let d = self.out.set()?;
        self.set_into(d, Set::Const([0; 8]))?;
        let end = self.out.label();
        let outer = (std::mem::take(&mut self.locals), std::mem::take(&mut self.pieces));
        let mark = self.out.mark();
        let table = u16::try_from(self.out.program.switches.len()).map_err(|_| Full)?;
        let labels: Vec<_> = (0..rules.kinds.len()).map(|_| self.out.label()).collect();
        let mut jumps: Vec<u32> = labels.iter().map(|label| Emitter::to(*label)).collect();
        jumps.push(Emitter::to(end));
        self.out.program.switches.push(jumps);
        self.out.op(Op::Switch { a, table })?;
        let mut result = Ok(());
        for (kind, label) in labels.into_iter().enumerate() {
            self.out.release(mark);
            self.out.place(label);
            result = self
                .branches((kind, piece.owner), geo, branch, (a, d))
                .and_then(|found| self.set_into(d, found))
                .and_then(|()| self.out.op(Op::Jump(Emitter::to(end))));
            if result.is_err() {
                break;
            }
        }
        (self.locals, self.pieces) = outer;
        result?;
        self.out.release(mark);
        self.out.place(end);
        Ok(Set::Reg(d))
    }

    /// Whether a kind has the branch of a geometry, or any if none is asked for by name.
    pub fn has_branch(&self, kind: usize, geo: GeoId, branch: Option<u16>) -> bool {
        let wanted = branch.and_then(|branch| self.rules.branch_labels.get(usize::from(branch)));
        let mut branches = self.rules.kinds[kind].geometry[geo.ix()].iter();
        branches.any(|branch| wanted.is_none() || branch.label.as_ref() == wanted)
    }

    /// The branches of a geometry of a kind, for the piece on the place in `a`; `d` is a register for the set.
    fn branches(
        &mut self,
        (kind, owner): (usize, Option<i32>),
        geo: GeoId,
        branch: Option<u16>,
        (a, d): (u8, u8),
    ) -> Made<Set> {
        let rules = self.rules;
        let wanted = branch.and_then(|branch| rules.branch_labels.get(usize::from(branch)));
        let branches = &rules.kinds[kind].geometry[geo.ix()];
        if !self.has_branch(kind, geo, branch) {
            return Ok(Set::Const([0; 8]));
        }
        if let Some(only) = self.lone_branch(kind, geo) {
            self.frame(rules.shared_locals);
            self.bind(only.it, Val::Int(Int::Reg(a)));
            self.learn(only.it, Piece { owner, kind: Some(kind) });
            return self.set(only.value);
        }
        self.set_into(d, Set::Const([0; 8]))?;
        // What earlier branches give counts only against a branch that is asked for by name.
        let before = if wanted.is_some() { Some(self.out.set()?) } else { None };
        if let Some(before) = before {
            self.set_into(before, Set::Const([0; 8]))?;
        }
        for branch in branches {
            self.frame(rules.shared_locals);
            self.bind(branch.it, Val::Int(Int::Reg(a)));
            self.learn(branch.it, Piece { owner, kind: Some(kind) });
            let mark = self.out.mark();
            let skip = self.out.label();
            if let Some(guard) = branch.guard {
                self.cond(guard, false, skip)?;
            }
            let is_wanted = wanted.is_none() || branch.label.as_ref() == wanted;
            let squares = self.set(branch.value)?;
            if is_wanted {
                let new = match before {
                    Some(before) => self.minus(squares, Set::Reg(before))?,
                    None => squares,
                };
                let t = self.set_in_reg(new)?;
                self.out.op(Op::Or { d, s: d, t })?;
            }
            if let Some(before) = before {
                let t = self.set_in_reg(squares)?;
                self.out.op(Op::Or { d: before, s: before, t })?;
            }
            self.out.place(skip);
            self.out.release(mark);
        }
        Ok(Set::Reg(d))
    }
}
