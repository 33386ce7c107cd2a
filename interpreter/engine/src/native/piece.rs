//! A piece of the program as a function: registers become locals, operations become instructions.

use wasm_encoder::{BlockType, Function, ValType};

use super::asm::{Body, Local, at};
use super::flow::{Flow, Label, Region};
use super::layout::Layout;
use super::maker::{Key, Maker, global};
use crate::ir::{Arith, Cmp, Fixed, Slot};
use crate::program::{Op, Reg};

/// How often a piece may go back, so that it ends.
const TURNS: i32 = 1 << 20;

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// Nothing.
    Nothing,
    /// Register 0.
    Number,
    /// Whether the guard has held.
    Passed,
}

/// What is known of the piece of code, beside the code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// The rule or action, as the position keeps who decided.
    pub author: i32,
    /// The number of the action and side.
    pub picked: i32,
    pub gives: Gives,
}

/// A function in the making.
pub(super) struct Piece<'k, 'm, const N: usize> {
    pub maker: &'k mut Maker<'m, N>,
    pub body: Body,
    pub context: Context,
    /// The operation that is worked on.
    pub here: u32,
    ints: Vec<Option<Local>>,
    sets: Vec<Option<[Local; N]>>,
    /// Numbers known here.
    known: Vec<Option<i32>>,
    labels: Vec<Label>,
    turns: Option<Local>,
    passed: Option<Local>,
    /// Whether the code is part of another function: it ends with its block then.
    is_within: bool,
    /// A bit for each kept position from which the one at work may differ; where any is kept.
    pub differs: Option<Local>,
    /// Planes and slots that this piece changes.
    pub changed: (u64, Vec<bool>),
}

impl<'k, 'm, const N: usize> Piece<'k, 'm, N> {
    /// The function of the code from an entry on; parameters are the registers of numbers that are given. `None` when
    /// there is something for which there is no machine code.
    pub fn function(maker: &'k mut Maker<'m, N>, entry: u32, params: &[Reg], context: Context) -> Option<Function> {
        let params: Vec<(Reg, Local)> = params.iter().copied().zip(0u32..).collect();
        let body = Body::new(params.len());
        let mut piece = Piece::new(maker, body, (entry, context), &params);
        piece.code(entry)?;
        piece.result();
        Some(piece.body.finish())
    }

    /// The same within another function, registers of numbers being given in locals; and the local that says whether the
    /// guard has held. What the code gives is left in no other way.
    pub fn within(
        maker: &'k mut Maker<'m, N>,
        body: Body,
        (entry, context): (u32, Context),
        params: &[(Reg, Local)],
    ) -> Option<(Body, Option<Local>)> {
        let mut piece = Piece::new(maker, body, (entry, context), params);
        piece.body.i().block(BlockType::Empty);
        piece.labels.push(Label::Other);
        piece.is_within = true;
        piece.code(entry)?;
        piece.body.i().end();
        Some((piece.body, piece.passed))
    }

    fn new(
        maker: &'k mut Maker<'m, N>,
        body: Body,
        (entry, context): (u32, Context),
        params: &[(Reg, Local)],
    ) -> Piece<'k, 'm, N> {
        let mut piece = Piece {
            body,
            is_within: false,
            context,
            here: entry,
            ints: vec![None; 256],
            sets: vec![None; 256],
            known: vec![None; 256],
            labels: Vec::new(),
            turns: None,
            passed: None,
            differs: None,
            changed: (0, Vec::new()),
            maker,
        };
        for &(reg, local) in params {
            piece.ints[usize::from(reg)] = Some(local);
        }
        if context.gives == Gives::Passed {
            let passed = piece.body.int();
            piece.body.i().i32_const(0).local_set(passed);
            piece.passed = Some(passed);
        }
        piece
    }

    fn code(&mut self, entry: u32) -> Option<()> {
        let to = self.maker.end_of(entry);
        let flow = Flow::of(&self.maker.machine.program, entry, to)?;
        self.changed = self.maker.changed(entry, to);
        if !flow.loops.is_empty() {
            let turns = self.body.int();
            self.body.i().i32_const(TURNS).local_set(turns);
            self.turns = Some(turns);
        }
        let code = self.maker.machine.program.code.get(entry as usize..to as usize)?;
        if code.iter().any(|op| matches!(op, Op::Save { .. })) {
            let differs = self.body.int();
            self.body.i().i32_const(0).local_set(differs);
            self.differs = Some(differs);
        }
        self.region(&flow, &flow.whole)
    }

    fn result(&mut self) {
        match self.context.gives {
            Gives::Nothing => {}
            Gives::Number => self.get(0),
            Gives::Passed => {
                if let Some(passed) = self.passed {
                    self.body.i().local_get(passed);
                }
            }
        }
    }

    /// The code of a loop or of the whole.
    fn region(&mut self, flow: &Flow, region: &Region) -> Option<()> {
        let is_loop = flow.loops.get(&region.from).is_some_and(|inner| inner.to == region.to);
        if is_loop {
            self.known.fill(None);
            self.body.i().loop_(BlockType::Empty);
            self.labels.push(Label::Again(region.from));
        }
        for &target in &region.ahead {
            self.body.i().block(BlockType::Empty);
            self.labels.push(Label::Ahead(target));
        }
        let mut at = region.from;
        while at < region.to.min(flow.end) {
            self.close_blocks(at);
            // The first operation of a loop does not begin it again.
            if let Some(inner) = flow.loops.get(&at).filter(|_| !is_loop || at != region.from) {
                self.region(flow, inner)?;
                at = inner.to;
                continue;
            }
            self.here = at;
            let op = *self.maker.machine.program.code.get(at as usize)?;
            self.op(op)?;
            at += 1;
        }
        self.close_blocks(at);
        if is_loop {
            self.labels.pop();
            self.body.i().end();
            self.known.fill(None);
        }
        Some(())
    }

    fn close_blocks(&mut self, at: u32) {
        while self.labels.last() == Some(&Label::Ahead(at)) {
            self.labels.pop();
            self.body.i().end();
            self.known.fill(None);
        }
    }

    /// How many blocks a jump leaves.
    fn depth(&self, to: u32) -> Option<u32> {
        let wanted = if to > self.here { Label::Ahead(to) } else { Label::Again(to) };
        let depth = self.labels.iter().rev().position(|&label| label == wanted)?;
        u32::try_from(depth).ok()
    }

    /// Goes on elsewhere if the number on the stack is not 0.
    fn jump_if(&mut self, to: u32) -> Option<()> {
        let depth = self.depth(to)?;
        self.body.i().br_if(depth);
        Some(())
    }

    /// Works within a block of its own.
    pub fn when(&mut self, then: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.body.i().if_(BlockType::Empty);
        self.labels.push(Label::Other);
        let done = then(self);
        self.labels.pop();
        self.body.i().end();
        done
    }

    /// The local of a number.
    pub fn int(&mut self, reg: Reg) -> Local {
        let body = &mut self.body;
        *self.ints[usize::from(reg)].get_or_insert_with(|| body.int())
    }

    /// The local of a word of a set.
    pub fn set(&mut self, reg: Reg, word: usize) -> Local {
        let body = &mut self.body;
        self.sets[usize::from(reg)].get_or_insert_with(|| std::array::from_fn(|_| body.word()))[word]
    }

    /// The value of a number, if it is known here.
    pub fn known(&self, reg: Reg) -> Option<i32> {
        self.known[usize::from(reg)]
    }

    /// Pushes a number.
    pub fn get(&mut self, reg: Reg) {
        if let Some(value) = self.known(reg) {
            self.body.i().i32_const(value);
        } else {
            let local = self.int(reg);
            self.body.i().local_get(local);
        }
    }

    /// The number on the stack goes to a register.
    pub fn put(&mut self, reg: Reg) {
        let local = self.int(reg);
        self.body.i().local_set(local);
        self.known[usize::from(reg)] = None;
    }

    /// Pushes a word of a set.
    pub fn get_set(&mut self, reg: Reg, word: usize) {
        let local = self.set(reg, word);
        self.body.i().local_get(local);
    }

    /// The word on the stack becomes one of a set.
    pub fn put_set(&mut self, reg: Reg, word: usize) {
        let local = self.set(reg, word);
        self.body.i().local_set(local);
    }

    /// Each word of a set becomes what is pushed for it.
    pub fn each_word(&mut self, d: Reg, mut push: impl FnMut(&mut Self, usize)) {
        for word in 0..N {
            push(self, word);
            self.put_set(d, word);
        }
    }

    /// Pushes a slot.
    pub fn slot(&mut self, slot: Slot) {
        let address = self.maker.layout.slot(slot);
        self.body.load32(address);
    }

    /// Pushes a word of a plane.
    pub fn plane(&mut self, plane: usize, word: usize) {
        let address = self.maker.layout.plane(plane, word);
        self.body.load64(address);
    }

    /// Pushes whether a set is not empty.
    pub fn is_some(&mut self, s: Reg) {
        self.get_set(s, 0);
        for word in 1..N {
            self.get_set(s, word);
            self.body.i().i64_or();
        }
        self.body.i().i64_const(0).i64_ne();
    }

    /// Pushes whether a place or kind is in a set.
    fn has(&mut self, a: Reg, s: Reg) {
        if let Some(value) = self.known(a) {
            match usize::try_from(value).ok().filter(|&place| place < 64 * N) {
                None => {
                    self.body.i().i32_const(0);
                }
                Some(place) => {
                    self.get_set(s, place / 64);
                    self.body.i().i64_const((place % 64) as i64).i64_shr_u().i32_wrap_i64().i32_const(1).i32_and();
                }
            }
            return;
        }
        self.get_set(s, 0);
        for word in 1..N {
            self.get_set(s, word);
            self.get(a);
            self.body.i().i32_const(6).i32_shr_s().i32_const(word as i32).i32_ne().select();
        }
        self.bit_of(a);
    }

    /// The word on the stack becomes its bit for a place, 0 where there is no place.
    pub fn bit_of(&mut self, a: Reg) {
        self.get(a);
        self.body.i().i64_extend_i32_u().i64_shr_u().i32_wrap_i64().i32_const(1).i32_and();
        self.get(a);
        self.body.i().i32_const(-1).i32_gt_s().i32_and();
    }

    /// Pushes the word of a set of one place.
    pub fn one(&mut self, a: Reg, word: usize) {
        if let Some(value) = self.known(a) {
            let bits =
                usize::try_from(value).ok().filter(|place| place / 64 == word).map_or(0, |place| 1u64 << (place % 64));
            self.body.i().i64_const(bits.cast_signed());
            return;
        }
        // The word counts only if the place lies in it; no place lies in none.
        self.get(a);
        self.body.i().i32_const(6).i32_shr_s().i32_const(word as i32).i32_eq().i64_extend_i32_u();
        self.get(a);
        self.body.i().i64_extend_i32_u().i64_shl();
    }

    /// An operation.
    fn op(&mut self, op: Op) -> Option<()> {
        match op {
            Op::End if self.is_within => {
                let outermost = u32::try_from(self.labels.len()).ok()?.checked_sub(1)?;
                self.body.i().br(outermost);
            }
            Op::End => {
                self.result();
                self.body.i().return_();
            }
            Op::Give | Op::Nobody => {
                self.body.i().unreachable();
            }
            Op::Passed => {
                if let Some(passed) = self.passed {
                    self.body.i().i32_const(1).local_set(passed);
                }
            }
            Op::Jump(to) => {
                if let Some(turns) = self.turns.filter(|_| to <= self.here) {
                    self.body.i().local_get(turns).i32_const(1).i32_sub().local_tee(turns).i32_eqz();
                    self.body.give_up_if();
                }
                let depth = self.depth(to)?;
                self.body.i().br(depth);
            }
            Op::Fuel(cost) => {
                let cost = i32::try_from(cost).unwrap_or(i32::MAX);
                self.body.i().global_get(global::FUEL).i32_const(cost).i32_sub().global_set(global::FUEL);
                self.body.i().global_get(global::FUEL).i32_const(0).i32_lt_s();
                self.body.give_up_if();
            }
            Op::IfEmpty { s, to } => {
                self.is_some(s);
                self.body.i().i32_eqz();
                self.jump_if(to)?;
            }
            Op::IfSome { s, to } => {
                self.is_some(s);
                self.jump_if(to)?;
            }
            Op::IfIn { a, s, to } => {
                self.has(a, s);
                self.jump_if(to)?;
            }
            Op::IfOut { a, s, to } => {
                self.has(a, s);
                self.body.i().i32_eqz();
                self.jump_if(to)?;
            }
            Op::IfCmp { cmp, a, b, to } => {
                self.get(a);
                self.get(b);
                self.compare(cmp);
                self.jump_if(to)?;
            }
            Op::IfCmpConst { cmp, a, k, to } => {
                self.get(a);
                self.body.i().i32_const(k);
                self.compare(cmp);
                self.jump_if(to)?;
            }
            Op::Switch { a, table } => {
                let targets = self.maker.machine.program.switches.get(usize::from(table))?.clone();
                let depths: Option<Vec<u32>> = targets.iter().map(|&to| self.depth(to)).collect();
                let depths = depths?;
                let (&none, kinds) = depths.split_last()?;
                self.kind_at(a);
                self.body.i().br_table(kinds.to_vec(), none);
            }
            Op::Next { d, s, to } => self.next(d, s, to)?,
            _ => return self.work(op),
        }
        Some(())
    }

    fn next(&mut self, d: Reg, s: Reg, to: u32) -> Option<()> {
        self.is_some(s);
        self.body.i().i32_eqz();
        self.jump_if(to)?;
        let local = self.int(d);
        self.known[usize::from(d)] = None;
        self.next_in(local, s, 0);
        Some(())
    }

    /// Takes the first place out of a set of which the words before one are empty, and the set is not.
    fn next_in(&mut self, d: Local, s: Reg, word: usize) {
        let take = |piece: &mut Self| {
            let local = piece.set(s, word);
            piece.body.i().local_get(local).i64_ctz().i32_wrap_i64().i32_const(64 * word as i32).i32_add().local_set(d);
            piece.body.i().local_get(local).local_get(local).i64_const(1).i64_sub().i64_and().local_set(local);
        };
        if word + 1 == N {
            return take(self);
        }
        let local = self.set(s, word);
        self.body.i().local_get(local).i64_eqz().if_(BlockType::Empty);
        self.next_in(d, s, word + 1);
        self.body.i().else_();
        take(self);
        self.body.i().end();
    }

    fn compare(&mut self, cmp: Cmp) {
        let mut i = self.body.i();
        match cmp {
            Cmp::Eq => i.i32_eq(),
            Cmp::Ne => i.i32_ne(),
            Cmp::Lt => i.i32_lt_s(),
            Cmp::Le => i.i32_le_s(),
            Cmp::Gt => i.i32_gt_s(),
            Cmp::Ge => i.i32_ge_s(),
        };
    }

    /// Numbers as [`Arith::of`] has them.
    pub fn arith(&mut self, op: Arith, a: Reg, b: Reg) {
        let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
        self.get(a);
        self.body.i().i64_extend_i32_s();
        self.get(b);
        self.body.i().i64_extend_i32_s();
        let wide = self.body.word();
        let mut i = self.body.i();
        match op {
            Arith::Add => i.i64_add(),
            Arith::Sub => i.i64_sub(),
            Arith::Mul => i.i64_mul(),
            Arith::Div => {
                // Division by 0 gives 0, and so does the one quotient that is too large.
                i.drop().local_set(wide);
                self.get(b);
                self.body.i().i32_eqz().if_(BlockType::Result(ValType::I64)).i64_const(0).else_().local_get(wide);
                self.get(b);
                self.body.i().i64_extend_i32_s().i64_div_s().end();
                self.body.i().local_tee(wide).i64_const(0).local_get(wide).i64_const(high).i64_le_s().select();
                self.body.i().i32_wrap_i64();
                return;
            }
        };
        i.local_tee(wide).i64_const(low).local_get(wide).i64_const(low).i64_gt_s().select().local_tee(wide);
        i.i64_const(high).local_get(wide).i64_const(high).i64_lt_s().select().i32_wrap_i64();
    }

    /// A number that is known from here on.
    pub fn learn(&mut self, d: Reg, value: i32) {
        let local = self.int(d);
        self.body.i().i32_const(value).local_set(local);
        self.known[usize::from(d)] = Some(value);
    }

    /// Pushes an entry of 32 bits of a table that starts at −1.
    pub fn look_up(&mut self, table: u32, a: Reg) {
        self.get(a);
        self.body.i().i32_const(2).i32_shl().i32_const(4).i32_add().i32_load(at(table, 2));
    }

    /// A set becomes an entry of a table that starts at −1, `beside` (if any) bytes further on.
    pub fn look_up_set(&mut self, d: Reg, table: u32, a: Reg, beside: Option<Local>) {
        let address = self.address(a, beside);
        self.each_word(d, |piece, word| {
            piece.body.i().local_get(address).i64_load(at(table + 8 * word as u32, 3));
        });
    }

    /// Where the entry of a place lies in a table of sets that starts at −1.
    pub fn address(&mut self, a: Reg, beside: Option<Local>) -> Local {
        let address = self.body.int();
        self.get(a);
        self.body.i().i32_const(1).i32_add().i32_const(Layout::<N>::SET as i32).i32_mul();
        if let Some(beside) = beside {
            self.body.i().local_get(beside).i32_add();
        }
        self.body.i().local_set(address);
        address
    }

    /// Notes who has won, unless the game has a result and it is not a matter of `anyhow`.
    pub fn decide(&mut self, winner: impl FnOnce(&mut Self), anyhow: bool) -> Option<()> {
        let local = self.body.int();
        winner(self);
        self.body.i().local_set(local);
        if anyhow {
            self.body.i().i32_const(1);
        } else {
            self.slot(Fixed::DECIDED);
            self.body.i().i32_eqz();
        }
        let author = self.context.author;
        let [decided, won, decider] =
            [Fixed::DECIDED, Fixed::WINNER, Fixed::DECIDER].map(|slot| self.maker.layout.slot(slot));
        self.body.when(|body| {
            body.store32(decided, |body| {
                body.i().i32_const(1);
            });
            body.store32(won, |body| {
                body.i().local_get(local);
            });
            body.store32(decider, |body| {
                body.i().i32_const(author);
            });
        });
        Some(())
    }

    /// A function is called; what it needs is on the stack.
    pub fn call(&mut self, key: Key) -> Option<()> {
        let index = self.maker.index(key)?;
        self.body.i().call(index);
        Some(())
    }
}
