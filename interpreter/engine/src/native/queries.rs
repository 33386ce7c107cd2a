//! Operations that look: numbers and sets of the position and the board.

use super::asm::at;
use super::layout::{Layout, OPERANDS};
use super::maker::{Key, global};
use super::piece::Piece;
use crate::bits::Bits;
use crate::hostcall::HostType;
use crate::ir::{Fixed, Slot};
use crate::program::{Arg, Op, Reg};

impl<const N: usize> Piece<'_, '_, N> {
    /// An operation that works on registers and the position.
    pub(super) fn work(&mut self, op: Op) -> Option<()> {
        match op {
            Op::Int { d, k } => self.learn(d, k),
            Op::Copy { d, a } => {
                let known = self.known(a);
                self.get(a);
                self.put(d);
                if let Some(value) = known {
                    self.learn(d, value);
                }
            }
            Op::Slot { d, slot } => {
                self.slot(Slot(u32::from(slot)));
                self.put(d);
            }
            Op::SlotOf { d, slot, a } => {
                self.slot_of(slot, a);
                self.put(d);
            }
            Op::Me { d } => {
                self.body.i().global_get(global::ME);
                self.put(d);
            }
            Op::Winner { d } => {
                self.slot(Fixed::WINNER);
                self.body.i().i32_const(-1);
                self.slot(Fixed::DECIDED);
                self.body.i().i32_const(1).i32_eq().select();
                self.put(d);
            }
            Op::Opponent { d, a } => {
                self.opponent(a);
                self.put(d);
            }
            Op::Arith { op, d, a, b } => {
                self.arith(op, a, b);
                self.put(d);
            }
            Op::Count { d, s } => {
                self.get_set(s, 0);
                self.body.i().i64_popcnt();
                for word in 1..N {
                    self.get_set(s, word);
                    self.body.i().i64_popcnt().i64_add();
                }
                self.body.i().i32_wrap_i64();
                self.put(d);
            }
            Op::KindAt { d, a } => {
                self.kind_at(a);
                self.put(d);
            }
            Op::OwnerAt { d, a } => {
                self.owner_at(a);
                self.put(d);
            }
            Op::RankAt { d, a } | Op::FileAt { d, a } => {
                let board = &self.maker.machine.game.rules.board;
                let is_rank = matches!(op, Op::RankAt { .. });
                let of = |place| if is_rank { board.coords(place).1 + 1 } else { board.coords(place).0 + 1 };
                let table: Vec<i32> = std::iter::once(0).chain((0..board.places()).map(of)).collect();
                let table = self.maker.layout.ints(table)?;
                self.look_up(table, a);
                self.put(d);
            }
            Op::Distance { d, a, b } => self.distance(d, a, b)?,
            Op::Counter { d, counter, a } => {
                let def = self.maker.machine.game.rules.counters.get(usize::from(counter))?;
                let (first, bits) = (def.first.ix(), def.bits);
                self.body.i().i32_const(0);
                for bit in 0..bits {
                    self.plane_has(first + bit as usize, a);
                    self.body.i().i32_const(bit as i32).i32_shl().i32_or();
                }
                self.put(d);
            }
            Op::ReserveCount { d, reserve, a } => {
                let (first, kinds) = self.reserve(reserve)?;
                self.body.i().i32_const(0);
                for kind in 0..kinds {
                    self.slot_of_stride(first.plus(kind), a, kinds);
                    self.body.i().i32_add();
                }
                self.put(d);
            }
            Op::Set { d, k } => {
                let set = *self.maker.machine.sets.get(usize::from(k))?;
                self.each_word(d, |piece, word| {
                    piece.body.i().i64_const(set.0[word].cast_signed());
                });
            }
            Op::CopySet { d, s } => self.each_word(d, |piece, word| piece.get_set(s, word)),
            Op::Plane { d, plane } => self.each_word(d, |piece, word| piece.plane(usize::from(plane), word)),
            Op::Occupied { d } => self.each_word(d, Self::occupied),
            Op::Empty { d } => {
                let grid = self.maker.machine.game.grid;
                self.each_word(d, |piece, word| {
                    piece.body.i().i64_const(grid.0[word].cast_signed());
                    piece.occupied(word);
                    piece.body.i().i64_const(-1).i64_xor().i64_and();
                });
            }
            Op::SideSet { d, a } => self.plane_of(d, a, 0, self.sides()),
            Op::KindSet { d, a } => self.plane_of(d, a, self.sides(), self.kinds()),
            Op::One { d, a } => self.each_word(d, |piece, word| piece.one(a, word)),
            Op::And { d, s, t } => self.each_word(d, |piece, word| {
                piece.get_set(s, word);
                piece.get_set(t, word);
                piece.body.i().i64_and();
            }),
            Op::Or { d, s, t } => self.each_word(d, |piece, word| {
                piece.get_set(s, word);
                piece.get_set(t, word);
                piece.body.i().i64_or();
            }),
            Op::Minus { d, s, t } => self.each_word(d, |piece, word| {
                piece.get_set(s, word);
                piece.get_set(t, word);
                piece.body.i().i64_const(-1).i64_xor().i64_and();
            }),
            Op::Not { d, s } => {
                let all = self.maker.machine.game.all;
                self.each_word(d, |piece, word| {
                    piece.body.i().i64_const(all.0[word].cast_signed());
                    piece.get_set(s, word);
                    piece.body.i().i64_const(-1).i64_xor().i64_and();
                });
            }
            Op::Insert { d, a } => self.each_word(d, |piece, word| {
                piece.get_set(d, word);
                piece.one(a, word);
                piece.body.i().i64_or();
            }),
            Op::ZoneOf { d, zone, a } => {
                let zone = self.maker.machine.game.zones.get(usize::from(zone))?;
                let table = self.maker.layout.sets(zone.sides.clone())?;
                self.look_up_set(d, table, a, None);
            }
            Op::Path { d, path, a, t, facing } => self.path(d, path, a, (t, facing))?,
            Op::Between { d, a, b } if N <= 2 => {
                let game = &self.maker.machine.game;
                let board = &game.rules.board;
                self.pair(d, (a, b), |a, b| board.between(a, b))?;
            }
            Op::InFront { d, a, b } if N <= 2 => {
                let game = &self.maker.machine.game;
                let board = &game.rules.board;
                self.pair(d, (a, b), |a, b| board.in_front(a, b))?;
            }
            Op::ReserveKinds { d, reserve, a } => self.reserve_kinds(d, reserve, a)?,
            Op::Seen { d, history } => {
                self.call(Key::Seen(usize::from(history)))?;
                self.put(d);
            }
            Op::Ranks { d, .. }
            | Op::Files { d, .. }
            | Op::Between { d, .. }
            | Op::InFront { d, .. }
            | Op::Near { d, .. } => self.asked(op, d)?,
            Op::Plugin { d, function, args } => self.plugin(d, function, args)?,
            _ => return self.change(op),
        }
        Some(())
    }

    pub(super) fn sides(&self) -> usize {
        self.maker.machine.game.rules.sides.len()
    }

    fn kinds(&self) -> usize {
        self.maker.machine.game.rules.kinds.len()
    }

    /// Pushes a word of all pieces.
    pub(super) fn occupied(&mut self, word: usize) {
        self.plane(0, word);
        for side in 1..self.sides() {
            self.plane(side, word);
            self.body.i().i64_or();
        }
    }

    /// Pushes whether a place is in a plane.
    pub(super) fn plane_has(&mut self, plane: usize, a: Reg) {
        self.plane(plane, 0);
        for word in 1..N {
            self.plane(plane, word);
            self.get(a);
            self.body.i().i32_const(6).i32_shr_s().i32_const(word as i32).i32_ne().select();
        }
        self.bit_of(a);
    }

    /// Pushes the first of some planes that has a place, counted from 0, or −1.
    fn first_plane(&mut self, a: Reg, first: usize, count: usize) {
        self.body.i().i32_const(-1);
        for number in (0..count).rev() {
            self.body.i().i32_const(number as i32);
            self.plane_has(first + number, a);
            self.body.i().i32_eqz().select();
        }
    }

    /// Pushes the kind on a place, or −1.
    pub(super) fn kind_at(&mut self, a: Reg) {
        self.first_plane(a, self.sides(), self.kinds());
    }

    /// Pushes the side on a place, or −1.
    pub(super) fn owner_at(&mut self, a: Reg) {
        self.first_plane(a, 0, self.sides());
    }

    /// Pushes the next side, or −1.
    fn opponent(&mut self, a: Reg) {
        let count = self.sides() as i32;
        if let Some(side) = self.known(a) {
            self.body.i().i32_const(if (0..count).contains(&side) { (side + 1) % count } else { -1 });
            return;
        }
        self.get(a);
        self.body.i().i32_const(1).i32_add().i32_const(count).i32_rem_u().i32_const(-1);
        self.get(a);
        self.body.i().i32_const(count).i32_lt_u().select();
    }

    /// Pushes a slot of a side, 0 for none; the slots of sides lie next to each other.
    fn slot_of(&mut self, slot: u16, a: Reg) {
        self.slot_of_stride(Slot(u32::from(slot)), a, 1);
    }

    fn slot_of_stride(&mut self, slot: Slot, a: Reg, stride: usize) {
        if let Some(side) = self.known(a) {
            match usize::try_from(side).ok().filter(|&side| side < self.sides()) {
                Some(side) => self.slot(slot.plus(side * stride)),
                None => {
                    self.body.i().i32_const(0);
                }
            }
            return;
        }
        self.body.i().i32_const(0);
        for side in 0..self.sides() {
            self.slot(slot.plus(side * stride));
            self.get(a);
            self.body.i().i32_const(side as i32).i32_ne().select();
        }
    }

    /// The first slot of a reserve, and how many slots it has for each side.
    pub(super) fn reserve(&self, reserve: u16) -> Option<(Slot, usize)> {
        Some((self.maker.machine.game.rules.reserves.get(usize::from(reserve))?.first, self.kinds()))
    }

    fn reserve_kinds(&mut self, d: Reg, reserve: u16, a: Reg) -> Option<()> {
        let (first, kinds) = self.reserve(reserve)?;
        self.body.i().i32_const(0);
        for kind in 0..kinds {
            self.slot_of_stride(first.plus(kind), a, kinds);
            self.body.i().i32_const(0).i32_gt_s().i32_const(kind as i32).i32_shl().i32_or();
        }
        self.body.i().i64_extend_i32_u();
        self.put_set(d, 0);
        for word in 1..N {
            self.body.i().i64_const(0);
            self.put_set(d, word);
        }
        (kinds <= 32).then_some(())
    }

    /// One of some planes by a number, the empty set if there is none.
    fn plane_of(&mut self, d: Reg, a: Reg, first: usize, count: usize) {
        if let Some(number) = self.known(a) {
            let plane = usize::try_from(number).ok().filter(|&number| number < count);
            return self.each_word(d, |piece, word| match plane {
                Some(number) => piece.plane(first + number, word),
                None => {
                    piece.body.i().i64_const(0);
                }
            });
        }
        self.each_word(d, |piece, word| {
            piece.body.i().i64_const(0);
            for number in 0..count {
                piece.plane(first + number, word);
                piece.get(a);
                piece.body.i().i32_const(number as i32).i32_ne().select();
            }
        });
    }

    fn distance(&mut self, d: Reg, a: Reg, b: Reg) -> Option<()> {
        let board = &self.maker.machine.game.rules.board;
        let coords: Vec<(i32, i32)> = (0..board.places()).map(|place| board.coords(place)).collect();
        let files = self.maker.layout.ints(std::iter::once(0).chain(coords.iter().map(|place| place.0)))?;
        let ranks = self.maker.layout.ints(std::iter::once(0).chain(coords.iter().map(|place| place.1)))?;
        let (first, second, sign) = (self.body.int(), self.body.int(), self.body.int());
        for (table, local) in [(files, first), (ranks, second)] {
            self.look_up(table, a);
            self.look_up(table, b);
            self.body.i().i32_sub().local_tee(local).i32_const(31).i32_shr_s().local_tee(sign);
            self.body.i().local_get(local).i32_xor().local_get(sign).i32_sub().local_set(local);
        }
        self.body.i().local_get(first).local_get(second).local_get(first).local_get(second).i32_gt_s().select();
        self.body.i().i32_const(i32::MAX);
        self.get(a);
        self.get(b);
        self.body.i().i32_or().i32_const(-1).i32_gt_s().select();
        self.put(d);
        Some(())
    }

    /// A set for two places, from a table; the empty set if one of them is missing.
    fn pair(&mut self, d: Reg, (a, b): (Reg, Reg), of: impl Fn(usize, usize) -> Bits<N>) -> Option<()> {
        let places = self.maker.machine.game.rules.board.places();
        let row =
            |a: usize| std::iter::once(Bits::EMPTY).chain((0..places).map(move |b| (a, b)).map(|(a, b)| of(a, b)));
        let none = (0..=places).map(|_| Bits::EMPTY);
        let words: Vec<u8> =
            none.chain((0..places).flat_map(row)).flat_map(|set| set.0).flat_map(u64::to_le_bytes).collect();
        let table = self.maker.layout.table(words)?;
        let beside = self.body.int();
        let stride = Layout::<N>::SET as i32 * (places as i32 + 1);
        self.get(a);
        self.body.i().i32_const(1).i32_add().i32_const(stride).i32_mul().local_set(beside);
        self.look_up_set(d, table, b, Some(beside));
        Some(())
    }

    /// An operation that the engine carries out itself: its operands are handed over, its result fetched.
    pub(super) fn asked(&mut self, op: Op, d: Reg) -> Option<()> {
        let (ints, sets, gives_set) = match op {
            Op::Path { a, t, .. } => (vec![a], vec![t], true),
            Op::Ranks { a, b, .. } | Op::Files { a, b, .. } | Op::Between { a, b, .. } | Op::InFront { a, b, .. } => {
                (vec![a, b], vec![], true)
            }
            Op::Near { s, a, .. } => (vec![a], vec![s], true),
            _ => return None,
        };
        for (number, reg) in (0u32..).zip(ints) {
            self.hand_over(OPERANDS + 4 * number, reg);
        }
        for reg in sets {
            self.hand_over_set(OPERANDS + super::layout::SET_OPERAND, reg);
        }
        self.ask(d, gives_set);
        Some(())
    }

    fn hand_over(&mut self, address: u32, reg: Reg) {
        self.body.i().i32_const(0);
        self.get(reg);
        self.body.i().i32_store(at(address, 2));
    }

    fn hand_over_set(&mut self, address: u32, reg: Reg) {
        for word in 0..N {
            self.body.i().i32_const(0);
            self.get_set(reg, word);
            self.body.i().i64_store(at(address + 8 * word as u32, 3));
        }
    }

    fn ask(&mut self, d: Reg, gives_set: bool) {
        let here = self.here as i32;
        self.body.i().i32_const(here).call(super::maker::ASK);
        self.answer(d, gives_set);
    }

    fn answer(&mut self, d: Reg, gives_set: bool) {
        if gives_set {
            self.each_word(d, |piece, word| piece.body.load64(OPERANDS + super::layout::SET_RESULT + 8 * word as u32));
        } else {
            self.body.load32(OPERANDS + super::layout::INT_RESULT);
            self.put(d);
        }
    }

    fn plugin(&mut self, d: Reg, function: u16, args: u16) -> Option<()> {
        let machine = self.maker.machine;
        let args = machine.program.args.get(usize::from(args))?;
        let called = usize::from(function);
        if self.maker.directs.iter().any(|(direct, _)| *direct == called) {
            return self.direct(d, called, args);
        }
        for (number, arg) in (0u32..).zip(args) {
            let address = OPERANDS + super::layout::PLUGIN_ARGS + 64 * number;
            match *arg {
                Arg::Int(reg) => self.hand_over(address, reg),
                Arg::Set(reg) => self.hand_over_set(address, reg),
            }
        }
        let def = machine.game.rules.plugin_fns.get(usize::from(function))?;
        let here = self.here as i32;
        self.body.i().i32_const(here);
        self.call(Key::Memo(usize::from(function)))?;
        self.answer(d, def.signature.result == HostType::Squares);
        (args.len() <= super::layout::MOST_ARGS).then_some(())
    }

    /// Calls a plugin function; gives up on an answer that is not of its type.
    fn direct(&mut self, d: Reg, function: usize, args: &[Arg]) -> Option<()> {
        let game = &self.maker.machine.game;
        let signature = game.rules.plugin_fns.get(function)?.signature.clone();
        for (arg, &ty) in args.iter().zip(&signature.params) {
            match *arg {
                Arg::Set(reg) => self.get_set(reg, 0),
                Arg::Int(reg) => {
                    self.get(reg);
                    if matches!(ty, HostType::Side | HostType::Kind) {
                        // No side and no kind are numbers beyond all.
                        self.body.i().i32_const(255);
                        self.get(reg);
                        self.body.i().i32_const(-1).i32_gt_s().select();
                    }
                }
            }
        }
        self.call(Key::Memo(function))?;
        let (places, sides, kinds) = (game.rules.board.places(), game.rules.sides.len(), game.rules.kinds.len());
        if signature.result == HostType::Squares {
            let all = game.all.0[0].cast_signed();
            self.put_set(d, 0);
            self.get_set(d, 0);
            self.body.i().i64_const(!all).i64_and().i64_const(0).i64_ne();
            self.body.give_up_if();
            return Some(());
        }
        self.put(d);
        let (low, count) = match signature.result {
            HostType::Square => (-1, places + 1),
            HostType::Side => (0, sides),
            HostType::Kind => (0, kinds),
            HostType::Test => (0, 2),
            HostType::Number | HostType::Squares => return Some(()),
        };
        self.get(d);
        self.body.i().i32_const(low).i32_sub().i32_const(i32::try_from(count).ok()?).i32_ge_u();
        self.body.give_up_if();
        Some(())
    }
}
