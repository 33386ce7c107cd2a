//! The bent reach of a burst.
//!
//! In: the starting place, the occupied places and the size of the grid. Out: the empty places two king
//! steps away that some empty place joins to the start with a turn on the way. Knows nothing of pieces,
//! sides or energy: the ruleset asks for those.
//!
//! The places of the grid are numbered along each rank from 0. Places with higher numbers lie off the
//! grid: they are neither steps nor targets.

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

/// Calls `reach` with each place of the answer, some of them more than once.
#[inline(always)]
fn bent(from: i32, files: i32, ranks: i32, occupied: impl Fn(u32) -> bool, mut reach: impl FnMut(u32)) {
    let grid = match Grid::new(files, ranks) {
        // A negative number becomes a large one.
        Some(grid) if (from as u32) < grid.places() => grid,
        _ => return,
    };
    let (file, rank) = grid.split(from as u32);
    let empty = |file: i32, rank: i32| grid.place(file, rank).filter(|&place| !occupied(place));
    // Nine steps each way, standing still among them: no target is one step away, so it adds nothing.
    for first in 0..9 {
        let (x, y) = (first % 3 - 1, first / 3 - 1);
        if first == 4 || empty(file + x, rank + y).is_none() {
            continue;
        }
        for second in 0..9 {
            let (dx, dy) = (x + second % 3 - 1, y + second / 3 - 1);
            let two_away = dx == 2 || dx == -2 || dy == 2 || dy == -2;
            if second == first || !two_away {
                continue;
            }
            if let Some(place) = empty(file + dx, rank + dy) {
                reach(place);
            }
        }
    }
}

/// A grid of at most 64 places as one word: shifts are steps.
#[derive(Clone, Copy)]
struct Word {
    files: u32,
    all: u64,
    /// The places of the first file.
    first: u64,
}

impl Word {
    /// The grid of this size, when it fits.
    #[inline(always)]
    fn new(files: i32, ranks: i32) -> Option<Word> {
        let (files, ranks) = (files as u32, ranks as u32);
        if files < 1 || files > 32 || ranks < 1 || ranks > 64 || files * ranks > 64 {
            return None;
        }
        let all = u64::MAX >> (64 - files * ranks);
        let (mut first, mut step) = (1u64, files);
        while step < 64 {
            first |= first << step;
            step *= 2;
        }
        Some(Word { files, all, first: first & all })
    }

    #[inline(always)]
    fn sideways(self, set: u64) -> u64 {
        let last = self.first << (self.files - 1);
        (set & !last) << 1 | (set & !self.first) >> 1
    }

    #[inline(always)]
    fn straight(self, set: u64) -> u64 {
        (set << self.files) & self.all | set >> self.files
    }

    /// The places one king step away, and the set itself.
    #[inline(always)]
    fn around(self, set: u64) -> u64 {
        let row = set | self.sideways(set);
        row | self.straight(row)
    }
}

/// The same answer with sets in place of steps. A diagonal first step reaches everything around it but the corner it
/// goes straight on to, and nothing else reaches that corner; a first step along a file or rank reaches everything
/// around it but the place straight on, which diagonal steps may reach.
#[inline(always)]
fn bent_word(word: Word, from: u32, occupied: u64) -> u64 {
    let here = 1 << from;
    let empty = word.all & !occupied;
    let (side, ahead) = (word.sideways(here), word.straight(here));
    let diagonal = word.straight(side);
    let two_aside = word.sideways(side) & !here;
    let straight_on = two_aside | word.straight(ahead);
    let corners = word.straight(word.straight(two_aside)) & !two_aside;
    let by_lines = word.around((side | ahead) & empty) & !straight_on;
    let by_diagonals = word.around(diagonal & empty) & !corners;
    (by_lines | by_diagonals) & empty & !word.around(here)
}

/// The answer on a board of at most 64 places, each set one word.
#[no_mangle]
pub extern "C" fn eurostep(from: i32, occupied: u64, files: i32, ranks: i32) -> u64 {
    if let Some(word) = Word::new(files, ranks) {
        // A negative number becomes a large one.
        if from as u32 >= files as u32 * ranks as u32 {
            return 0;
        }
        return bent_word(word, from as u32, occupied);
    }
    let mut reached = 0;
    bent(
        from,
        files,
        ranks,
        // Places past the word count as taken, so a grid too large for it reaches none of them.
        |place| place > 63 || occupied >> (place & 63) & 1 == 1,
        |place| reached |= 1 << (place & 63),
    );
    reached
}

/// The answer on a larger board, each set in memory.
///
/// # Safety
/// `occupied` points to 64 readable bytes: the host passes an address within the buffer.
#[no_mangle]
#[allow(unused_unsafe)] // Taking the address is safe since Rust 1.82, not before.
pub unsafe extern "C" fn eurostep_wide(from: i32, occupied: *const u64, files: i32, ranks: i32) -> *const u64 {
    let result = unsafe { core::ptr::addr_of_mut!(RESULT) as *mut u64 };
    for word in 0..WORDS {
        *result.add(word) = 0;
    }
    bent(
        from,
        files,
        ranks,
        |place| *occupied.add(place as usize / 64 % WORDS) >> (place % 64) & 1 == 1,
        |place| *result.add(place as usize / 64 % WORDS) |= 1 << (place % 64),
    );
    result
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
