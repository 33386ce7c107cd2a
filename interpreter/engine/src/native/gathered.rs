//! Moves of many pieces at once: gathered one by one, then carried out together.

use wasm_encoder::BlockType;

use super::asm::{Body, Local, at};
use super::layout::Layout;
use super::maker::{Key, Maker, global};

impl<const N: usize> Maker<'_, N> {
    /// The functions for it, with a list of moves and two sets in memory.
    pub(super) fn gathered(&mut self) -> Option<Vec<(Key, Body)>> {
        let most = u32::try_from(self.machine.game.rules.board.places()).ok()?;
        let list = self.layout.room(8 * most)?;
        let sets = self.layout.room(2 * Layout::<N>::SET)?;
        Some(vec![
            (Key::Gather, Self::gather(list, most)),
            (Key::MoveGathered, self.move_gathered(list, sets, sets + Layout::<N>::SET)),
        ])
    }

    /// Notes a move.
    fn gather(list: u32, most: u32) -> Body {
        let mut body = Body::new(2);
        let entry = body.int();
        body.i().global_get(global::GATHERED).i32_const(most as i32).i32_ge_u();
        body.i().local_get(0).local_get(1).i32_or().i32_const(0).i32_lt_s().i32_or();
        body.give_up_if();
        body.i().global_get(global::GATHERED).i32_const(3).i32_shl().local_tee(entry);
        body.i().local_get(0).i32_store(at(list, 2));
        body.i().local_get(entry).local_get(1).i32_store(at(list + 4, 2));
        body.i().global_get(global::GATHERED).i32_const(1).i32_add().global_set(global::GATHERED);
        body
    }

    /// Code for each move, its two ends in locals.
    fn each(body: &mut Body, list: u32, (from, to): (Local, Local), work: impl FnOnce(&mut Body)) {
        let entry = body.int();
        body.i().i32_const(0).local_set(entry).block(BlockType::Empty).loop_(BlockType::Empty);
        body.i().local_get(entry).global_get(global::GATHERED).i32_const(3).i32_shl().i32_ge_u().br_if(1);
        body.i().local_get(entry).i32_load(at(list, 2)).local_set(from);
        body.i().local_get(entry).i32_load(at(list + 4, 2)).local_set(to);
        work(body);
        body.i().local_get(entry).i32_const(8).i32_add().local_set(entry).br(0).end().end();
    }

    /// Pushes where the word of a place lies in a set.
    fn word_of(body: &mut Body, place: Local) {
        body.i().local_get(place).i32_const(6).i32_shr_u().i32_const(3).i32_shl();
    }

    /// Pushes the bit of a place in a set, as 0 or 1 of 64 bits.
    fn bit(body: &mut Body, set: u32, place: Local) {
        Self::word_of(body, place);
        body.i().i64_load(at(set, 3)).local_get(place).i64_extend_i32_u().i64_shr_u().i64_const(1).i64_and();
    }

    /// Turns the bit of a place in a set.
    fn turn(body: &mut Body, set: u32, place: Local) {
        Self::word_of(body, place);
        Self::word_of(body, place);
        body.i().i64_load(at(set, 3)).i64_const(1).local_get(place).i64_extend_i32_u().i64_shl().i64_xor();
        body.i().i64_store(at(set, 3));
    }

    /// All pieces leave, then all arrive; gives up where one is missing or two would share a place.
    fn move_gathered(&self, list: u32, after: u32, old: u32) -> Body {
        let game = &self.machine.game;
        let mut body = Body::new(0);
        let (from, to, slot) = (body.int(), body.int(), body.int());
        for word in 0..N {
            body.store64(after + 8 * word as u32, |body| {
                body.load64(self.layout.plane(0, word));
                for side in 1..game.rules.sides.len() {
                    body.load64(self.layout.plane(side, word));
                    body.i().i64_or();
                }
            });
        }
        for which in 0..2 {
            Self::each(&mut body, list, (from, to), |body| {
                let place = if which == 0 { from } else { to };
                Self::bit(body, after, place);
                body.i().i64_const(i64::from(which)).i64_eq();
                body.give_up_if();
                Self::turn(body, after, place);
            });
        }
        for &plane in &game.travelling {
            let plane = self.layout.plane(plane.ix(), 0);
            for word in 0..N as u32 {
                body.store64(old + 8 * word, |body| body.load64(plane + 8 * word));
            }
            Self::each(&mut body, list, (from, to), |body| {
                Self::bit(body, plane, from);
                body.i().i64_const(1).i64_eq();
                body.when(|body| Self::turn(body, plane, from));
            });
            Self::each(&mut body, list, (from, to), |body| {
                Self::bit(body, old, from);
                body.i().i64_const(1).i64_eq();
                body.when(|body| {
                    Self::bit(body, plane, to);
                    body.i().i64_eqz();
                    body.when(|body| Self::turn(body, plane, to));
                });
            });
        }
        for &piece in &game.piece_slots {
            let address = self.layout.slot(piece);
            body.load32(address);
            body.i().local_set(slot);
            Self::each(&mut body, list, (from, to), |body| {
                body.i().local_get(from).local_get(slot).i32_eq();
                body.when(|body| {
                    body.store32(address, |body| {
                        body.i().local_get(to);
                    });
                });
            });
        }
        body.set_global(global::GATHERED, 0);
        body
    }
}
