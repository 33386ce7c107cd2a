//! Where everything lies in the memory of machine code.
//!
//! Addresses are known when code is made: the position, places to keep positions, what waits while an action is carried
//! out, tables of the board, and at the end the groups of legal actions.

use std::collections::HashMap;

use super::past::PastPlace;
use crate::bits::Bits;
use crate::ir::Slot;
use crate::program::machine::SAVED;

/// Where operands and results of operations lie that the engine carries out itself.
pub(super) const OPERANDS: u32 = 256;
/// Among them: the result if it is a number, the set, the result if it is a set, arguments of a plugin.
pub(super) const INT_RESULT: u32 = 16;
pub(super) const SET_OPERAND: u32 = 64;
pub(super) const SET_RESULT: u32 = 128;
pub(super) const PLUGIN_ARGS: u32 = 256;
/// The most arguments of a plugin function.
pub(super) const MOST_ARGS: usize = 32;
/// How many decisions the run under way has made.
pub(super) const DECISIONS: u32 = 0;
/// Events and clocks that ran out: how many may wait, and how many bytes each takes.
pub(super) const QUEUE_LEN: u32 = 1024;
pub(super) const QUEUE_ENTRY: u32 = 48;
/// The most values an event has.
pub(super) const EVENT_VALUES: usize = 8;
/// How deep positions are counted.
pub(super) const LEVELS: u32 = 24;
/// A group: the action and side, three aims, then the set.
pub(super) const GROUP_HEAD: u32 = 16;
/// In the number of an action and side: there is no last aim.
pub(super) const SINGLE: i32 = 1 << 24;
/// Bytes for groups.
const GROUPS_BYTES: u32 = 1 << 20;
const PAGE: u32 = 1 << 16;
const POSITION: u32 = 4096;
/// Tables may have so many bytes; a board that needs more has no machine code.
const MOST_TABLES: usize = 8 << 20;

/// The memory of machine code.
pub(super) struct Layout<const N: usize> {
    planes: u32,
    /// Bytes of a position.
    pub size: u32,
    pub queue: u32,
    /// What the game has seen, if rules ask for it.
    pub remembers: bool,
    pub past: super::past::PastPlace,
    /// Spans that wait to begin: two lists, each used while the other is worked off.
    pub begins: [u32; 2],
    levels: u32,
    tables: u32,
    data: Vec<u8>,
    known: HashMap<Vec<u8>, u32>,
}

impl<const N: usize> Layout<N> {
    /// For positions of so many planes and slots, with room for what a game has seen or without.
    pub fn new(planes: usize, slots: usize, remembers: bool) -> Layout<N> {
        let planes = u32::try_from(planes).unwrap_or(0) * Self::SET;
        let size = (planes + 4 * u32::try_from(slots).unwrap_or(0)).next_multiple_of(16);
        let queue = POSITION + size * (2 + SAVED as u32);
        let begins = queue + QUEUE_LEN * QUEUE_ENTRY;
        let levels = begins + 2 * 512;
        let past = (levels + LEVELS * size).next_multiple_of(64);
        let tables = (past + if remembers { PastPlace::SIZE } else { 64 }).next_multiple_of(64);
        Layout {
            planes,
            size,
            queue,
            remembers,
            past: PastPlace::new(past),
            begins: [begins, begins + 512],
            levels,
            tables,
            data: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Bytes of a set.
    pub const SET: u32 = 8 * N as u32;
    /// Bytes of a group.
    pub const GROUP: u32 = GROUP_HEAD + Self::SET;

    /// The position.
    pub fn position(&self) -> u32 {
        POSITION
    }

    /// A word of a plane.
    pub fn plane(&self, plane: usize, word: usize) -> u32 {
        POSITION + Self::SET * u32::try_from(plane).unwrap_or(0) + 8 * u32::try_from(word).unwrap_or(0)
    }

    /// A slot.
    pub fn slot(&self, slot: Slot) -> u32 {
        POSITION + self.planes + 4 * slot.0
    }

    /// Where the position is kept under a number.
    pub fn saved(&self, k: usize) -> u32 {
        POSITION + self.size * (1 + u32::try_from(k).unwrap_or(0))
    }

    /// The first of the places where positions are kept while they are counted.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// The address of a table; `None` when there is no room.
    pub fn table(&mut self, bytes: Vec<u8>) -> Option<u32> {
        if let Some(&known) = self.known.get(&bytes) {
            return Some(known);
        }
        self.data.resize(self.data.len().next_multiple_of(16), 0);
        if self.data.len() + bytes.len() > MOST_TABLES {
            return None;
        }
        let address = self.tables + u32::try_from(self.data.len()).ok()?;
        self.data.extend(&bytes);
        self.known.insert(bytes, address);
        Some(address)
    }

    /// A table of sets by a number that starts at −1; that one has the empty set.
    pub fn sets(&mut self, sets: impl IntoIterator<Item = Bits<N>>) -> Option<u32> {
        let words = std::iter::once(Bits::EMPTY).chain(sets).flat_map(|set| set.0);
        self.table(words.flat_map(u64::to_le_bytes).collect())
    }

    /// A table of numbers by a number that starts at −1.
    pub fn ints(&mut self, ints: impl IntoIterator<Item = i32>) -> Option<u32> {
        self.table(ints.into_iter().flat_map(i32::to_le_bytes).collect())
    }

    /// Room for so many bytes, zero at first; `None` when there is none.
    pub fn room(&mut self, bytes: u32) -> Option<u32> {
        self.data.resize(self.data.len().next_multiple_of(16), 0);
        let address = self.tables + u32::try_from(self.data.len()).ok()?;
        let end = self.data.len() + bytes as usize;
        if end > MOST_TABLES {
            return None;
        }
        self.data.resize(end, 0);
        Some(address)
    }

    /// Where tables begin, and what they hold.
    pub fn tables(&self) -> (u32, &[u8]) {
        (self.tables, &self.data)
    }

    /// Where groups begin and end. Only once all tables are made.
    pub fn groups(&self) -> (u32, u32) {
        let from = (self.tables + u32::try_from(self.data.len()).unwrap_or(0)).next_multiple_of(16);
        (from, from + GROUPS_BYTES)
    }

    /// How many pages there are.
    pub fn pages(&self) -> u32 {
        self.groups().1.div_ceil(PAGE)
    }
}
