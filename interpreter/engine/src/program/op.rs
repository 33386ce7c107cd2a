//! The operations.

use crate::ir::{Arith, Cmp};

/// A register: of numbers or of sets, as the operation says.
pub type Reg = u8;

/// Where to go on in the code.
pub type To = u32;

/// An operation. `d` is where the result goes; `a`, `b` are numbers, `s`, `t` sets.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "each operation says what its parts are for")]
pub enum Op {
    /// The end of a piece of code.
    End,
    /// Stops everything: the walker is to be asked.
    Give,
    /// No piece stands where a legal action has one: gives up, too.
    Nobody,
    /// The guard of a rule has held.
    Passed,
    /// Goes on elsewhere; backwards, that costs fuel.
    Jump(To),
    /// Costs fuel.
    Fuel(u32),
    /// Goes on elsewhere if the set is empty.
    IfEmpty { s: Reg, to: To },
    /// Goes on elsewhere if the set has something.
    IfSome { s: Reg, to: To },
    /// Goes on elsewhere if the place (or kind) is in the set.
    IfIn { a: Reg, s: Reg, to: To },
    /// Goes on elsewhere if it is not.
    IfOut { a: Reg, s: Reg, to: To },
    /// Goes on elsewhere if the comparison holds.
    IfCmp { cmp: Cmp, a: Reg, b: Reg, to: To },
    /// The same with a number known when lowered.
    IfCmpConst { cmp: Cmp, a: Reg, k: i32, to: To },
    /// Goes on elsewhere by the kind of the piece on a place.
    Switch { a: Reg, table: u16 },
    /// Takes the first element out of a set into a number; goes on elsewhere if there is none. Costs fuel.
    Next { d: Reg, s: Reg, to: To },

    /// A number known when lowered.
    Int { d: Reg, k: i32 },
    /// A copy.
    Copy { d: Reg, a: Reg },
    /// A number of the position.
    Slot { d: Reg, slot: u16 },
    /// That of a side; 0 for no side.
    SlotOf { d: Reg, slot: u16, a: Reg },
    /// The side that acts.
    Me { d: Reg },
    /// The side that has won.
    Winner { d: Reg },
    /// How often a history has seen the position.
    Seen { d: Reg, history: u16 },
    /// The next side.
    Opponent { d: Reg, a: Reg },
    /// Arithmetic.
    Arith { op: Arith, d: Reg, a: Reg, b: Reg },
    /// How many elements a set has.
    Count { d: Reg, s: Reg },
    /// The kind of the piece on a place.
    KindAt { d: Reg, a: Reg },
    /// Its side.
    OwnerAt { d: Reg, a: Reg },
    /// The rank of a place.
    RankAt { d: Reg, a: Reg },
    /// Its file.
    FileAt { d: Reg, a: Reg },
    /// King distance.
    Distance { d: Reg, a: Reg, b: Reg },
    /// A counter of the piece on a place.
    Counter { d: Reg, counter: u16, a: Reg },
    /// How many pieces a reserve of a side has.
    ReserveCount { d: Reg, reserve: u16, a: Reg },

    /// A set known when lowered.
    Set { d: Reg, k: u16 },
    /// A copy.
    CopySet { d: Reg, s: Reg },
    /// A plane of the position.
    Plane { d: Reg, plane: u8 },
    /// Places with a piece.
    Occupied { d: Reg },
    /// Places of the grid without a piece.
    Empty { d: Reg },
    /// The pieces of a side.
    SideSet { d: Reg, a: Reg },
    /// The pieces of a kind.
    KindSet { d: Reg, a: Reg },
    /// The set of one place, or of none.
    One { d: Reg, a: Reg },
    /// Both.
    And { d: Reg, s: Reg, t: Reg },
    /// Either.
    Or { d: Reg, s: Reg, t: Reg },
    /// The first without the second.
    Minus { d: Reg, s: Reg, t: Reg },
    /// All places without the set.
    Not { d: Reg, s: Reg },
    /// Adds an element.
    Insert { d: Reg, a: Reg },
    /// A zone of a side that only the position tells.
    ZoneOf { d: Reg, zone: u16, a: Reg },
    /// Ranks `a..=b`.
    Ranks { d: Reg, a: Reg, b: Reg },
    /// Files `a..=b`.
    Files { d: Reg, a: Reg, b: Reg },
    /// Where a path leads from a place through a set; `facing` is 0 for north, 1 for south, 255 for that of the piece's
    /// owner, else of the side that acts.
    Path { d: Reg, path: u16, a: Reg, t: Reg, facing: u8 },
    /// Places strictly between two.
    Between { d: Reg, a: Reg, b: Reg },
    /// Places in front.
    InFront { d: Reg, a: Reg, b: Reg },
    /// Places within so many steps.
    Near { d: Reg, s: Reg, a: Reg },
    /// Kinds of which a reserve of a side has one.
    ReserveKinds { d: Reg, reserve: u16, a: Reg },
    /// A plugin function; the result is a number or a set.
    Plugin { d: Reg, function: u16, args: u16 },

    /// A piece goes from a place to another.
    Move { a: Reg, b: Reg },
    /// The pieces of a set go to the places in numbers that a loop has gathered with [`Op::Gather`].
    MoveGathered,
    /// Notes that the piece on a place goes to another.
    Gather { a: Reg, b: Reg },
    /// A piece of kind `a` and side `b` appears on `c`.
    Put { a: Reg, b: Reg, c: Reg },
    /// The piece on a place disappears.
    Remove { a: Reg },
    /// Pieces on these places get a mark.
    Mark { plane: u8, s: Reg },
    /// They lose it.
    Unmark { plane: u8, s: Reg },
    /// A set variable.
    SetPlane { plane: u8, s: Reg },
    /// A number of the position.
    SetSlot { slot: u16, a: Reg },
    /// That of side `b`.
    SetSlotOf { slot: u16, b: Reg, a: Reg },
    /// Adds to a number of the position.
    AddSlot { slot: u16, a: Reg },
    /// To that of side `b`.
    AddSlotOf { slot: u16, b: Reg, a: Reg },
    /// Takes from it.
    TakeSlot { slot: u16, a: Reg },
    /// From that of side `b`.
    TakeSlotOf { slot: u16, b: Reg, a: Reg },
    /// Sets a counter of the piece on a place.
    SetCounter { counter: u16, a: Reg, b: Reg },
    /// One more of kind `b` in a reserve of side `a`.
    Give1 { reserve: u16, a: Reg, b: Reg },
    /// One less.
    Take1 { reserve: u16, a: Reg, b: Reg },
    /// A clock that runs goes down by one; `quiet`: nobody is told when it runs out.
    Tick { clock: u16, quiet: bool },
    /// An event with its values.
    Report { event: u16, args: u16 },
    /// A span is to begin for a side; for none with −1.
    Begin { span: u16, a: Reg },
    /// A span is to end.
    EndSpan { span: u16 },
    /// The next phase.
    Go { phase: u16 },
    /// A side has won, unless the game has a result.
    Win { a: Reg },
    /// The result becomes a win of a side.
    Award { a: Reg },
    /// Nobody has won, unless the game has a result.
    Draw,

    /// Keeps the position.
    Save { k: u8 },
    /// Takes it back.
    Restore { k: u8 },
    /// A group of legal actions: those aims before the last, and each element of a set as the last.
    Group { action: u16, prefix: u16, s: Reg },
    /// An action without aims is legal.
    Single { action: u16 },
    /// An action is legal: ends the search if one suffices.
    Enough,
}

impl Op {
    /// Where it may go on elsewhere; a [`Op::Switch`] has a table for that.
    pub fn target_mut(&mut self) -> Option<&mut To> {
        match self {
            Op::Jump(to)
            | Op::IfEmpty { to, .. }
            | Op::IfSome { to, .. }
            | Op::IfIn { to, .. }
            | Op::IfOut { to, .. }
            | Op::IfCmp { to, .. }
            | Op::IfCmpConst { to, .. }
            | Op::Next { to, .. } => Some(to),
            _ => None,
        }
    }

    /// What kind of operation it is.
    #[must_use]
    pub fn name(&self) -> String {
        let text = format!("{self:?}");
        let end = text.find(|sign: char| !sign.is_alphanumeric()).unwrap_or(text.len());
        text[..end].to_owned()
    }
}
