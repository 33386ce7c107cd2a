//! Places in files.
//!
//! In: nothing. Out: `Span`, a half-open range of bytes of one file, cheap to copy.

use serde::Serialize;

/// A file of a `Sources`, by its index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct FileId(pub u16);

/// Bytes `start..end` of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: small(start), end: small(end.max(start)) }
    }

    /// From the start of this span to the end of the other, whichever comes first; in one file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The place just before this span, without any text.
    pub fn before(self) -> Span {
        Span { end: self.start, ..self }
    }
}
