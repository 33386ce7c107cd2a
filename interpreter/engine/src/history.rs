//! What has been, beside the position: which positions a game has seen.
//!
//! A position does not know how it came about. Rules against repetition ask how often it has been there already; the
//! session keeps that for them. Keys are hashes of 64 bits of the parts that a ruleset names.

use crate::ir::{HistoryDef, HistoryId};
use crate::position::Position;
use crate::tally::Tally;

/// The positions that a game has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    seen: Vec<(HistoryId, u64)>,
}

impl History {
    /// How often a history has seen a key.
    #[must_use]
    pub fn count(&self, id: HistoryId, key: u64) -> usize {
        self.seen.iter().filter(|seen| **seen == (id, key)).count()
    }

    /// How many keys there are, over all histories.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// All keys, in their order.
    #[must_use]
    pub fn seen(&self) -> &[(HistoryId, u64)] {
        &self.seen
    }

    /// Whether nothing has been seen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Adds what a decision has seen.
    pub fn extend(&mut self, seen: Vec<(HistoryId, u64)>) {
        self.seen.extend(seen);
    }

    /// Forgets all but the first keys.
    pub fn truncate(&mut self, len: usize) {
        self.seen.truncate(len);
    }
}

/// What lies beside a position while an action is carried out.
#[derive(Debug, Default)]
pub struct Beside<'a> {
    /// Statistics, if somebody listens.
    pub tally: Option<&'a mut Tally>,
    /// What has been seen before.
    pub history: Option<&'a History>,
    /// What the decision under way has seen since.
    pub recent: &'a [(HistoryId, u64)],
    /// Positions are only counted: rules that wait for a phase to open are not judged.
    pub counting: bool,
}

impl<'a> Beside<'a> {
    /// What has been seen before, and nothing else.
    #[must_use]
    pub fn past(history: Option<&'a History>) -> Beside<'a> {
        Beside { history, ..Beside::default() }
    }

    /// The same without statistics.
    #[must_use]
    pub fn without_tally(&self) -> Beside<'a> {
        Beside { tally: None, history: self.history, recent: self.recent, counting: self.counting }
    }
}

/// The key of a position in a history.
#[must_use]
pub fn key<const N: usize>(def: &HistoryDef, pos: &Position<N>) -> u64 {
    pos.hash_of(&def.planes, &def.slots)
}
