//! Sets of places as words of bits.
//!
//! `N` is 1, 2, 4 or 8 and is chosen once per ruleset: the smallest that holds its places.

/// A set of up to `64 * N` places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits<const N: usize>(pub [u64; N]);

impl<const N: usize> Default for Bits<N> {
    fn default() -> Self {
        Bits::EMPTY
    }
}

impl<const N: usize> Bits<N> {
    /// The set of no place.
    pub const EMPTY: Bits<N> = Bits([0; N]);

    /// The set of the places `0..count`.
    #[must_use]
    pub fn first(count: usize) -> Self {
        let mut set = Self::EMPTY;
        for place in 0..count.min(64 * N) {
            set.insert(place);
        }
        set
    }

    /// The set of one place; a place beyond the width gives the empty set.
    #[must_use]
    pub fn one(place: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(place);
        set
    }

    /// Whether `place` is in the set.
    #[must_use]
    pub fn has(&self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Puts `place` in; a place beyond the width is ignored.
    pub fn insert(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    /// Takes `place` out.
    pub fn remove(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word &= !(1 << (place % 64));
        }
    }

    /// Whether the set has no place.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many places it has.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Places of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// Places of either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// Places of `self` that are not in `other`.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// Its lowest place.
    #[must_use]
    #[inline]
    pub fn lowest(&self) -> Option<usize> {
        let index = self.0.iter().position(|&word| word != 0)?;
        Some(64 * index + self.0[index].trailing_zeros() as usize)
    }

    /// Its highest place.
    #[must_use]
    #[inline]
    pub fn highest(&self) -> Option<usize> {
        let index = self.0.iter().rposition(|&word| word != 0)?;
        Some(64 * index + 63 - self.0[index].leading_zeros() as usize)
    }

    /// Its places up to one, that one included.
    #[must_use]
    #[inline]
    pub fn up_to(self, place: usize) -> Self {
        let mut out = self;
        for (index, word) in out.0.iter_mut().enumerate() {
            if index > place / 64 {
                *word = 0;
            } else if index == place / 64 {
                *word &= u64::MAX >> (63 - place % 64);
            }
        }
        out
    }

    /// Its places down to one, that one included.
    #[must_use]
    #[inline]
    pub fn down_to(self, place: usize) -> Self {
        let mut out = self;
        for (index, word) in out.0.iter_mut().enumerate() {
            if index < place / 64 {
                *word = 0;
            } else if index == place / 64 {
                *word &= u64::MAX << (place % 64);
            }
        }
        out
    }

    /// Its places in rising order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                Some(64 * index + bit)
            })
        })
    }

    /// The same places in eight words.
    #[must_use]
    pub fn widen(self) -> [u64; 8] {
        let mut words = [0; 8];
        for (to, from) in words.iter_mut().zip(self.0) {
            *to = from;
        }
        words
    }

    /// The places of eight words that fit.
    #[must_use]
    pub fn narrow(words: &[u64; 8]) -> Self {
        let mut set = Self::EMPTY;
        for (to, from) in set.0.iter_mut().zip(words) {
            *to = *from;
        }
        set
    }

    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut out = self;
        for (a, b) in out.0.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        out
    }
}
