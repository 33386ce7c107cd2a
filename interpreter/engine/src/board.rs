//! Places, their names, and how they lie to each other.
//!
//! A place has coordinates whether it belongs to the grid or lies beyond it, so that geometry treats both alike. The
//! grid's places come first, row by row from the first rank (a1, b1, …), then the places beyond in declared order.

use std::collections::BTreeMap;

use crate::bits::Bits;

/// The most places a board may have.
pub const MAX_PLACES: usize = 512;

/// The eight directions as (files, ranks), clockwise from north.
pub const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The way a side looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// Towards higher ranks.
    North,
    /// Towards lower ranks.
    South,
}

/// Directions of a leg; all but the first three depend on the way the piece's owner looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Directions {
    /// All eight.
    Any,
    /// Along files and ranks.
    Straight,
    /// Along diagonals.
    Diagonal,
    /// Straight ahead.
    Forward,
    /// Straight back.
    Back,
    /// Left and right.
    Sideways,
    /// The two diagonals ahead.
    Askew,
    /// Straight and diagonally ahead.
    Ahead,
}

impl Directions {
    /// Whether a direction of [`DIRECTIONS`] belongs to the set, as seen by a side that looks that way.
    #[must_use]
    pub fn contains(self, direction: usize, facing: Facing) -> bool {
        let (files, ranks) = DIRECTIONS[direction % 8];
        let ahead = if facing == Facing::North { ranks } else { -ranks };
        match self {
            Directions::Any => true,
            Directions::Straight => files == 0 || ranks == 0,
            Directions::Diagonal => files != 0 && ranks != 0,
            Directions::Forward => files == 0 && ahead == 1,
            Directions::Back => files == 0 && ahead == -1,
            Directions::Sideways => ranks == 0,
            Directions::Askew => files != 0 && ahead == 1,
            Directions::Ahead => ahead == 1,
        }
    }
}

/// A leg of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leg {
    /// A leap of so many squares along one axis and so many along the other, in all eight ways.
    Leap(i32, i32),
    /// Steps in one direction.
    Steps {
        /// The directions.
        dirs: Directions,
        /// At least so many steps.
        min: u32,
        /// At most so many.
        max: u32,
        /// Whether the steps go through anything.
        free: bool,
        /// Whether the direction must differ from that of the leg before.
        turning: bool,
    },
    /// Steps of any length, each way being (files, ranks) as seen by a side that looks north.
    Ride {
        /// The ways.
        ways: Vec<(i32, i32)>,
        /// At least so many steps.
        min: u32,
        /// At most so many.
        max: u32,
    },
}

/// Whether pieces can stop a path.
#[must_use]
pub fn is_stopped(legs: &[Leg]) -> bool {
    !matches!(
        legs,
        [Leg::Leap(..) | Leg::Ride { max: 1, .. } | Leg::Steps { min: 1, max: 1, .. } | Leg::Steps { free: true, .. }]
    )
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    /// Files of the grid.
    pub files: i32,
    /// Ranks of the grid.
    pub ranks: i32,
    coords: Vec<(i32, i32)>,
    at: BTreeMap<(i32, i32), usize>,
    next: Vec<[i16; 8]>,
}

impl Board {
    /// A board of `files` × `ranks` squares with further places at these coordinates (from (0, 0) = a1). `None` when
    /// it has no place, more than [`MAX_PLACES`], or two places at the same coordinates.
    #[must_use]
    pub fn new(files: i32, ranks: i32, beyond: &[(i32, i32)]) -> Option<Board> {
        let grid = usize::try_from(files).ok()?.checked_mul(usize::try_from(ranks).ok()?)?;
        if grid == 0 || grid + beyond.len() > MAX_PLACES {
            return None;
        }
        let mut coords: Vec<(i32, i32)> =
            (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank))).collect();
        coords.extend_from_slice(beyond);
        let at: BTreeMap<(i32, i32), usize> = coords.iter().enumerate().map(|(place, &c)| (c, place)).collect();
        if at.len() != coords.len() {
            return None;
        }
        let step = |&(file, rank): &(i32, i32), (df, dr): (i32, i32)| -> i16 {
            at.get(&(file + df, rank + dr)).and_then(|&place| i16::try_from(place).ok()).unwrap_or(-1)
        };
        let next = coords.iter().map(|c| DIRECTIONS.map(|d| step(c, d))).collect();
        Some(Board { files, ranks, coords, at, next })
    }

    /// How many places it has, those beyond the grid included.
    #[must_use]
    pub fn places(&self) -> usize {
        self.coords.len()
    }

    /// How many of them belong to the grid.
    #[must_use]
    pub fn grid(&self) -> usize {
        usize::try_from(self.files * self.ranks).unwrap_or(0)
    }

    /// The coordinates of a place, (0, 0) being a1.
    #[must_use]
    pub fn coords(&self, place: usize) -> (i32, i32) {
        self.coords.get(place).copied().unwrap_or((0, 0))
    }

    /// The place at these coordinates.
    #[must_use]
    pub fn at(&self, file: i32, rank: i32) -> Option<usize> {
        self.at.get(&(file, rank)).copied()
    }

    /// The name of a place: the letters of its file and the number of its rank.
    #[must_use]
    pub fn name(&self, place: usize) -> String {
        let (file, rank) = self.coords(place);
        format!("{}{}", file_letters(file), rank + 1)
    }

    /// The place of that name.
    #[must_use]
    pub fn parse(&self, name: &str) -> Option<usize> {
        let (file, rank) = parse_coords(name)?;
        self.at(file, rank)
    }

    /// King distance between two places: the larger of the differences of files and ranks.
    #[must_use]
    pub fn distance(&self, a: usize, b: usize) -> i32 {
        let ((af, ar), (bf, br)) = (self.coords(a), self.coords(b));
        (af - bf).abs().max((ar - br).abs())
    }

    /// The places strictly between two on one file, rank or diagonal; none when they share no line.
    #[must_use]
    pub fn between<const N: usize>(&self, a: usize, b: usize) -> Bits<N> {
        let mut set = Bits::EMPTY;
        let ((af, ar), (bf, br)) = (self.coords(a), self.coords(b));
        let (df, dr) = (bf - af, br - ar);
        if df != 0 && dr != 0 && df.abs() != dr.abs() {
            return set;
        }
        let (sf, sr) = (df.signum(), dr.signum());
        let (mut file, mut rank) = (af + sf, ar + sr);
        while (file, rank) != (bf, br) && a != b {
            if let Some(place) = self.at(file, rank) {
                set.insert(place);
            }
            file += sf;
            rank += sr;
        }
        set
    }

    /// The places in front of `from` as seen towards `to`: the scalar product of the two ways is positive.
    #[must_use]
    pub fn in_front<const N: usize>(&self, from: usize, to: usize) -> Bits<N> {
        let ((ff, fr), (tf, tr)) = (self.coords(from), self.coords(to));
        let mut set = Bits::EMPTY;
        for (place, (file, rank)) in self.coords.iter().enumerate() {
            if (file - ff) * (tf - ff) + (rank - fr) * (tr - fr) > 0 {
                set.insert(place);
            }
        }
        set
    }

    /// The places at most `reach` king steps from some place of `set`.
    #[must_use]
    pub fn near<const N: usize>(&self, set: Bits<N>, reach: i32) -> Bits<N> {
        let mut out = Bits::EMPTY;
        for place in 0..self.places() {
            if set.iter().any(|other| self.distance(place, other) <= reach) {
                out.insert(place);
            }
        }
        out
    }

    /// The same set seen from the other end: ranks counted from the other baseline.
    #[must_use]
    pub fn oriented<const N: usize>(&self, set: Bits<N>, facing: Facing) -> Bits<N> {
        if facing == Facing::North {
            return set;
        }
        let mut out = Bits::EMPTY;
        for place in set.iter() {
            let (file, rank) = self.coords(place);
            if let Some(other) = self.at(file, self.ranks - 1 - rank) {
                out.insert(other);
            }
        }
        out
    }

    /// Where a path of legs may end: every leg starts where the one before ended, steps go on only through places of
    /// `through`, and a leg that is not the last must end in `through`.
    #[must_use]
    pub fn path<const N: usize>(&self, legs: &[Leg], from: usize, through: Bits<N>, facing: Facing) -> Bits<N> {
        let mut ends = Bits::EMPTY;
        match legs {
            [] => {}
            [leg] => self.leg(leg, from, None, through, facing, &mut |place, _| ends.insert(place)),
            _ => {
                // For each place the directions by which it was reached (bit 8: by a leap), so that a path of many legs
                // costs places × directions a leg and not the number of ways.
                let mut reached = vec![0u16; self.places()];
                if let Some(start) = reached.get_mut(from) {
                    *start = 1 << 8;
                }
                for (index, leg) in legs.iter().enumerate() {
                    let mut next = vec![0u16; self.places()];
                    for (place, &ways) in reached.iter().enumerate().filter(|(_, ways)| **ways != 0) {
                        if index > 0 && !leg_is_free(&legs[index - 1]) && !through.has(place) {
                            continue;
                        }
                        for came in (0..9).filter(|came| ways >> came & 1 == 1) {
                            let came = (came < 8).then_some(came);
                            self.leg(leg, place, came, through, facing, &mut |end, way| {
                                next[end] |= 1 << way.unwrap_or(8);
                            });
                        }
                    }
                    reached = next;
                }
                for (place, _) in reached.iter().enumerate().filter(|(_, ways)| **ways != 0) {
                    ends.insert(place);
                }
            }
        }
        ends
    }

    fn leg<const N: usize>(
        &self,
        leg: &Leg,
        from: usize,
        came: Option<usize>,
        through: Bits<N>,
        facing: Facing,
        arrive: &mut impl FnMut(usize, Option<usize>),
    ) {
        match *leg {
            Leg::Leap(a, b) => {
                let (file, rank) = self.coords(from);
                for (df, dr) in [(a, b), (b, a)] {
                    for (sf, sr) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                        if let Some(place) = self.at(file + sf * df, rank + sr * dr)
                            && place != from
                        {
                            arrive(place, None);
                        }
                    }
                }
            }
            Leg::Ride { ref ways, min, max } => {
                let ahead = if facing == Facing::North { 1 } else { -1 };
                for &(files, ranks) in ways {
                    let (mut file, mut rank) = self.coords(from);
                    for step in 1..=max {
                        (file, rank) = (file + files, rank + ahead * ranks);
                        let Some(place) = self.at(file, rank) else {
                            break;
                        };
                        if step >= min && place != from {
                            arrive(place, None);
                        }
                        if !through.has(place) {
                            break;
                        }
                    }
                }
            }
            Leg::Steps { dirs, min, max, free, turning } => {
                for direction in 0..8 {
                    if !dirs.contains(direction, facing) || (turning && came == Some(direction)) {
                        continue;
                    }
                    let mut place = from;
                    let mut steps = 0;
                    while steps < max {
                        let Some(next) = self.step(place, direction) else {
                            break;
                        };
                        place = next;
                        steps += 1;
                        if steps >= min {
                            arrive(place, Some(direction));
                        }
                        if !free && !through.has(place) {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// The neighbour of a place in a direction of [`DIRECTIONS`].
    #[must_use]
    pub fn step(&self, place: usize, direction: usize) -> Option<usize> {
        usize::try_from(*self.next.get(place)?.get(direction)?).ok()
    }
}

fn leg_is_free(leg: &Leg) -> bool {
    matches!(leg, Leg::Steps { free: true, .. })
}

/// The letters of a file: a to z, then aa, ab, ….
#[must_use]
pub fn file_letters(file: i32) -> String {
    let letter = |n: i32| char::from(b'a' + u8::try_from(n.rem_euclid(26)).unwrap_or(0));
    if file < 26 { letter(file).to_string() } else { format!("{}{}", letter(file / 26 - 1), letter(file)) }
}

/// The coordinates that a name such as `d4` or `aa12` says; `e0` lies below the first rank.
#[must_use]
pub fn parse_coords(name: &str) -> Option<(i32, i32)> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = name.split_at(digits);
    if letters.is_empty() || letters.len() > 2 || number.len() > 4 || (number.len() > 1 && number.starts_with('0')) {
        return None;
    }
    let mut file = 0;
    for c in letters.bytes() {
        if !c.is_ascii_lowercase() {
            return None;
        }
        file = file * 26 + i32::from(c - b'a') + 1;
    }
    let rank: i32 = number.bytes().all(|c| c.is_ascii_digit()).then(|| number.parse().ok())??;
    Some((file - 1, rank - 1))
}
