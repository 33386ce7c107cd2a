//! The binary interface: how values of the language look to a module, and back.
//!
//! In: values and their declared types. Out: words in one row, from which the values of a call are made
//! and by which its answer is remembered; and values read from an answer, each proved to be in its type.

use fullcourt_engine::hostcall::{HostLimits, HostType, HostValue, Signature};
use wasmtime::Val;
use wasmtime::wasmparser::ValType;

/// The most places a set in one word can hold.
const NARROW_PLACES: u16 = 64;
/// The most places of any board.
const MOST_PLACES: u16 = 512;
/// The words of a set in memory.
pub(crate) const SET_WORDS: usize = 8;
/// The bytes of a set in memory.
pub(crate) const SET_BYTES: usize = SET_WORDS * 8;
/// The most sets a call can pass in memory.
pub(crate) const BUFFER_SETS: usize = 8;
/// The most parameters of a function.
pub(crate) const MOST_PARAMS: usize = 16;
/// The export that gives the address for sets.
pub(crate) const BUFFER: &str = "buffer";
/// The export that holds sets.
pub(crate) const MEMORY: &str = "memory";

/// How sets travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// In a number.
    Narrow,
    /// In memory.
    Wide,
}

impl Width {
    /// The width for a board.
    pub(crate) fn of(limits: HostLimits) -> Self {
        if limits.places <= NARROW_PLACES { Width::Narrow } else { Width::Wide }
    }

    /// The name under which a function is exported.
    pub(crate) fn export(self, function: &str) -> String {
        match self {
            Width::Narrow => function.to_owned(),
            Width::Wide => format!("{function}_wide"),
        }
    }

    /// The WebAssembly type of a declared type.
    pub(crate) fn val_type(self, of: HostType) -> ValType {
        match (of, self) {
            (HostType::Squares, Width::Narrow) => ValType::I64,
            _ => ValType::I32,
        }
    }

    /// The words a value takes in a row.
    fn words(self, of: HostType) -> usize {
        match (of, self) {
            (HostType::Squares, Width::Wide) => SET_WORDS,
            _ => 1,
        }
    }
}

/// How many parameters of a signature are sets.
pub(crate) fn sets(signature: &Signature) -> usize {
    signature.params.iter().filter(|&&of| of == HostType::Squares).count()
}

/// Whether sets occur in a signature.
pub(crate) fn has_sets(signature: &Signature) -> bool {
    sets(signature) > 0 || signature.result == HostType::Squares
}

/// Writes the arguments of a call as words in one row; false when they are not of the declared types.
pub(crate) fn flatten(width: Width, types: &[HostType], args: &[HostValue], row: &mut Vec<u64>) -> bool {
    row.clear();
    if types.len() != args.len() {
        return false;
    }
    for (of, arg) in types.iter().zip(args) {
        // The sign is extended, so that equal rows mean equal arguments.
        let word = match (of, arg) {
            (HostType::Square, HostValue::Square(None)) => u64::MAX,
            (HostType::Square, HostValue::Square(Some(place))) => u64::from(*place),
            (HostType::Side, HostValue::Side(number)) | (HostType::Kind, HostValue::Kind(number)) => u64::from(*number),
            (HostType::Number, HostValue::Number(number)) => i64::from(*number) as u64,
            (HostType::Test, HostValue::Test(yes)) => u64::from(*yes),
            (HostType::Squares, HostValue::Squares(set)) if width == Width::Wide => {
                row.extend_from_slice(set);
                continue;
            }
            (HostType::Squares, HostValue::Squares([word, ..])) => *word,
            _ => return false,
        };
        row.push(word);
    }
    true
}

/// Makes the parameters of a call from a row. Sets in memory are handed to `place`, which stores them and
/// gives the address.
///
/// # Errors
/// What `place` refuses.
pub(crate) fn params<E>(
    width: Width,
    types: &[HostType],
    row: &[u64],
    mut place: impl FnMut(&[u64]) -> Result<i32, E>,
) -> Result<Vec<Val>, E> {
    let mut rest = row;
    let mut params = Vec::with_capacity(types.len());
    for &of in types {
        let (words, after) = rest.split_at(width.words(of).min(rest.len()));
        rest = after;
        params.push(match (of, words) {
            (HostType::Squares, [word]) => Val::I64(*word as i64),
            (HostType::Squares, set) => Val::I32(place(set)?),
            (_, words) => Val::I32(words.first().map_or(0, |&word| word as i32)),
        });
    }
    Ok(params)
}

/// The value of a number that a function gave, or what its type allows instead.
///
/// # Errors
/// A description of the range, when the number is outside.
pub(crate) fn number(of: HostType, found: i32, limits: HostLimits) -> Result<HostValue, String> {
    // The last number, or nothing where there is none.
    let below = |count: u16| u16::try_from(found).ok().filter(|&number| number < count);
    let range = |first: i32, count: u16| format!("a {of} from {first} to {}", i32::from(count) - 1);
    match of {
        HostType::Square if found == -1 => Ok(HostValue::Square(None)),
        HostType::Square => match below(limits.places) {
            Some(place) => Ok(HostValue::Square(Some(place))),
            None => Err(range(-1, limits.places)),
        },
        HostType::Side => match below(u16::from(limits.sides)) {
            Some(side) => Ok(HostValue::Side(side as u8)),
            None => Err(range(0, u16::from(limits.sides))),
        },
        HostType::Kind => match below(u16::from(limits.kinds)) {
            Some(kind) => Ok(HostValue::Kind(kind as u8)),
            None => Err(range(0, u16::from(limits.kinds))),
        },
        HostType::Test => match found {
            0 => Ok(HostValue::Test(false)),
            1 => Ok(HostValue::Test(true)),
            _ => Err("0 or 1".to_owned()),
        },
        HostType::Number => Ok(HostValue::Number(found)),
        HostType::Squares => Err("a set of squares".to_owned()),
    }
}

/// The value of a set, unless it holds places that the board does not have.
///
/// # Errors
/// The lowest place that is not there.
pub(crate) fn set(words: [u64; SET_WORDS], limits: HostLimits) -> Result<HostValue, u16> {
    let places = limits.places.min(MOST_PLACES);
    for (number, &word) in (0u16..).zip(&words) {
        let base = number * 64;
        let inside = match places.saturating_sub(base) {
            0 => 0,
            count @ 1..64 => (1 << count) - 1,
            _ => u64::MAX,
        };
        if word & !inside != 0 {
            return Err(base + (word & !inside).trailing_zeros() as u16);
        }
    }
    Ok(HostValue::Squares(words))
}
