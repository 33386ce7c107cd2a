//! Texts of whole positions, further notations of actions, and how a record joins them.

use super::defs::Template;
use super::ids::*;

/// How a position text writes squares without a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum Gaps {
    /// How many lie next to each other.
    Count,
    /// A sign for each.
    Sign(String),
}

/// What a position text says of a part of the position.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// Literal text.
    Text(String),
    /// The pieces, rank by rank; large letters for the first side, small ones for the second.
    Men {
        /// From the last rank to the first.
        down: bool,
        /// Between ranks.
        between: String,
        /// How squares without a piece are written.
        gaps: Gaps,
    },
    /// A number of the position, or as many as there are sides.
    Slot {
        /// The first.
        slot: Slot,
        /// How many.
        count: usize,
        /// Words for its values in order, none for numbers and squares.
        words: Vec<String>,
        /// Between the values of two sides.
        between: String,
        /// For no value.
        none: Option<String>,
    },
    /// Squares of a mark or of a set variable, one after another.
    Plane {
        /// The set.
        plane: Plane,
        /// For the empty set.
        none: String,
    },
    /// A counter of each piece: its square as often as it counts. A square of each piece: its own square and that one.
    Counter {
        /// The counter.
        counter: CounterId,
        /// For no piece.
        none: String,
    },
    /// A word for each square that is in a set.
    Flags {
        /// The set.
        plane: Plane,
        /// Words and their squares.
        flags: Vec<(String, usize)>,
        /// For none of them.
        none: String,
    },
    /// Letters of a reserve: those of the first side, then those of the second.
    Reserve(ReserveId),
    /// The side to which an open span belongs.
    Owner {
        /// The span.
        span: SpanId,
        /// Words for the sides.
        words: Vec<String>,
        /// For a span that is not open.
        none: String,
    },
    /// The name of the phase.
    Phase,
}

/// The text of a position in one line: fields in order, read and written alike.
#[derive(Clone, Debug)]
pub struct PositionDef {
    /// Its name.
    pub name: String,
    /// The phase of every position it says, if it does not say one.
    pub phase: Option<PhaseId>,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Its place.
    pub origin: Origin,
}

/// A step of a notation.
#[derive(Clone, Debug)]
pub enum Write {
    /// A text with fields.
    Text(Template),
    /// A name for a value.
    Let(Local, ExprId),
    /// The first arm whose test holds.
    If(Vec<(ExprId, Vec<Write>)>, Vec<Write>),
}

/// Another way to write an action. It is read by comparing a text with those of the legal actions.
#[derive(Clone, Debug)]
pub struct NotationDef {
    /// Its name; several actions may share it.
    pub name: String,
    /// The number of the action; its aims are the frame's first values.
    pub action: usize,
    /// What is written of the position before it.
    pub steps: Vec<Write>,
    /// What is written of the position after it; a reader does not insist on it.
    pub after: Vec<Write>,
    /// Size of its frame.
    pub locals: usize,
    /// Its place.
    pub origin: Origin,
}

/// How a record tells a game.
#[derive(Clone, Debug)]
pub struct RecordDef {
    /// Its name.
    pub name: String,
    /// The notation of its decisions; an action without it is written as its own text.
    pub notation: String,
    /// Between two decisions of a turn.
    pub between: String,
    /// What stands before a turn; a turn without it goes on in the line of the one before.
    pub head: Vec<Write>,
    /// Words for the results: a win of each side, no winner, no result; none if results are not written.
    pub results: Vec<String>,
    /// Size of its frame.
    pub locals: usize,
    /// Its place.
    pub origin: Origin,
}
