//! The seeded source of chance: `SplitMix64`, the same numbers on every machine.

/// A generator of numbers that look random.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

/// Stirs a word: the finaliser of `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014).
#[must_use]
pub fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

impl Rng {
    /// A generator that starts from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The seed from which a generator would go on like this one.
    #[must_use]
    pub fn state(&self) -> u64 {
        self.0
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number from `0..count`; 0 when `count` is 0. By multiplication (Lemire 2019) without rejection: the bias is
    /// below `count` / 2^64.
    pub fn below(&mut self, count: usize) -> usize {
        let wide = u128::from(self.word()) * count as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }
}
