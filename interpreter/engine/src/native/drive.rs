//! Functions that drive the rest: all legal actions, carrying one out, games at random, counting positions.

use wasm_encoder::{BlockType, ValType};

use super::asm::{Body, Local, at};
use super::layout::{DECISIONS, GROUP_HEAD, Layout, SINGLE};
use super::maker::{Key, Maker, global};
use super::piece::Piece;
use crate::ir::Fixed;
use crate::program::machine::SAVED;

/// What a decision may cost beside the turns of its pieces.
const FUEL: i32 = 1 << 22;

impl<const N: usize> Maker<'_, N> {
    /// All functions that drive. The last to be made: they know where groups lie.
    pub(super) fn drive(&self) -> Option<Vec<(Key, Body)>> {
        Some(vec![
            (Key::FindAll, self.find_all()),
            (Key::AnyLegal, self.any_legal()),
            (Key::Tally, self.tally()),
            (Key::Act, self.act()?),
            (Key::Pick, self.pick()),
            (Key::Playout, self.playout()),
            (Key::Perft, self.perft()),
        ])
    }

    /// The first group.
    fn first(&self) -> i32 {
        i32::try_from(self.layout.groups().0).unwrap_or(i32::MAX)
    }

    /// Groups of all legal actions, after those that are there.
    fn find_all(&self) -> Body {
        let rules = &self.machine.game.rules;
        let mut body = Body::new(0);
        body.set_global(global::FUEL, FUEL);
        body.load32(self.layout.slot(Fixed::TO_ACT));
        body.i().global_set(global::ME);
        for phase in 0..rules.phases.len() {
            for side in 0..rules.sides.len() {
                self.holds(&mut body, Fixed::PHASE, phase as i32);
                self.holds(&mut body, Fixed::TO_ACT, side as i32);
                body.i().i32_and();
                body.when(|body| {
                    self.call(body, Key::Find(phase, side));
                    body.i().return_();
                });
            }
        }
        // A game that is over has no legal actions; a phase without a side that acts cannot be.
        self.holds(&mut body, Fixed::PHASE, -1);
        body.i().i32_eqz();
        body.give_up_if();
        body
    }

    /// Groups of the legal actions of a side in a phase.
    pub(super) fn find(&mut self, phase: usize, side: usize) -> Option<Body> {
        let machine = self.machine;
        let rules = &machine.game.rules;
        let mut body = Body::new(0);
        let begin = body.int();
        body.i().global_get(global::FOUND).local_set(begin);
        for &action in &rules.phases.get(phase)?.actions {
            let entry = machine.program.actions.get(action)?.get(side)?.find;
            let otherwise = rules.actions.get(action)?.otherwise;
            if otherwise {
                body.i().global_get(global::FOUND).local_get(begin).i32_eq().if_(BlockType::Empty);
            }
            (body, _) = Piece::within(self, body, (entry, self.context(action, side)?), &[])?;
            if otherwise {
                body.i().end();
            }
            if self.one_suffices {
                body.i().global_get(global::ONE).global_get(global::FOUND).local_get(begin).i32_ne().i32_and();
                body.when(|body| {
                    body.i().return_();
                });
            }
        }
        Some(body)
    }

    /// Whether something is legal. Looking for it may leave the position changed, so it is kept.
    fn any_legal(&self) -> Body {
        let mut body = Body::new(0);
        let (begin, me, any, fuel) = (body.int(), body.int(), body.int(), body.int());
        let (position, saved) = (self.layout.position(), self.layout.saved(SAVED));
        body.copy((None, saved), (None, position), self.layout.size);
        body.i().global_get(global::FOUND).local_set(begin);
        body.i().global_get(global::ME).local_set(me);
        body.i().global_get(global::FUEL).local_set(fuel);
        body.set_global(global::ONE, 1);
        self.call(&mut body, Key::FindAll);
        body.set_global(global::ONE, 0);
        body.i().global_get(global::FOUND).local_get(begin).i32_ne().local_set(any);
        body.i().local_get(begin).global_set(global::FOUND);
        body.i().local_get(me).global_set(global::ME);
        body.i().local_get(fuel).global_set(global::FUEL);
        body.copy((None, position), (None, saved), self.layout.size);
        body.i().local_get(any);
        body
    }

    /// Pushes how many actions a group has.
    fn size_of(body: &mut Body, group: Local) {
        body.i().i64_const(1);
        for word in 0..N {
            body.i().local_get(group).i64_load(at(GROUP_HEAD + 8 * word as u32, 3)).i64_popcnt();
            if word > 0 {
                body.i().i64_add();
            }
        }
        body.i().local_get(group).i32_load(at(0, 2)).i32_const(SINGLE).i32_and().select().i32_wrap_i64();
    }

    /// How many actions there are in the groups from an address on.
    fn tally(&self) -> Body {
        let mut body = Body::new(1);
        let (count, end) = (body.int(), body.int());
        body.i().global_get(global::FOUND).local_set(end).block(BlockType::Empty).loop_(BlockType::Empty);
        body.i().local_get(0).local_get(end).i32_ge_u().br_if(1);
        Self::size_of(&mut body, 0);
        body.i().local_get(count).i32_add().local_set(count);
        body.i().local_get(0).i32_const(self.group_bytes()).i32_add().local_set(0).br(0).end().end();
        body.i().local_get(count);
        body
    }

    /// Carries out an action: its number and side, then its aims.
    fn act(&self) -> Option<Body> {
        let machine = self.machine;
        let sides = machine.game.rules.sides.len();
        let mut body = Body::new(5);
        for value in [global::WAITING, global::BEGINS] {
            body.set_global(value, 0);
        }
        body.i().i64_const(0).global_set(global::ENDS);
        for value in [global::GO, global::UNJUDGED] {
            body.set_global(value, -1);
        }
        body.set_global(global::FUEL, FUEL);
        self.forget_when_counting(&mut body);
        body.load32(self.layout.slot(Fixed::TO_ACT));
        body.i().global_set(global::ME);
        let count = u32::try_from(machine.program.actions.len() * sides).ok()?;
        for _ in 0..=count + 1 {
            body.i().block(BlockType::Empty);
        }
        body.i().local_get(0).i32_const(SINGLE - 1).i32_and().br_table(0..count, count);
        let mut number = 0;
        for (action, codes) in machine.program.actions.iter().enumerate() {
            for (side, code) in codes.iter().enumerate() {
                body.i().end();
                for aim in 0..u32::from(code.aims) {
                    body.i().local_get(1 + aim);
                }
                self.call(&mut body, Key::Play(action, side));
                body.i().br(count - number);
                number += 1;
            }
        }
        body.i().end().unreachable().end();
        self.call(&mut body, Key::Settle);
        Some(body)
    }

    /// Pushes what carries out an action of a group; `last` is its last aim.
    fn act_of(&self, body: &mut Body, group: Local, last: Local) {
        let machine = self.machine;
        // How many aims lie before the last: a number for each action and side, in the program.
        let most = machine.program.actions.iter().flatten().map(|code| code.aims).max().unwrap_or(0);
        body.i().local_get(group).i32_load(at(0, 2));
        for aim in 0..4u8 {
            if aim >= most {
                body.i().i32_const(0);
                continue;
            }
            let with_last: Vec<bool> = machine
                .program
                .actions
                .iter()
                .flat_map(|codes| codes.iter().map(|code| code.aims == aim + 1))
                .collect();
            // The aim is the last one of some actions and comes from the header for others.
            if with_last.iter().all(|is| *is) {
                body.i().local_get(last);
                continue;
            }
            body.i().local_get(last);
            if aim < 3 {
                body.i().local_get(group).i32_load(at(4 + 4 * u32::from(aim), 2));
            } else {
                body.i().i32_const(0);
            }
            let mask = with_last.iter().take(64).enumerate().fold(0u64, |mask, (bit, is)| mask | u64::from(*is) << bit);
            if with_last.len() <= 64 {
                body.i().i64_const(mask.cast_signed()).local_get(group).i32_load(at(0, 2)).i64_extend_i32_u();
                body.i().i64_shr_u().i32_wrap_i64().i32_const(1).i32_and().select();
            } else {
                body.i().i32_const(0);
                for (number, _) in with_last.iter().enumerate().filter(|(_, is)| **is) {
                    body.i().local_get(group).i32_load(at(0, 2)).i32_const(number as i32).i32_eq().i32_or();
                }
                body.i().select();
            }
        }
        self.call(body, Key::Act);
    }

    /// Carries out the legal action of a number.
    fn pick(&self) -> Body {
        let mut body = Body::new(1);
        let (group, size, last) = (body.int(), body.int(), body.int());
        body.i().i32_const(self.first()).local_set(group);
        body.i().block(BlockType::Empty).loop_(BlockType::Empty);
        Self::size_of(&mut body, group);
        body.i().local_tee(size).local_get(0).i32_gt_u().br_if(1);
        body.i().local_get(0).local_get(size).i32_sub().local_set(0);
        body.i().local_get(group).i32_const(self.group_bytes()).i32_add().local_tee(group);
        body.i().global_get(global::FOUND).i32_ge_u();
        body.give_up_if();
        body.i().br(0).end().end();
        self.element(&mut body, group, 0, last);
        self.act_of(&mut body, group, last);
        body
    }

    /// The place of a number within the set of a group.
    fn element(&self, body: &mut Body, group: Local, number: Local, place: Local) {
        let (word, base, here) = (body.word(), body.int(), body.int());
        body.i().local_get(group).i64_load(at(GROUP_HEAD, 3)).local_set(word);
        for next in 1..N {
            body.i().local_get(word).i64_popcnt().i32_wrap_i64().local_tee(here).local_get(number).i32_le_u();
            // Only while the word before has been left behind.
            body.i().local_get(base).i32_const(64 * (next as i32 - 1)).i32_eq().i32_and();
            body.when(|body| {
                body.i().local_get(number).local_get(here).i32_sub().local_set(number);
                body.i().i32_const(64 * next as i32).local_set(base);
                body.i().local_get(group).i64_load(at(GROUP_HEAD + 8 * next as u32, 3)).local_set(word);
            });
        }
        body.i().block(BlockType::Empty).loop_(BlockType::Empty);
        body.i().local_get(number).i32_eqz().br_if(1);
        body.i().local_get(word).local_get(word).i64_const(1).i64_sub().i64_and().local_set(word);
        body.i().local_get(number).i32_const(1).i32_sub().local_set(number).br(0).end().end();
        body.i().local_get(word).i64_ctz().i32_wrap_i64().local_get(base).i32_add().local_set(place);
    }

    /// A game at random for so many decisions at most; the position, the source of chance and the counts tell how it went.
    fn playout(&self) -> Body {
        let mut body = Body::new(1);
        let (count, done) = (body.int(), body.int());
        let (chance, wide) = (body.word(), body.word());
        body.store32(DECISIONS, |body| {
            body.i().i32_const(0);
        });
        body.i().loop_(BlockType::Empty);
        self.holds(&mut body, Fixed::DECIDED, 1);
        body.i().local_get(done).local_get(0).i32_ge_u().i32_or();
        body.when(|body| {
            body.i().return_();
        });
        body.set_global(global::FOUND, self.first());
        self.call(&mut body, Key::FindAll);
        body.i().i32_const(self.first());
        self.call(&mut body, Key::Tally);
        body.i().local_set(count);
        body.i().global_get(global::UNJUDGED).i32_const(-1).i32_gt_s();
        body.when(|body| {
            body.i().local_get(count).i32_const(0).i32_gt_s();
            self.call(body, Key::JudgeLater);
            self.holds(body, Fixed::DECIDED, 1);
            body.when(|body| {
                body.i().return_();
            });
        });
        body.i().global_get(global::ACTIONS).local_get(count).i64_extend_i32_u().i64_add().global_set(global::ACTIONS);
        body.i().local_get(count).i32_eqz();
        body.when(|body| {
            body.i().return_();
        });
        // The next word of `rng::Rng`, and the number below the count that it gives.
        let mut i = body.i();
        i.global_get(global::CHANCE).i64_const(0x9e37_79b9_7f4a_7c15_u64.cast_signed()).i64_add().local_tee(chance);
        i.global_set(global::CHANCE);
        Self::stir(&mut body, chance);
        let mut i = body.i();
        i.local_get(count).i64_extend_i32_u().local_set(wide);
        i.local_get(chance).i64_const(32).i64_shr_u().local_get(wide).i64_mul();
        i.local_get(chance).i64_const(0xffff_ffff).i64_and().local_get(wide).i64_mul().i64_const(32).i64_shr_u();
        i.i64_add().i64_const(32).i64_shr_u().i32_wrap_i64();
        self.call(&mut body, Key::Pick);
        body.i().local_get(done).i32_const(1).i32_add().local_set(done);
        body.store32(DECISIONS, |body| {
            body.i().local_get(done);
        });
        body.i().br(0).end();
        body
    }

    /// How many chains of so many decisions there are: depth, whether the last are only counted, the address where the
    /// position is kept.
    fn perft(&self) -> Body {
        let mut body = Body::new(3);
        let (depth, bulk, kept) = (0, 1, 2);
        let (begin, end, group, last) = (body.int(), body.int(), body.int(), body.int());
        let (nodes, word) = (body.word(), body.word());
        let (position, size) = (self.layout.position(), self.layout.size);
        body.i().local_get(depth).i32_eqz();
        body.when(|body| {
            body.i().i64_const(1).return_();
        });
        body.i().global_get(global::FOUND).local_tee(begin).local_set(group);
        self.forget_when_counting(&mut body);
        self.call(&mut body, Key::FindAll);
        body.i().local_get(bulk).local_get(depth).i32_const(1).i32_eq().i32_and();
        body.when(|body| {
            body.i().local_get(begin);
            self.call(body, Key::Tally);
            body.i().i64_extend_i32_u().local_get(begin).global_set(global::FOUND).return_();
        });
        body.i().global_get(global::FOUND).local_set(end);
        body.copy((Some(kept), 0), (None, position), size);
        let one = |body: &mut Body| {
            self.act_of(body, group, last);
            body.i().local_get(depth).i32_const(1).i32_eq().if_(BlockType::Result(ValType::I64)).i64_const(1).else_();
            body.i().local_get(depth).i32_const(1).i32_sub().local_get(bulk);
            body.i().local_get(kept).i32_const(size as i32).i32_add();
            self.call(body, Key::Perft);
            body.i().end().local_get(nodes).i64_add().local_set(nodes);
            body.copy((None, position), (Some(kept), 0), size);
        };
        body.i().block(BlockType::Empty).loop_(BlockType::Empty);
        body.i().local_get(group).local_get(end).i32_ge_u().br_if(1);
        body.i().local_get(group).i32_load(at(0, 2)).i32_const(SINGLE).i32_and().if_(BlockType::Empty);
        one(&mut body);
        body.i().else_();
        for number in 0..N {
            body.i().local_get(group).i64_load(at(GROUP_HEAD + 8 * number as u32, 3)).local_set(word);
            body.i().block(BlockType::Empty).loop_(BlockType::Empty);
            body.i().local_get(word).i64_eqz().br_if(1);
            body.i().local_get(word).i64_ctz().i32_wrap_i64().i32_const(64 * number as i32).i32_add().local_set(last);
            body.i().local_get(word).local_get(word).i64_const(1).i64_sub().i64_and().local_set(word);
            one(&mut body);
            body.i().br(0).end().end();
        }
        body.i().end();
        body.i().local_get(group).i32_const(Layout::<N>::GROUP as i32).i32_add().local_set(group).br(0).end().end();
        body.i().local_get(begin).global_set(global::FOUND).local_get(nodes);
        body
    }
}
