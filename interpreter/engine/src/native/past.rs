//! What a game has seen, and what plugins have answered, kept in the memory of machine code.
//!
//! The key of a position in a history is the same as [`crate::history::key`]; it is kept up by what has changed since it was
//! asked for last. Keys lie in a list, with counts by some of their bits beside it: most positions have not been seen, and
//! the counts tell that without looking through the list.

use wasm_encoder::{BlockType, ValType};

use super::asked::{int_at, put};
use super::asm::{Body, at};
use super::layout::{INT_RESULT, Layout, OPERANDS, PLUGIN_ARGS, SET_RESULT};
use super::maker::{ASK, Key, Maker, Signature};
use crate::history::History;
use crate::hostcall::HostType;
use crate::ir::HistoryId;
use crate::position::{plane_key, slot_seed};
use crate::program::Op;

/// The most positions a game may see.
const MOST_SEEN: u32 = 1 << 14;
/// Bytes of an entry: the history, then the key.
const ENTRY: u32 = 16;
/// Counts by bits of keys; a power of two.
const COUNTS: u32 = 1 << 12;
/// How many answers of a plugin function are kept that is called directly; a power of two.
const QUICK: u32 = 1 << 6;
/// How many answers of another one; a power of two.
const ANSWERS: u32 = 1 << 10;

/// Where the past lies: the number of entries, the counts, the entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct PastPlace(u32);

impl PastPlace {
    /// Bytes it takes.
    pub const SIZE: u32 = 16 + 4 * COUNTS + ENTRY * MOST_SEEN;

    pub fn new(address: u32) -> PastPlace {
        PastPlace(address)
    }

    fn counts(self) -> u32 {
        self.0 + 16
    }

    fn entries(self) -> u32 {
        self.counts() + 4 * COUNTS
    }

    /// Puts a past into memory; `None` when it is too long.
    pub fn write(self, history: &History, bytes: &mut [u8]) -> Option<()> {
        bytes.get_mut(self.counts() as usize..)?.get_mut(..4 * COUNTS as usize)?.fill(0);
        let count = u32::try_from(history.len()).ok().filter(|&count| count <= MOST_SEEN)?;
        put(bytes, self.0, &count.to_le_bytes())?;
        for (number, (id, key)) in (0u32..).zip(history.seen()) {
            let entry = self.entries() + ENTRY * number;
            put(bytes, entry, &id.0.to_le_bytes())?;
            put(bytes, entry + 8, &key.to_le_bytes())?;
            let count = self.counts() + 4 * (*key as u32 & (COUNTS - 1));
            let more = int_at(bytes, count)? + 1;
            put(bytes, count, &more.to_le_bytes())?;
        }
        Some(())
    }

    /// The past that lies in memory.
    pub fn read(self, bytes: &[u8]) -> Option<History> {
        let count = u32::try_from(int_at(bytes, self.0)?).ok()?;
        let mut seen = Vec::with_capacity(count as usize);
        for number in 0..count {
            let entry = self.entries() + ENTRY * number;
            let id = HistoryId(u32::try_from(int_at(bytes, entry)?).ok()?);
            let key = u64::from_le_bytes(*bytes.get(entry as usize + 8..)?.first_chunk()?);
            seen.push((id, key));
        }
        let mut history = History::default();
        history.extend(seen);
        Some(history)
    }
}

impl<const N: usize> Maker<'_, N> {
    /// Functions for histories and plugins.
    pub(super) fn past(&mut self) -> Option<Vec<(Key, Body)>> {
        let mut made = Vec::new();
        if self.layout.remembers {
            for history in 0..self.machine.game.rules.histories.len() {
                made.push((Key::Hash(history), self.key_of(history)?));
                made.push((Key::Seen(history), self.seen(history)?));
            }
            made.push((Key::SlotHash, Self::slot_key()));
            for phase in 0..self.machine.sees.len() {
                made.push((Key::See(phase), self.see(phase)?));
            }
        }
        for function in self.plugins() {
            let direct = self.directs.iter().position(|(direct, _)| *direct == function);
            let body = match direct {
                Some(number) => self.quick(function, 1 + u32::try_from(number).ok()?)?,
                None => self.memo(function)?,
            };
            made.push((Key::Memo(function), body));
        }
        Some(made)
    }

    /// Whether only rules for a phase that opens ask for the past.
    pub(super) fn only_opening_asks(&self) -> bool {
        let code = &self.machine.program.code;
        let asks = |entry: u32| {
            let code = code.get(entry as usize..self.end_of(entry) as usize).unwrap_or_default();
            code.iter().any(|op| matches!(op, Op::Seen { .. }))
        };
        let opening: Vec<u32> =
            self.machine.program.rules.iter().filter(|rule| rule.only_opens()).map(|rule| rule.entry).collect();
        self.entries().all(|entry| opening.contains(&entry) || !asks(entry))
    }

    /// While positions are counted, only what the decision under way has seen is known.
    pub(super) fn forget_when_counting(&self, body: &mut Body) {
        if self.layout.remembers && !self.only_opening_asks() {
            let count = self.layout.past.0;
            body.i().global_get(super::maker::global::COUNTING);
            body.when(|body| {
                body.store32(count, |body| {
                    body.i().i32_const(0);
                });
            });
        }
    }

    /// The plugin functions that the program asks.
    pub(super) fn plugins(&self) -> Vec<usize> {
        let asked = |op: &Op| if let Op::Plugin { function, .. } = op { Some(usize::from(*function)) } else { None };
        let mut asked: Vec<usize> = self.machine.program.code.iter().filter_map(asked).collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    /// The key of the position in a history.
    fn key_of(&mut self, history: usize) -> Option<Body> {
        let machine = self.machine;
        let def = machine.game.rules.histories.get(history)?;
        let mut body = Body::new(0);
        let (key, new, changed) = (body.word(), body.word(), body.word());
        let size = 8 + Layout::<N>::SET * def.planes.len() as u32 + 4 * def.slots.len() as u32;
        let state = self.layout.room(size)?;
        body.load64(state);
        body.i().local_set(key);
        for (number, &plane) in (0u32..).zip(&def.planes) {
            let keys = (0..64 * N).map(|place| plane_key(plane.ix(), place));
            let keys = self.layout.table(keys.flat_map(u64::to_le_bytes).collect())?;
            for word in 0..N {
                let kept = state + 8 + Layout::<N>::SET * number + 8 * word as u32;
                body.load64(self.layout.plane(plane.ix(), word));
                body.i().local_tee(new);
                body.load64(kept);
                body.i().i64_xor().local_tee(changed).i64_const(0).i64_ne();
                body.when(|body| {
                    body.store64(kept, |body| {
                        body.i().local_get(new);
                    });
                    body.i().loop_(BlockType::Empty);
                    body.i().local_get(changed).i64_ctz().i32_wrap_i64().i32_const(3).i32_shl();
                    body.i().i64_load(at(keys + 512 * word as u32, 3)).local_get(key).i64_xor().local_set(key);
                    body.i().local_get(changed).local_get(changed).i64_const(1).i64_sub().i64_and().local_tee(changed);
                    body.i().i64_const(0).i64_ne().br_if(0).end();
                });
            }
        }
        let slots = state + 8 + Layout::<N>::SET * def.planes.len() as u32;
        for (number, &slot) in (0u32..).zip(&def.slots) {
            let (kept, address) = (slots + 4 * number, self.layout.slot(slot));
            let seed = slot_seed(slot.ix()).cast_signed();
            body.load32(address);
            body.load32(kept);
            body.i().i32_ne();
            body.when(|body| {
                for address in [address, kept] {
                    body.i().i64_const(seed);
                    body.load32(address);
                    self.call(body, Key::SlotHash);
                    body.i().local_get(key).i64_xor().local_set(key);
                }
                body.store32(kept, |body| body.load32(address));
            });
        }
        body.store64(state, |body| {
            body.i().local_get(key);
        });
        body.i().local_get(key);
        Some(body)
    }

    /// The key of a value of a slot, given the slot's seed; 0 for 0.
    fn slot_key() -> Body {
        let mut body = Body::new(2);
        body.i().local_get(0).local_get(1).i64_extend_i32_u().i64_xor().local_set(0);
        Self::stir(&mut body, 0);
        body.i().local_get(0).i64_const(0).local_get(1).select();
        body
    }

    /// Stirs a word in place, as [`crate::rng::mix`] does.
    pub(super) fn stir(body: &mut Body, word: u32) {
        for (shift, factor) in [(30, Some(0xbf58_476d_1ce4_e5b9_u64)), (27, Some(0x94d0_49bb_1331_11eb)), (31, None)] {
            body.i().local_get(word).local_get(word).i64_const(shift).i64_shr_u().i64_xor();
            if let Some(factor) = factor {
                body.i().i64_const(factor.cast_signed()).i64_mul();
            }
            body.i().local_set(word);
        }
    }

    /// Notes the position for the histories of a phase.
    fn see(&self, phase: usize) -> Option<Body> {
        let place = self.layout.past;
        let mut body = Body::new(0);
        let (key, count, bucket) = (body.word(), body.int(), body.int());
        for history in self.machine.sees.get(phase)? {
            self.call(&mut body, Key::Hash(history.ix()));
            body.i().local_set(key);
            body.load32(place.0);
            body.i().local_tee(count).i32_const(MOST_SEEN as i32).i32_ge_u();
            body.give_up_if();
            body.store32(place.0, |body| {
                body.i().local_get(count).i32_const(1).i32_add();
            });
            let entries = place.entries();
            body.i().local_get(count).i32_const(ENTRY as i32).i32_mul().local_tee(count);
            body.i().i32_const(history.0 as i32).i32_store(at(entries, 2));
            body.i().local_get(count).local_get(key).i64_store(at(entries + 8, 3));
            Self::bucket(&mut body, key);
            body.i().local_tee(bucket).local_get(bucket).i32_load(at(place.counts(), 2)).i32_const(1).i32_add();
            body.i().i32_store(at(place.counts(), 2));
        }
        Some(body)
    }

    /// Pushes where the count of a key lies.
    fn bucket(body: &mut Body, key: u32) {
        body.i().local_get(key).i32_wrap_i64().i32_const(COUNTS as i32 - 1).i32_and().i32_const(2).i32_shl();
    }

    /// How often a history has seen the position.
    fn seen(&self, history: usize) -> Option<Body> {
        let place = self.layout.past;
        let mut body = Body::new(0);
        let (key, other) = (body.word(), body.word());
        let (entry, left, count) = (body.int(), body.int(), body.int());
        self.call(&mut body, Key::Hash(history));
        body.i().local_set(key);
        Self::bucket(&mut body, key);
        body.i().i32_load(at(place.counts(), 2)).local_set(left);
        body.load32(place.0);
        body.i().i32_const(ENTRY as i32).i32_mul().local_set(entry);
        // From the newest on, until all that share the count have been found.
        let entries = place.entries();
        body.i().block(BlockType::Empty).loop_(BlockType::Empty);
        body.i().local_get(left).i32_eqz().local_get(entry).i32_eqz().i32_or().br_if(1);
        body.i().local_get(entry).i32_const(ENTRY as i32).i32_sub().local_set(entry);
        body.i().local_get(entry).i64_load(at(entries + 8, 3)).local_get(key).i64_xor().local_tee(other);
        body.i().i64_const(i64::from(COUNTS) - 1).i64_and().i64_const(0).i64_ne().br_if(0);
        body.i().local_get(left).i32_const(1).i32_sub().local_set(left);
        body.i().local_get(other).i64_eqz();
        body.i().local_get(entry).i32_load(at(entries, 2)).i32_const(i32::try_from(history).ok()?).i32_eq().i32_and();
        body.i().local_get(count).i32_add().local_set(count).br(0).end().end();
        body.i().local_get(count);
        Some(body)
    }

    /// The answer of a plugin function: its arguments and its result lie where [`ASK`] has them. Plugin functions are pure,
    /// so an answer holds for good; each question has one place, and the newest answer stays.
    fn memo(&mut self, function: usize) -> Option<Body> {
        let def = self.machine.game.rules.plugin_fns.get(function)?;
        let mut words: Vec<(u32, bool)> = Vec::new();
        for (number, &ty) in (0u32..).zip(&def.signature.params) {
            let address = OPERANDS + PLUGIN_ARGS + 64 * number;
            match ty {
                HostType::Squares => words.extend((0..N as u32).map(|word| (address + 8 * word, true))),
                _ => words.push((address, false)),
            }
        }
        let result: Vec<(u32, bool)> = match def.signature.result {
            HostType::Squares => (0..N as u32).map(|word| (OPERANDS + SET_RESULT + 8 * word, true)).collect(),
            _ => vec![(OPERANDS + INT_RESULT, false)],
        };
        let size = 8 * (1 + words.len() + result.len()) as u32;
        let places = self.layout.room(size * ANSWERS)?;
        let push = |body: &mut Body, (address, is_word): (u32, bool)| {
            if is_word {
                body.load64(address);
            } else {
                body.load32(address);
                body.i().i64_extend_i32_u();
            }
        };
        let mut body = Body::new(1);
        let (hash, place) = (body.word(), body.int());
        for &word in &words {
            push(&mut body, word);
            body.i().local_get(hash).i64_const(5).i64_rotl().i64_xor();
            body.i().i64_const(0x517c_c1b7_2722_0a95).i64_mul().local_set(hash);
        }
        body.i().local_get(hash).i64_const(32).i64_shr_u().i32_wrap_i64().i32_const(ANSWERS as i32 - 1).i32_and();
        body.i().i32_const(size as i32).i32_mul().local_set(place);
        body.i().block(BlockType::Empty);
        body.i().local_get(place).i64_load(at(places, 3)).i64_eqz().br_if(0);
        for (number, &word) in (1u32..).zip(&words) {
            push(&mut body, word);
            body.i().local_get(place).i64_load(at(places + 8 * number, 3)).i64_ne().br_if(0);
        }
        let answer = places + 8 * (1 + words.len() as u32);
        for (number, &(address, is_word)) in (0u32..).zip(&result) {
            body.i().i32_const(0).local_get(place).i64_load(at(answer + 8 * number, 3));
            if is_word {
                body.i().i64_store(at(address, 3));
            } else {
                body.i().i32_wrap_i64().i32_store(at(address, 2));
            }
        }
        body.i().return_().end();
        body.i().local_get(0).call(ASK);
        body.i().local_get(place).i64_const(1).i64_store(at(places, 3));
        for (number, &part) in (1u32..).zip(words.iter().chain(&result)) {
            body.i().local_get(place);
            push(&mut body, part);
            body.i().i64_store(at(places + 8 * number, 3));
        }
        Some(body)
    }

    /// A plugin function that is called directly, with answers remembered: within a decision the same is asked again and
    /// again. `import` is its number among the imports.
    fn quick(&mut self, function: usize, import: u32) -> Option<Body> {
        let (params, results) = self.direct_signature(function)?;
        let size = 8 * (2 + params.len() as u32);
        let places = self.layout.room(size * QUICK)?;
        let mut body = Body::new(params.len());
        let (hash, place) = (body.int(), body.int());
        let push = |body: &mut Body, number: u32| {
            body.i().local_get(number);
            if params.get(number as usize) == Some(&ValType::I32) {
                body.i().i64_extend_i32_u();
            }
        };
        // Sets change less from question to question than numbers do, and cost more to stir.
        for (number, ty) in (0u32..).zip(&params) {
            if *ty == ValType::I32 {
                body.i().local_get(hash).i32_const(5).i32_mul().local_get(number).i32_add().local_set(hash);
            }
        }
        body.i()
            .local_get(hash)
            .i32_const(QUICK as i32 - 1)
            .i32_and()
            .i32_const(size as i32)
            .i32_mul()
            .local_set(place);
        body.i().block(BlockType::Empty);
        body.i().local_get(place).i64_load(at(places, 3)).i64_eqz().br_if(0);
        for number in 0..params.len() as u32 {
            push(&mut body, number);
            body.i().local_get(place).i64_load(at(places + 16 + 8 * number, 3)).i64_ne().br_if(0);
        }
        body.i().local_get(place).i64_load(at(places + 8, 3));
        if results == [ValType::I32] {
            body.i().i32_wrap_i64();
        }
        body.i().return_().end();
        body.i().local_get(place);
        for number in 0..params.len() as u32 {
            body.i().local_get(number);
        }
        body.i().call(import);
        if results == [ValType::I32] {
            body.i().i64_extend_i32_s();
        }
        // Only an answer that was given counts: a call that stops leaves nothing behind.
        body.i().i64_store(at(places + 8, 3)).local_get(place).i64_const(1).i64_store(at(places, 3));
        for number in 0..params.len() as u32 {
            body.i().local_get(place);
            push(&mut body, number);
            body.i().i64_store(at(places + 16 + 8 * number, 3));
        }
        body.i().local_get(place).i64_load(at(places + 8, 3));
        if results == [ValType::I32] {
            body.i().i32_wrap_i64();
        }
        Some(body)
    }

    /// Declares them: which there are, with their parameters and results.
    pub(super) fn past_signatures(&self) -> Vec<(Key, Signature)> {
        let mut keys: Vec<(Key, Signature)> = Vec::new();
        if self.layout.remembers {
            for history in 0..self.machine.game.rules.histories.len() {
                keys.push((Key::Hash(history), (vec![], vec![ValType::I64])));
                keys.push((Key::Seen(history), (vec![], vec![ValType::I32])));
            }
            keys.push((Key::SlotHash, (vec![ValType::I64, ValType::I32], vec![ValType::I64])));
            keys.extend((0..self.machine.sees.len()).map(|phase| (Key::See(phase), (vec![], vec![]))));
        }
        for function in self.plugins() {
            let is_direct = self.directs.iter().any(|(direct, _)| *direct == function);
            let signature = self.direct_signature(function).filter(|_| is_direct);
            keys.push((Key::Memo(function), signature.unwrap_or((vec![ValType::I32], vec![]))));
        }
        keys
    }

    /// Parameters and result of a plugin function that is called directly.
    pub(super) fn direct_signature(&self, function: usize) -> Option<Signature> {
        let signature = &self.machine.game.rules.plugin_fns.get(function)?.signature;
        let of = |ty: HostType| if ty == HostType::Squares { ValType::I64 } else { ValType::I32 };
        Some((signature.params.iter().map(|&ty| of(ty)).collect(), vec![of(signature.result)]))
    }
}
