//! Expressions and statements.

use super::ids::*;

/// Which of a zone's sets is meant.
#[derive(Clone, Copy, Debug)]
pub enum ZoneOf {
    /// The only one, or those of all sides together.
    All,
    /// That of the side for which it was written (only within other zones).
    Written,
    /// That of a side.
    Side(ExprId),
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A sign of arithmetic; results stop at the ends of `i32`, division by zero gives zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
}

impl Cmp {
    /// Whether two numbers compare so.
    #[must_use]
    #[inline]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Cmp::Eq => a == b,
            Cmp::Ne => a != b,
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
        }
    }
}

impl Arith {
    /// What two numbers give.
    #[must_use]
    #[inline]
    pub fn of(self, a: i32, b: i32) -> i32 {
        match self {
            Arith::Add => a.saturating_add(b),
            Arith::Sub => a.saturating_sub(b),
            Arith::Mul => a.saturating_mul(b),
            Arith::Div => a.checked_div(b).unwrap_or(0),
        }
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A scalar.
    Const(i32),
    /// A set of places known when compiled.
    Places(Box<[u64; 8]>),
    /// All places of the grid.
    Everywhere,
    /// Places of the grid without a piece.
    Empty,
    /// Places with a piece.
    Occupied,
    /// A value of the frame.
    Local(Local),
    /// The value of an option: a number, or the number of its word.
    Option(OptId),
    /// A zone.
    Zone(ZoneId, ZoneOf),
    /// Ranks `a..=b`, counted from 1 at the baseline of the side for which it is written.
    Ranks(ExprId, ExprId),
    /// Files `a..=b`, counted from 1.
    Files(ExprId, ExprId),
    /// The pieces of a side.
    SidePieces(ExprId),
    /// The pieces of a kind.
    KindPieces(ExprId),
    /// The pieces of the kinds with a trait.
    TraitPieces(TraitId),
    /// The set of one place, or of none.
    Single(ExprId),
    /// A plane of the position: a mark or a set variable.
    Plane(Plane),
    /// A number of the position.
    Slot(Slot),
    /// The slot that lies so many after the first as the side's number.
    SlotOf(Slot, ExprId),
    /// A counter of the piece on a place; 0 where there is no piece.
    Counter(CounterId, ExprId),
    /// A set of kinds known when compiled.
    Kinds(u64),
    /// Kinds of which the reserve of a side has one.
    ReserveKinds(ReserveId, ExprId),
    /// How many pieces the reserve of a side has.
    ReserveCount(ReserveId, ExprId),
    /// The side to which an open span belongs.
    SpanOwner(SpanId),
    /// The side that acts.
    Me,
    /// The side that has won, if any.
    Winner,
    /// How often a history has seen the position as it is now.
    Seen(HistoryId),
    /// The next side after one, in a ring.
    Opponent(ExprId),
    /// Places of both.
    SetAnd(ExprId, ExprId),
    /// Places of either.
    SetOr(ExprId, ExprId),
    /// Places of the board that are not in it.
    SetNot(ExprId),
    /// Both tests.
    And(ExprId, ExprId),
    /// Either test.
    Or(ExprId, ExprId),
    /// Not the test.
    Not(ExprId),
    /// A place is in a set.
    InSet(ExprId, ExprId),
    /// A kind is in a set of kinds.
    InKinds(ExprId, ExprId),
    /// A set of places has one.
    Some(ExprId),
    /// How many places a set has.
    Count(ExprId),
    /// Comparison of scalars.
    Cmp(Cmp, ExprId, ExprId),
    /// Arithmetic.
    Arith(Arith, ExprId, ExprId),
    /// A choice.
    If(ExprId, ExprId, ExprId),
    /// A name for a value.
    Let(Local, ExprId, ExprId),
    /// The places of a set that pass a test.
    Those(Local, ExprId, ExprId),
    /// The place of a set with the smallest keys; of equals the first in the board's order.
    The(Local, ExprId, Vec<ExprId>),
    /// A primitive movement from a place; steps go on through a set (default: empty places).
    Path(PathId, ExprId, Option<ExprId>),
    /// A geometry of the piece on a place: all its branches, or those with a label (a number of
    /// [`Rules::branch_labels`](super::Rules::branch_labels)) without what earlier branches give.
    Geometry(GeoId, Option<u16>, ExprId),
    /// A plugin function by its number.
    Plugin(u16, Vec<ExprId>),
    /// Places strictly between two.
    Between(ExprId, ExprId),
    /// King distance between two places; a large number when one is missing.
    Distance(ExprId, ExprId),
    /// Places in front of the first as seen towards the second.
    InFront(ExprId, ExprId),
    /// Places within so many king steps of a set.
    Near(ExprId, ExprId),
    /// The kind of the piece on a place.
    KindAt(ExprId),
    /// The side of the piece on a place.
    OwnerAt(ExprId),
    /// The rank of a place, from 1.
    RankAt(ExprId),
    /// The file of a place, from 1.
    FileAt(ExprId),
    /// Where the piece is that a statistic remembers (only in tallies).
    Recalled(RecallId),
}

/// What `choose` chooses from, and how a refusal describes the parts.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Where the choice is kept.
    pub local: Local,
    /// Squares or kinds.
    pub domain: ExprId,
    /// [`Ty::Square`] or [`Ty::Kind`].
    pub ty: Ty,
    /// The conditions that make up the domain, each with its text in the ruleset.
    pub parts: Vec<(ExprId, String)>,
    /// Its paragraph, if it has one of its own.
    pub cite: String,
    /// What a refusal says in place of the conditions, if anything.
    pub text: String,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// An aim of an action.
    Choose(Choice),
    /// A condition of an action: test, paragraph, words.
    Need(ExprId, String, String),
    /// A name for a value.
    Let(Local, ExprId),
    /// The first arm whose test holds.
    If(Vec<(ExprId, Vec<StmtId>)>, Vec<StmtId>),
    /// Once for each side.
    ForSides(Local, Vec<StmtId>),
    /// Once for each place of a set as it is at the beginning, in the board's order.
    For(Local, ExprId, Vec<StmtId>),
    /// A piece goes from one place to another; what belongs to it goes along.
    Move(ExprId, ExprId),
    /// Every piece of a set goes to its own place, all at once; a name for its place before.
    MoveEach(Local, ExprId, ExprId),
    /// A piece of a kind and a side appears on a place.
    Put(ExprId, ExprId, ExprId),
    /// The piece on a place disappears.
    Remove(ExprId),
    /// Pieces on these places get a mark, or lose it.
    Mark(Plane, ExprId, bool),
    /// A set variable.
    SetPlane(Plane, ExprId),
    /// A number of the position; of a side where the second is given.
    SetSlot(Slot, Option<ExprId>, ExprId),
    /// Adds to a number of the position (`true`) or takes from it.
    AddSlot(Slot, Option<ExprId>, ExprId, bool),
    /// Sets the counter of the piece on a place.
    SetCounter(CounterId, ExprId, ExprId),
    /// Puts one piece of a kind into the reserve of a side (`true`) or takes one out.
    Reserve(ReserveId, ExprId, ExprId, bool),
    /// A clock goes down by one if it runs.
    Tick(ClockId),
    /// An event.
    Report(EventId, Vec<ExprId>),
    /// A span is to begin, for a side where it belongs to one.
    Begin(SpanId, Option<ExprId>),
    /// A span is to end.
    End(SpanId),
    /// The next phase.
    Go(PhaseId),
    /// A side has won, unless the game has a result.
    Win(ExprId),
    /// The result becomes a win of this side.
    Award(ExprId),
    /// Nobody has won.
    Draw,
    /// Adds to a statistic of the piece on a place, or of a side, or takes from it (`false`).
    Stat(StatId, ExprId, ExprId, bool),
    /// Remembers the piece on a place.
    Recall(RecallId, ExprId),
    /// Forgets it.
    Forget(RecallId),
}
