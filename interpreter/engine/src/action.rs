//! Packed actions.

/// The most aims an action may have.
pub const MAX_AIMS: usize = 4;
const AIM_BITS: u32 = 13;
const AIM_MASK: u64 = (1 << AIM_BITS) - 1;

/// An action in one word: the number of its definition and up to four aims (places or kinds).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(u64);

impl Action {
    /// Packs the number of an action's definition and its aims; more than [`MAX_AIMS`] aims are not kept.
    #[must_use]
    pub fn pack(def: usize, aims: &[i32]) -> Action {
        let mut word = def as u64 & 0xfff;
        for (index, &aim) in aims.iter().take(MAX_AIMS).enumerate() {
            let aim = u64::from(aim.cast_unsigned()) & AIM_MASK;
            word |= aim << (12 + AIM_BITS * u32::try_from(index).unwrap_or(0));
        }
        Action(word)
    }

    /// The number of its definition.
    #[must_use]
    pub fn def(self) -> usize {
        usize::try_from(self.0 & 0xfff).unwrap_or(0)
    }

    /// An aim; 0 where there is none.
    #[must_use]
    pub fn aim(self, index: usize) -> i32 {
        let shift = 12 + AIM_BITS * u32::try_from(index).unwrap_or(0);
        i32::try_from(self.0.checked_shr(shift).unwrap_or(0) & AIM_MASK).unwrap_or(0)
    }
}
