//! Shape: a set that is known when lowered: a zone of a known side, a band of ranks or files, a known place, and what is
//! made of such sets alone or together with nothing.
//!
//! Precondition: [`Lower::folds_sets`], and that the parts are constants. Emits nothing; who uses the set has it as a
//! constant. Places as they are written, whole zones and `everywhere` are known in any case.

use fullcourt_engine::ir::{ExprId, ZoneId};
use fullcourt_engine::program::Op;

use super::Shape;
use crate::lower::emit::Made;
use crate::lower::program::Lower;
use crate::lower::values::{Int, NOTHING, Set};

fn zip(a: [u64; 8], b: [u64; 8], f: impl Fn(u64, u64) -> u64) -> [u64; 8] {
    std::array::from_fn(|word| f(a[word], b[word]))
}

impl Lower<'_> {
    /// Whether sets that are known are worked out now.
    pub fn folds_sets(&self) -> bool {
        self.shapes.has(Shape::KnownSets)
    }

    /// A zone of a side.
    pub fn zone_of(&mut self, zone: ZoneId, side: Int) -> Made<Set> {
        if let Int::Const(side) = side
            && self.folds_sets()
        {
            let sides = &self.zones[zone.ix()].sides;
            let set = usize::try_from(side).ok().and_then(|side| sides.get(side));
            return Ok(Set::Const(set.map_or(NOTHING, |set| set.0)));
        }
        let (a, zone) = (self.in_reg(side)?, self.small(zone.0)?);
        self.made_set(|d| Op::ZoneOf { d, zone, a })
    }

    /// The set of one place.
    pub fn single(&mut self, place: Int) -> Made<Set> {
        if let Int::Const(place) = place
            && self.folds_sets()
        {
            let mut words = NOTHING;
            if let Some(place) = usize::try_from(place).ok().filter(|&p| p < self.rules.board.places()) {
                words[place / 64] |= 1 << (place % 64);
            }
            return Ok(Set::Const(words));
        }
        let a = self.in_reg(place)?;
        self.made_set(|d| Op::One { d, a })
    }

    /// Ranks, or files.
    pub fn band(&mut self, a: ExprId, b: ExprId, files: bool) -> Made<Set> {
        let (a, b) = (self.int(a)?, self.int(b)?);
        if let (Int::Const(low), Int::Const(high)) = (a, b)
            && self.folds_sets()
        {
            let mut words = NOTHING;
            for place in 0..self.rules.board.grid() {
                let (file, rank) = self.rules.board.coords(place);
                if (low..=high).contains(&(if files { file } else { rank } + 1)) {
                    words[place / 64] |= 1 << (place % 64);
                }
            }
            return Ok(Set::Const(words));
        }
        let (a, b) = (self.in_reg(a)?, self.in_reg(b)?);
        self.made_set(|d| if files { Op::Files { d, a, b } } else { Op::Ranks { d, a, b } })
    }

    /// How many elements a set has.
    pub fn counted(&mut self, set: Set) -> Made<Int> {
        if let Set::Const(words) = set
            && self.folds_sets()
        {
            let count: u32 = words.iter().map(|word| word.count_ones()).sum();
            return Ok(Int::Const(i32::try_from(count).unwrap_or(i32::MAX)));
        }
        let s = self.set_in_reg(set)?;
        self.made(|d| Op::Count { d, s })
    }

    /// All places without a set.
    pub fn not(&mut self, set: Set) -> Made<Set> {
        if let Set::Const(words) = set
            && self.folds_sets()
        {
            return Ok(Set::Const(zip(self.all, words, |all, set| all & !set)));
        }
        let s = self.set_in_reg(set)?;
        self.made_set(|d| Op::Not { d, s })
    }

    /// Both sets.
    pub fn and(&mut self, a: Set, b: Set) -> Made<Set> {
        match (a, b) {
            (Set::Const(a), Set::Const(b)) if self.folds_sets() => Ok(Set::Const(zip(a, b, |a, b| a & b))),
            (Set::Const(NOTHING), _) | (_, Set::Const(NOTHING)) if self.folds_sets() => Ok(Set::Const(NOTHING)),
            _ => {
                let (s, t) = (self.set_in_reg(a)?, self.set_in_reg(b)?);
                self.made_set(|d| Op::And { d, s, t })
            }
        }
    }

    /// Either set.
    pub fn or(&mut self, a: Set, b: Set) -> Made<Set> {
        match (a, b) {
            (Set::Const(a), Set::Const(b)) if self.folds_sets() => Ok(Set::Const(zip(a, b, |a, b| a | b))),
            (Set::Const(NOTHING), other) | (other, Set::Const(NOTHING)) if self.folds_sets() => Ok(other),
            _ => {
                let (s, t) = (self.set_in_reg(a)?, self.set_in_reg(b)?);
                self.made_set(|d| Op::Or { d, s, t })
            }
        }
    }

    /// The first set without the second.
    pub fn minus(&mut self, a: Set, b: Set) -> Made<Set> {
        match (a, b) {
            (Set::Const(a), Set::Const(b)) if self.folds_sets() => Ok(Set::Const(zip(a, b, |a, b| a & !b))),
            (a, Set::Const(NOTHING)) if self.folds_sets() => Ok(a),
            _ => {
                let (s, t) = (self.set_in_reg(a)?, self.set_in_reg(b)?);
                self.made_set(|d| Op::Minus { d, s, t })
            }
        }
    }
}
