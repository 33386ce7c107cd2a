//! Operations that change the position, ask for what follows, or give out legal actions.

use wasm_encoder::BlockType;

use super::asm::{Local, at};
use super::layout::{GROUP_HEAD, QUEUE_ENTRY, SINGLE};
use super::maker::{Key, global};
use super::piece::Piece;
use crate::ir::{Slot, SlotTy};
use crate::program::{Arg, Op, Reg};

/// How a plane changes at one place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bit {
    Set,
    Clear,
}

impl<const N: usize> Piece<'_, '_, N> {
    /// An operation that changes something.
    pub(super) fn change(&mut self, op: Op) -> Option<()> {
        let keeps = matches!(
            op,
            Op::Save { .. }
                | Op::Restore { .. }
                | Op::Group { .. }
                | Op::Single { .. }
                | Op::Enough
                | Op::Report { .. }
        );
        if let Some(differs) = self.differs.filter(|_| !keeps) {
            self.body.i().i32_const(-1).local_set(differs);
        }
        match op {
            Op::Move { a, b } => self.move_piece(a, b)?,
            Op::Put { a, b, c } => {
                let (sides, kinds) = (self.sides(), self.maker.machine.game.rules.kinds.len());
                self.needs_free(c);
                self.bit_of_number(b, (0, sides), c);
                self.bit_of_number(a, (sides, kinds), c);
            }
            Op::Remove { a } => self.remove(a)?,
            Op::Mark { plane, s } => {
                for word in 0..N {
                    self.store_plane(usize::from(plane), word, |piece| {
                        piece.get_set(s, word);
                        piece.occupied(word);
                        piece.body.i().i64_and();
                        piece.plane(usize::from(plane), word);
                        piece.body.i().i64_or();
                    });
                }
            }
            Op::Unmark { plane, s } => {
                for word in 0..N {
                    self.store_plane(usize::from(plane), word, |piece| {
                        piece.plane(usize::from(plane), word);
                        piece.get_set(s, word);
                        piece.body.i().i64_const(-1).i64_xor().i64_and();
                    });
                }
            }
            Op::SetPlane { plane, s } => {
                for word in 0..N {
                    self.store_plane(usize::from(plane), word, |piece| piece.get_set(s, word));
                }
            }
            Op::SetSlot { slot, a } => {
                self.store_slot(usize::from(slot), |piece| piece.get(a))?;
            }
            Op::AddSlot { slot, a } => self.add(usize::from(slot), a, false)?,
            Op::TakeSlot { slot, a } => self.add(usize::from(slot), a, true)?,
            Op::SetSlotOf { slot, b, a } => {
                self.each_side(b, |piece, side| piece.store_slot(usize::from(slot) + side, |piece| piece.get(a)))?;
            }
            Op::AddSlotOf { slot, b, a } => {
                self.each_side(b, |piece, side| piece.add(usize::from(slot) + side, a, false))?;
            }
            Op::TakeSlotOf { slot, b, a } => {
                self.each_side(b, |piece, side| piece.add(usize::from(slot) + side, a, true))?;
            }
            Op::SetCounter { counter, a, b } => self.set_counter(counter, a, b)?,
            Op::Give1 { reserve, a, b } => self.reserve_change(reserve, (a, b), 1)?,
            Op::Take1 { reserve, a, b } => self.reserve_change(reserve, (a, b), -1)?,
            Op::Tick { clock, quiet } => self.tick(usize::from(clock), quiet)?,
            Op::Report { event, args } => self.report(usize::from(event), usize::from(args))?,
            Op::Begin { span, a } => {
                self.body.i().i32_const(i32::from(span));
                self.get(a);
                self.call(Key::AskBegin)?;
            }
            Op::EndSpan { span } => {
                let bit = 1u64.checked_shl(u32::from(span)).unwrap_or(0).cast_signed();
                self.body.i().global_get(global::ENDS).i64_const(bit).i64_or().global_set(global::ENDS);
            }
            Op::Go { phase } => self.body.set_global(global::GO, i32::from(phase)),
            Op::Win { a } => self.decide(|piece| piece.get(a), false)?,
            Op::Award { a } => self.decide(|piece| piece.get(a), true)?,
            Op::Draw => self.decide(
                |piece| {
                    piece.body.i().i32_const(-1);
                },
                false,
            )?,
            Op::Save { k } => self.keep(usize::from(k), false)?,
            Op::Restore { k } => self.keep(usize::from(k), true)?,
            Op::Group { action: _, prefix, s } => self.group(usize::from(prefix), s)?,
            Op::Single { .. } => {
                let (picked, size) = (self.context.picked | SINGLE, self.maker.group_bytes());
                self.body.i().global_get(global::FOUND).i32_const(picked).i32_store(at(0, 2));
                self.body.i().global_get(global::FOUND).i32_const(size).i32_add().global_set(global::FOUND);
            }
            Op::Enough => self.enough(),
            Op::Gather { a, b } => {
                self.get(a);
                self.get(b);
                self.call(Key::Gather)?;
            }
            Op::MoveGathered => self.call(Key::MoveGathered)?,
            _ => return None,
        }
        Some(())
    }

    fn enough(&mut self) {
        if self.maker.one_suffices {
            self.body.i().global_get(global::ONE);
            self.body.when(|body| {
                body.i().return_();
            });
        }
    }

    /// A group: header, aims before the last, set of last aims. Room that is missing ends beyond the memory.
    fn group(&mut self, prefix: usize, s: Reg) -> Option<()> {
        let regs = self.maker.machine.program.prefixes.get(prefix)?.clone();
        let (picked, size) = (self.context.picked, self.maker.group_bytes());
        let group = self.body.int();
        self.is_some(s);
        self.when(|piece| {
            piece.body.i().global_get(global::FOUND).local_tee(group).i32_const(picked).i32_store(at(0, 2));
            for (number, &reg) in (1u32..).zip(&regs) {
                piece.body.i().local_get(group);
                piece.get(reg);
                piece.body.i().i32_store(at(4 * number, 2));
            }
            for word in 0..N {
                piece.body.i().local_get(group);
                piece.get_set(s, word);
                piece.body.i().i64_store(at(GROUP_HEAD + 8 * word as u32, 3));
            }
            piece.body.i().local_get(group).i32_const(size).i32_add().global_set(global::FOUND);
            piece.enough();
            Some(())
        })?;
        (regs.len() <= 3).then_some(())
    }

    fn store_plane(&mut self, plane: usize, word: usize, value: impl FnOnce(&mut Self)) {
        let address = self.maker.layout.plane(plane, word);
        self.body.i().i32_const(0);
        value(self);
        self.body.i().i64_store(at(address, 3));
    }

    /// Changes a bit of a plane, wherever the place lies; the place is there.
    fn bit(&mut self, plane: usize, a: Reg, how: Bit) {
        for word in 0..N {
            self.store_plane(plane, word, |piece| {
                piece.plane(plane, word);
                piece.one(a, word);
                match how {
                    Bit::Set => piece.body.i().i64_or(),
                    Bit::Clear => piece.body.i().i64_const(-1).i64_xor().i64_and(),
                };
            });
        }
    }

    /// Sets the bit of a place in the plane that a number names among some; gives up if there is none.
    fn bit_of_number(&mut self, number: Reg, (first, count): (usize, usize), place: Reg) {
        if let Some(known) = self.known(number) {
            match usize::try_from(known).ok().filter(|&known| known < count) {
                Some(known) => self.bit(first + known, place, Bit::Set),
                None => {
                    self.body.i().unreachable();
                }
            }
            return;
        }
        self.get(number);
        self.body.i().i32_const(count as i32).i32_ge_u();
        self.body.give_up_if();
        for plane in 0..count {
            self.get(number);
            self.body.i().i32_const(plane as i32).i32_eq().if_(BlockType::Empty);
            self.bit(first + plane, place, Bit::Set);
            self.body.i().end();
        }
    }

    /// Gives up unless a piece stands on a place.
    fn needs_piece(&mut self, a: Reg) {
        self.occupied_at(a);
        self.body.i().i32_eqz();
        self.body.give_up_if();
    }

    /// Gives up unless a place is there and free.
    fn needs_free(&mut self, a: Reg) {
        self.get(a);
        self.body.i().i32_const(0).i32_lt_s();
        self.body.give_up_if();
        self.occupied_at(a);
        self.body.give_up_if();
    }

    /// Pushes whether a piece stands on a place.
    fn occupied_at(&mut self, a: Reg) {
        self.occupied(0);
        for word in 1..N {
            self.occupied(word);
            self.get(a);
            self.body.i().i32_const(6).i32_shr_s().i32_const(word as i32).i32_ne().select();
        }
        self.bit_of(a);
    }

    fn move_piece(&mut self, a: Reg, b: Reg) -> Option<()> {
        self.needs_piece(a);
        // A place that is missing differs from one with a piece, so it is caught below.
        self.get(a);
        self.get(b);
        self.body.i().i32_ne();
        self.when(|piece| {
            piece.needs_free(b);
            let from: [Local; N] = std::array::from_fn(|_| piece.body.word());
            let (bit, shift, to) = (piece.body.word(), piece.body.word(), piece.body.int());
            for (word, &local) in from.iter().enumerate() {
                piece.one(a, word);
                piece.body.i().i64_const(-1).i64_xor().local_set(local);
            }
            piece.get(b);
            piece.body.i().local_tee(to).i64_extend_i32_u().local_set(shift);
            let game = piece.maker.machine.game.clone();
            for &plane in &game.travelling {
                piece.plane_has(plane.ix(), a);
                piece.body.i().i64_extend_i32_u().local_get(shift).i64_shl().local_set(bit);
                for (word, &mask) in from.iter().enumerate() {
                    piece.store_plane(plane.ix(), word, |piece| {
                        piece.plane(plane.ix(), word);
                        piece.body.i().local_get(mask).i64_and().local_get(bit);
                        if N > 1 {
                            piece.body.i().i64_const(0).local_get(to).i32_const(6).i32_shr_u();
                            piece.body.i().i32_const(word as i32).i32_eq().select();
                        }
                        piece.body.i().i64_or();
                    });
                }
            }
            for &slot in &game.piece_slots {
                let address = piece.maker.layout.slot(slot);
                piece.body.i().i32_const(0).local_get(to);
                piece.slot(slot);
                piece.slot(slot);
                piece.get(a);
                piece.body.i().i32_eq().select().i32_store(at(address, 2));
            }
            Some(())
        })
    }

    fn remove(&mut self, a: Reg) -> Option<()> {
        self.needs_piece(a);
        let game = self.maker.machine.game.clone();
        for &plane in &game.travelling {
            self.bit(plane.ix(), a, Bit::Clear);
        }
        for &slot in &game.piece_slots {
            let address = self.maker.layout.slot(slot);
            self.body.i().i32_const(0).i32_const(-1);
            self.slot(slot);
            self.slot(slot);
            self.get(a);
            self.body.i().i32_eq().select().i32_store(at(address, 2));
        }
        Some(())
    }

    /// Works for the side in a register; gives up if there is none.
    fn each_side(&mut self, a: Reg, work: impl Fn(&mut Self, usize) -> Option<()>) -> Option<()> {
        let sides = self.sides();
        if let Some(side) = self.known(a) {
            return match usize::try_from(side).ok().filter(|&side| side < sides) {
                Some(side) => work(self, side),
                None => {
                    self.body.i().unreachable();
                    Some(())
                }
            };
        }
        self.get(a);
        self.body.i().i32_const(sides as i32).i32_ge_u();
        self.body.give_up_if();
        for side in 0..sides {
            self.get(a);
            self.body.i().i32_const(side as i32).i32_eq();
            self.when(|piece| work(piece, side))?;
        }
        Some(())
    }

    /// Stores what is pushed in a slot, as far as its type goes.
    pub(super) fn store_slot(&mut self, slot: usize, value: impl FnOnce(&mut Self)) -> Option<()> {
        let ty = self.maker.machine.game.rules.slots.get(slot)?.ty;
        let address = self.maker.layout.slot(Slot(slot as u32));
        let local = self.body.int();
        value(self);
        self.body.i().local_set(local);
        match ty {
            SlotTy::Number(range) => {
                self.body.clamp(local, range.low, range.high);
            }
            SlotTy::Piece => {
                self.body.i().local_get(local).i32_const(-1);
                self.occupied(0);
                for word in 1..N {
                    self.occupied(word);
                    self.body.i().local_get(local).i32_const(6).i32_shr_s().i32_const(word as i32).i32_ne().select();
                }
                self.body.i().local_get(local).i64_extend_i32_u().i64_shr_u().i32_wrap_i64().i32_const(1).i32_and();
                self.body.i().local_get(local).i32_const(-1).i32_gt_s().i32_and().select().local_set(local);
            }
            SlotTy::Test | SlotTy::Side | SlotTy::Kind | SlotTy::Square => {}
        }
        self.body.store32(address, |body| {
            body.i().local_get(local);
        });
        Some(())
    }

    /// Adds to a slot or takes from it. Values of slots and what is added are far from the ends of 32 bits only where the
    /// slot's range says so, so the sum is made in 64 bits.
    fn add(&mut self, slot: usize, a: Reg, less: bool) -> Option<()> {
        let wide = self.body.word();
        self.store_slot(slot, |piece| {
            piece.slot(Slot(slot as u32));
            piece.body.i().i64_extend_i32_s();
            piece.get(a);
            piece.body.i().i64_extend_i32_s();
            let mut i = piece.body.i();
            if less {
                i.i64_sub()
            } else {
                i.i64_add()
            };
            let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
            i.local_tee(wide).i64_const(low).local_get(wide).i64_const(low).i64_gt_s().select().local_tee(wide);
            i.i64_const(high).local_get(wide).i64_const(high).i64_lt_s().select().i32_wrap_i64();
        })
    }

    fn set_counter(&mut self, counter: u16, a: Reg, b: Reg) -> Option<()> {
        let def = self.maker.machine.game.rules.counters.get(usize::from(counter))?;
        let (first, bits, max) = (def.first.ix(), def.bits, def.max);
        self.occupied_at(a);
        self.when(|piece| {
            let value = piece.body.int();
            piece.get(b);
            piece.body.i().i32_const(0);
            piece.get(b);
            piece.body.i().i32_const(0).i32_gt_s().select().local_tee(value).i32_const(max).local_get(value);
            piece.body.i().i32_const(max).i32_lt_s().select().local_set(value);
            for bit in 0..bits {
                for word in 0..N {
                    let plane = first + bit as usize;
                    piece.store_plane(plane, word, |piece| {
                        piece.plane(plane, word);
                        piece.one(a, word);
                        piece.body.i().i64_const(-1).i64_xor().i64_and();
                        piece.one(a, word);
                        piece.body.i().i64_const(0).local_get(value).i32_const(bit as i32).i32_shr_u();
                        piece.body.i().i32_const(1).i32_and().select().i64_or();
                    });
                }
            }
            Some(())
        })
    }

    fn reserve_change(&mut self, reserve: u16, (side, kind): (Reg, Reg), more: i32) -> Option<()> {
        let (first, kinds) = self.reserve(reserve)?;
        self.get(kind);
        self.body.i().i32_const(kinds as i32).i32_ge_u();
        self.body.give_up_if();
        let known = self.known(kind).and_then(|kind| usize::try_from(kind).ok());
        self.each_side(side, |piece, side| {
            for one in 0..kinds {
                if known.is_some_and(|known| known != one) {
                    continue;
                }
                let slot = first.plus(side * kinds + one);
                let most = match piece.maker.machine.game.rules.slots.get(slot.ix())?.ty {
                    SlotTy::Number(range) => range.high,
                    _ => i32::MAX,
                };
                let (address, count) = (piece.maker.layout.slot(slot), piece.body.int());
                piece.get(kind);
                piece.body.i().i32_const(one as i32).i32_eq().if_(BlockType::Empty);
                piece.slot(slot);
                piece.body.i().i32_const(more).i32_add().local_tee(count).i32_const(0).i32_lt_s();
                piece.body.i().local_get(count).i32_const(most).i32_gt_s().i32_or();
                piece.body.give_up_if();
                piece.body.store32(address, |body| {
                    body.i().local_get(count);
                });
                piece.body.i().end();
            }
            Some(())
        })
    }

    fn tick(&mut self, clock: usize, quiet: bool) -> Option<()> {
        let machine = self.maker.machine;
        let slot = machine.game.rules.clocks.get(clock)?.slot;
        let tells = !quiet && !machine.clocks.get(clock)?.is_empty();
        let kind = machine.events.len() + clock;
        let (address, left) = (self.maker.layout.slot(slot), self.body.int());
        self.slot(slot);
        self.body.i().local_tee(left).i32_const(0).i32_gt_s();
        self.when(|piece| {
            piece.body.store32(address, |body| {
                body.i().local_get(left).i32_const(1).i32_sub();
            });
            if tells {
                piece.body.i().local_get(left).i32_const(1).i32_eq();
                piece.when(|piece| piece.wait(kind, &[]))?;
            }
            Some(())
        })
    }

    fn report(&mut self, event: usize, args: usize) -> Option<()> {
        let machine = self.maker.machine;
        if machine.events.get(event)?.is_empty() {
            return Some(());
        }
        let values: Vec<Reg> = machine.program.args.get(args)?.iter().filter_map(Arg::int).collect();
        self.wait(event, &values)
    }

    /// Something waits to be answered by rules.
    fn wait(&mut self, kind: usize, values: &[Reg]) -> Option<()> {
        let entry = self.body.int();
        let queue = self.maker.layout.queue;
        self.body.i().global_get(global::WAITING).i32_const(super::layout::QUEUE_LEN as i32).i32_ge_u();
        self.body.give_up_if();
        self.body.i().global_get(global::WAITING).i32_const(QUEUE_ENTRY as i32).i32_mul().local_tee(entry);
        self.body.i().i32_const(kind as i32).i32_store(at(queue, 2));
        for (number, &reg) in (1u32..).zip(values) {
            self.body.i().local_get(entry);
            self.get(reg);
            self.body.i().i32_store(at(queue + 4 * number, 2));
        }
        self.body.i().global_get(global::WAITING).i32_const(1).i32_add().global_set(global::WAITING);
        (values.len() <= super::layout::EVENT_VALUES).then_some(())
    }

    /// Keeps what this piece changes of the position, or brings it back.
    fn keep(&mut self, k: usize, back: bool) -> Option<()> {
        let differs = self.differs?;
        let below = (1i32 << k) - 1;
        if back {
            // Most ways end before anything has changed.
            self.body.i().local_get(differs).i32_const(below + 1).i32_and();
            self.when(|piece| piece.copy_changed(k, true))?;
        } else {
            self.copy_changed(k, false)?;
        }
        self.body.i().local_get(differs).i32_const(below).i32_and().local_set(differs);
        Some(())
    }

    fn copy_changed(&mut self, k: usize, back: bool) -> Option<()> {
        let (planes, slots) = self.changed.clone();
        let (position, saved) = (self.maker.layout.position(), self.maker.layout.saved(k));
        let mut parts: Vec<(u32, bool)> = Vec::new();
        for plane in (0..64).filter(|plane| planes >> plane & 1 == 1) {
            parts.extend((0..N).map(|word| (self.maker.layout.plane(plane, word) - position, true)));
        }
        for slot in (0..slots.len()).filter(|&slot| slots[slot]) {
            parts.push((self.maker.layout.slot(Slot(slot as u32)) - position, false));
        }
        for (offset, is_word) in parts {
            let (to, from) =
                if back { (position + offset, saved + offset) } else { (saved + offset, position + offset) };
            if is_word {
                self.body.i().i32_const(0).i32_const(0).i64_load(at(from, 3)).i64_store(at(to, 3));
            } else {
                self.body.i().i32_const(0).i32_const(0).i32_load(at(from, 2)).i32_store(at(to, 2));
            }
        }
        Some(())
    }
}
