//! The position: one flat value of fixed size. Copying it is the undo.

use crate::bits::Bits;
use crate::ir::{Plane, Slot};
use crate::rng::mix;

/// The most planes a ruleset may need.
pub const MAX_PLANES: usize = 64;
/// The most slots a ruleset may need.
pub const MAX_SLOTS: usize = 192;

/// Sets of places and small numbers, laid out by the compiler, and their hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<const N: usize> {
    planes: [Bits<N>; MAX_PLANES],
    slots: [i32; MAX_SLOTS],
    hash: u64,
}

impl<const N: usize> Default for Position<N> {
    fn default() -> Self {
        Position { planes: [Bits::EMPTY; MAX_PLANES], slots: [0; MAX_SLOTS], hash: 0 }
    }
}

/// The key of a place in a plane.
pub(crate) fn plane_key(plane: usize, place: usize) -> u64 {
    mix(0x5175_6172_6500_0000 ^ ((plane as u64) << 16) ^ place as u64)
}

/// What a value of a slot is mixed with.
pub(crate) fn slot_seed(slot: usize) -> u64 {
    0x4e75_6d62_0000_0000 ^ ((slot as u64) << 40)
}

fn slot_key(slot: usize, value: i32) -> u64 {
    if value == 0 { 0 } else { mix(slot_seed(slot) ^ u64::from(value.cast_unsigned())) }
}

impl<const N: usize> Position<N> {
    /// A plane.
    #[must_use]
    pub fn plane(&self, plane: Plane) -> Bits<N> {
        self.planes.get(plane.ix()).copied().unwrap_or_default()
    }

    /// A slot.
    #[must_use]
    pub fn slot(&self, slot: Slot) -> i32 {
        self.slots.get(slot.ix()).copied().unwrap_or(0)
    }

    /// A plane by its number.
    #[must_use]
    #[inline]
    pub fn plane_at(&self, plane: usize) -> Bits<N> {
        self.planes[plane % MAX_PLANES]
    }

    /// A slot by its number.
    #[must_use]
    #[inline]
    pub fn slot_at(&self, slot: usize) -> i32 {
        self.slots.get(slot).copied().unwrap_or(0)
    }

    /// Becomes a copy of another position of the same game, which uses so many planes and slots.
    #[inline]
    pub fn copy_from(&mut self, other: &Position<N>, planes: usize, slots: usize) {
        let (planes, slots) = (planes.min(MAX_PLANES), slots.min(MAX_SLOTS));
        self.planes[..planes].copy_from_slice(&other.planes[..planes]);
        self.slots[..slots].copy_from_slice(&other.slots[..slots]);
        self.hash = other.hash;
    }

    /// The hash, kept up with every change.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash computed anew.
    #[must_use]
    pub fn recomputed_hash(&self) -> u64 {
        let planes =
            self.planes.iter().enumerate().flat_map(|(p, set)| set.iter().map(move |place| plane_key(p, place)));
        let slots = self.slots.iter().enumerate().map(|(s, &value)| slot_key(s, value));
        planes.chain(slots).fold(0, |hash, key| hash ^ key)
    }

    /// The hash of some planes and slots alone.
    #[must_use]
    pub fn hash_of(&self, planes: &[Plane], slots: &[Slot]) -> u64 {
        let planes = planes.iter().flat_map(|&p| self.plane(p).iter().map(move |place| plane_key(p.ix(), place)));
        let slots = slots.iter().map(|&slot| slot_key(slot.ix(), self.slot(slot)));
        planes.chain(slots).fold(0, |hash, key| hash ^ key)
    }

    /// Sets a slot.
    pub fn set_slot(&mut self, slot: Slot, value: i32) {
        if let Some(old) = self.slots.get_mut(slot.ix()) {
            self.hash ^= slot_key(slot.ix(), *old) ^ slot_key(slot.ix(), value);
            *old = value;
        }
    }

    /// Sets a plane.
    pub fn set_plane(&mut self, plane: Plane, set: Bits<N>) {
        if let Some(old) = self.planes.get_mut(plane.ix()) {
            let changed = old.minus(set).or(set.minus(*old));
            *old = set;
            for place in changed.iter() {
                self.hash ^= plane_key(plane.ix(), place);
            }
        }
    }

    /// Puts a place into a plane or takes it out.
    pub fn set_bit(&mut self, plane: Plane, place: usize, on: bool) {
        if let Some(set) = self.planes.get_mut(plane.ix())
            && set.has(place) != on
        {
            if on {
                set.insert(place);
            } else {
                set.remove(place);
            }
            self.hash ^= plane_key(plane.ix(), place);
        }
    }
}
