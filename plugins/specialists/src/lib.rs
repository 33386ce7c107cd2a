//! Who may take a ball that passes close by.
//!
//! In: the lane of the ball, the places of those who may take it, the paint and the size of the grid.
//! Out: the places of those in reach. `perimeter` works outside the paint, `guard` inside it. Knows
//! nothing of pieces or sides: the ruleset picks who is asked and which paint is meant.
//!
//! The places of the grid are numbered along each rank from 0. Places with higher numbers lie off the
//! grid: nobody there is in reach, and a lane does not pass through them.

#![no_std]

use core::num::NonZeroU32;

/// The most places a set can hold.
const PLACES: u32 = 512;
/// The words of a set in memory.
const WORDS: usize = 8;
/// Room for as many sets as a call may pass.
const BUFFER_SETS: usize = 8;

/// Where the host writes the sets it passes.
static mut BUFFER: [u64; BUFFER_SETS * WORDS] = [0; BUFFER_SETS * WORDS];
/// Where the host reads the set that comes back.
static mut RESULT: [u64; WORDS] = [0; WORDS];

/// A grid of places, at least one and no more than a set can hold.
#[derive(Clone, Copy)]
struct Grid {
    files: NonZeroU32,
    ranks: u32,
}

impl Grid {
    /// The grid of this size, when there is one.
    #[inline(always)]
    fn new(files: i32, ranks: i32) -> Option<Grid> {
        let (files, ranks) = (files as u32, ranks as u32);
        if files > PLACES || ranks < 1 || ranks > PLACES || files * ranks > PLACES {
            return None;
        }
        NonZeroU32::new(files).map(|files| Grid { files, ranks })
    }

    /// The number of places.
    #[inline(always)]
    fn places(self) -> u32 {
        self.files.get() * self.ranks
    }

    /// The file and the rank of a place of the grid.
    #[inline(always)]
    fn split(self, place: u32) -> (i32, i32) {
        ((place % self.files) as i32, (place / self.files) as i32)
    }

    /// The place at a file and a rank, when it is on the grid.
    #[inline(always)]
    fn place(self, file: i32, rank: i32) -> Option<u32> {
        // A negative number becomes a large one.
        if (file as u32) < self.files.get() && (rank as u32) < self.ranks {
            Some(rank as u32 * self.files.get() + file as u32)
        } else {
            None
        }
    }
}

/// Whether `place` is on the grid, and it or a king neighbour on the grid is in the lane.
#[inline(always)]
fn near(grid: Grid, place: u32, lane: impl Fn(u32) -> bool) -> bool {
    if place >= grid.places() {
        return false;
    }
    let (file, rank) = grid.split(place);
    for step in 0..9 {
        if let Some(at) = grid.place(file + step % 3 - 1, rank + step / 3 - 1) {
            if lane(at) {
                return true;
            }
        }
    }
    false
}

/// Those of the 64 places `who`, numbered from `base`, that are near the lane.
#[inline(always)]
fn nearby(grid: Grid, base: u32, who: u64, lane: impl Fn(u32) -> bool) -> u64 {
    let (mut found, mut rest) = (0, who);
    while rest != 0 {
        if near(grid, base + rest.trailing_zeros(), &lane) {
            found |= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
    }
    found
}

/// Those of `who` near the lane, each set one word.
#[inline(always)]
fn narrow(lane: u64, who: u64, files: i32, ranks: i32) -> u64 {
    match Grid::new(files, ranks) {
        Some(grid) => nearby(grid, 0, who, |at| at < 64 && lane >> (at & 63) & 1 == 1),
        None => 0,
    }
}

/// Those of `who` near the lane, each set in memory. Both are narrowed to the paint, or `who` to the rest.
///
/// # Safety
/// The three pointers address 64 readable bytes each.
#[inline(always)]
unsafe fn wide(
    lane: *const u64,
    who: *const u64,
    paint: *const u64,
    files: i32,
    ranks: i32,
    inside: bool,
) -> *const u64 {
    #[allow(unused_unsafe)] // Taking the address is safe since Rust 1.82, not before.
    let result = unsafe { core::ptr::addr_of_mut!(RESULT) as *mut u64 };
    let on_lane = |at: u32| {
        let word = at as usize / 64 % WORDS;
        let allowed = if inside { *paint.add(word) } else { !0 };
        (*lane.add(word) & allowed) >> (at % 64) & 1 == 1
    };
    for word in 0..WORDS {
        let painted = *paint.add(word);
        let asked = *who.add(word) & if inside { painted } else { !painted };
        *result.add(word) = match Grid::new(files, ranks) {
            Some(grid) => nearby(grid, word as u32 * 64, asked, on_lane),
            None => 0,
        };
    }
    result
}

/// Those of `who` outside the paint within one king step of the lane, standing in it included.
#[no_mangle]
pub extern "C" fn perimeter(lane: u64, who: u64, paint: u64, files: i32, ranks: i32) -> u64 {
    narrow(lane, who & !paint, files, ranks)
}

/// Those of `who` in the paint within one king step of a lane place that lies in the paint.
#[no_mangle]
pub extern "C" fn guard(lane: u64, who: u64, paint: u64, files: i32, ranks: i32) -> u64 {
    narrow(lane & paint, who & paint, files, ranks)
}

/// `perimeter` on a board of more than 64 places.
///
/// # Safety
/// The pointers address 64 readable bytes each: the host passes addresses within the buffer.
#[no_mangle]
pub unsafe extern "C" fn perimeter_wide(
    lane: *const u64,
    who: *const u64,
    paint: *const u64,
    files: i32,
    ranks: i32,
) -> *const u64 {
    wide(lane, who, paint, files, ranks, false)
}

/// `guard` on a board of more than 64 places.
///
/// # Safety
/// The pointers address 64 readable bytes each: the host passes addresses within the buffer.
#[no_mangle]
pub unsafe extern "C" fn guard_wide(
    lane: *const u64,
    who: *const u64,
    paint: *const u64,
    files: i32,
    ranks: i32,
) -> *const u64 {
    wide(lane, who, paint, files, ranks, true)
}

/// The address of the buffer for the sets a call passes.
#[no_mangle]
#[allow(unused_unsafe)] // Taking the address is safe since Rust 1.82, not before.
pub extern "C" fn buffer() -> *mut u64 {
    unsafe { core::ptr::addr_of_mut!(BUFFER) as *mut u64 }
}

/// The code above does not panic; the host would report the trap if it did.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
