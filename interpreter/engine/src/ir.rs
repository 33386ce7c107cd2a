//! The rules as the engine reads them: flat arenas with dense numbers in place of names.
//!
//! Made by the compiler from a checked ruleset and its rule graph; never changed afterwards. What a rule means is what
//! the walker (`walk`) does with it. Scalars (squares, sides, kinds, numbers, tests) are all `i32` when they run: the
//! types were checked before. A square, side or kind that is not there is −1.

use crate::board::{Board, Facing, Leg};
use crate::hostcall::Signature;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// The number as an index.
            #[must_use]
            pub fn ix(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An expression of [`Rules::exprs`].
    ExprId,
    /// A statement of [`Rules::stmts`].
    StmtId,
    /// A plane of the position: one set of places.
    Plane,
    /// A number of the position.
    Slot,
    /// A value of the running rule's frame.
    Local,
    /// A zone.
    ZoneId,
    /// A geometry.
    GeoId,
    /// A primitive movement.
    PathId,
    /// An option.
    OptId,
    /// A span of time.
    SpanId,
    /// A clock.
    ClockId,
    /// A counter that belongs to each piece.
    CounterId,
    /// A reserve of pieces off the board.
    ReserveId,
    /// An event.
    EventId,
    /// A phase.
    PhaseId,
    /// A statistic.
    StatId,
    /// A piece remembered beside the position.
    RecallId,
    /// A trait of kinds.
    TraitId,
}

impl Slot {
    /// The slot so many further on.
    #[must_use]
    pub fn plus(self, more: usize) -> Slot {
        Slot(self.0 + u32::try_from(more).unwrap_or(0))
    }
}

impl Plane {
    /// The plane so many further on.
    #[must_use]
    pub fn plus(self, more: u32) -> Plane {
        Plane(self.0 + more)
    }
}

/// A place in a source text: file number, first byte, byte after the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Number of the file.
    pub file: u16,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// One place or none.
    Square,
    /// A set of places.
    Squares,
    /// A side or none.
    Side,
    /// A kind of piece or none.
    Kind,
    /// A set of kinds.
    Kinds,
    /// A whole number.
    Number,
    /// Yes or no.
    Test,
}

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
    /// Kinds of which the reserve of a side has one.
    ReserveKinds(ReserveId, ExprId),
    /// How many pieces the reserve of a side has.
    ReserveCount(ReserveId, ExprId),
    /// The side to which an open span belongs.
    SpanOwner(SpanId),
    /// The side that acts.
    Me,
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
    /// [`Rules::branch_labels`]) without what earlier branches give.
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

/// A range of values that a slot may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub low: i32,
    /// The largest.
    pub high: i32,
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotTy {
    /// A number within a range.
    Number(Range),
    /// 0 or 1.
    Test,
    /// A side or −1.
    Side,
    /// A kind or −1.
    Kind,
    /// A place or −1.
    Square,
    /// The place of one piece, or −1; it goes along with the piece and is lost with it.
    Piece,
}

/// A number of the position.
#[derive(Clone, Debug)]
pub struct SlotDef {
    /// Its name in the ruleset; empty for what the engine keeps for itself.
    pub name: String,
    /// What it holds.
    pub ty: SlotTy,
    /// For a value per side, the side; such slots lie next to each other.
    pub side: Option<u8>,
    /// The span in which it lives.
    pub span: SpanId,
    /// What it holds when the span begins.
    pub init: ExprId,
}

/// A set of places of the position.
#[derive(Clone, Debug)]
pub struct PlaneDef {
    /// Its name.
    pub name: String,
    /// Whether its bits go along with pieces.
    pub travels: bool,
    /// The span in which it lives; `None` for sides and kinds.
    pub span: Option<SpanId>,
}

/// A side.
#[derive(Clone, Debug)]
pub struct SideDef {
    /// Its name.
    pub name: String,
    /// Its name in lower case, as protocols and command lines have it.
    pub key: String,
    /// The way it looks.
    pub facing: Facing,
}

/// A branch of a geometry of a kind.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its label, if it has one.
    pub label: Option<String>,
    /// The frame's value for the square of the piece.
    pub it: Local,
    /// When it exists.
    pub guard: Option<ExprId>,
    /// Its squares.
    pub value: ExprId,
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct KindDef {
    /// Its name.
    pub name: String,
    /// Its letter in notation and on the board.
    pub letter: String,
    /// For each geometry its branches.
    pub geometry: Vec<Vec<Branch>>,
    /// Its traits.
    pub traits: Vec<TraitId>,
    /// Its paragraph.
    pub cite: String,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionDomain {
    /// Numbers of a range.
    Range(Range),
    /// Words, numbered in order.
    Words(Vec<String>),
}

/// An option.
#[derive(Clone, Debug)]
pub struct OptionDef {
    /// Its name.
    pub name: String,
    /// Its values.
    pub domain: OptionDomain,
    /// Its value unless set: the number, or the number of the word.
    pub default: i32,
    /// Its paragraph.
    pub cite: String,
    /// What it means.
    pub text: String,
}

impl OptionDef {
    /// A value as text.
    #[must_use]
    pub fn show(&self, value: i32) -> String {
        match &self.domain {
            OptionDomain::Range(_) => value.to_string(),
            OptionDomain::Words(words) => {
                usize::try_from(value).ok().and_then(|v| words.get(v)).cloned().unwrap_or_else(|| value.to_string())
            }
        }
    }

    /// The value that a text says, or what would be right.
    ///
    /// # Errors
    /// The values it may have, as a phrase.
    pub fn parse(&self, text: &str) -> Result<i32, String> {
        match &self.domain {
            OptionDomain::Range(range) => text
                .parse()
                .ok()
                .filter(|value| (range.low..=range.high).contains(value))
                .ok_or_else(|| format!("a number from {} to {}", range.low, range.high)),
            OptionDomain::Words(words) => words
                .iter()
                .position(|word| word == text)
                .and_then(|value| i32::try_from(value).ok())
                .ok_or_else(|| format!("one of {}", words.join(", "))),
        }
    }
}

/// A zone.
#[derive(Clone, Debug)]
pub struct ZoneDef {
    /// Its name.
    pub name: String,
    /// Whether each side has one.
    pub per_side: bool,
    /// The sign by which empty squares of it are drawn.
    pub drawn: Option<String>,
    /// Its squares, as written for a side that looks north.
    pub value: ExprId,
    /// Its paragraph.
    pub cite: String,
    /// Its place.
    pub origin: Origin,
}

/// A span of time.
#[derive(Clone, Debug)]
pub struct SpanDef {
    /// Its name.
    pub name: String,
    /// The span around it; the game has none.
    pub parent: Option<SpanId>,
    /// 1 while it is open.
    pub open: Slot,
    /// The side to which it belongs.
    pub owner: Slot,
    /// Whether it belongs to a side.
    pub owned: bool,
}

/// A clock.
#[derive(Clone, Debug)]
pub struct ClockDef {
    /// Its name.
    pub name: String,
    /// What is left.
    pub slot: Slot,
    /// When it runs.
    pub runs: Option<ExprId>,
}

/// A latch: becomes true once its test holds, and stays so while its span lasts.
#[derive(Clone, Debug)]
pub struct LatchDef {
    /// 1 once the test held.
    pub slot: Slot,
    /// Its span.
    pub span: SpanId,
    /// The test.
    pub when: ExprId,
}

/// A count of spans that ended.
#[derive(Clone, Debug)]
pub struct CountDef {
    /// How many.
    pub slot: Slot,
    /// Of which span.
    pub of: SpanId,
}

/// A counter of each piece, kept in binary over several planes.
#[derive(Clone, Debug)]
pub struct CounterDef {
    /// Its name.
    pub name: String,
    /// The plane of the ones; the twos, fours, … follow.
    pub first: Plane,
    /// How many planes.
    pub bits: u32,
    /// The largest value; more than that is not counted.
    pub max: i32,
}

/// A reserve: `sides × kinds` slots.
#[derive(Clone, Debug)]
pub struct ReserveDef {
    /// Its name.
    pub name: String,
    /// The slot of the first kind of the first side.
    pub first: Slot,
}

/// A part of a text template.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// A value of the frame.
    Value(Local, Ty),
    /// The letter of the kind of the piece on a place of the frame.
    KindOf(Local),
}

/// A text with places for values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template(pub Vec<Piece>);

/// An event.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// Its name.
    pub name: String,
    /// Names and types of its values.
    pub params: Vec<(String, Ty)>,
    /// What a record says of it; its values are the frame's first.
    pub notation: Option<Template>,
}

/// A phase.
#[derive(Clone, Debug)]
pub struct PhaseDef {
    /// Its name.
    pub name: String,
    /// Who acts.
    pub side: ExprId,
    /// The span that must be open; it begins with the phase if it is not.
    pub span: Option<SpanId>,
    /// Its actions in the order of their rank.
    pub actions: Vec<usize>,
    /// Its paragraph.
    pub cite: String,
    /// Its place.
    pub origin: Origin,
}

/// An action.
#[derive(Clone, Debug)]
pub struct ActionDef {
    /// Its name.
    pub name: String,
    /// Its paragraph.
    pub cite: String,
    /// What it says of itself.
    pub text: String,
    /// Legal only if nothing before it in its phase is.
    pub otherwise: bool,
    /// Phases in which it is offered.
    pub phases: Vec<PhaseId>,
    /// How it is written.
    pub notation: Template,
    /// Its steps.
    pub steps: Vec<StmtId>,
    /// How many of the steps lie before the effects: up to the last choice or condition.
    pub gate: usize,
    /// The choices in order.
    pub aims: Vec<(Local, Ty)>,
    /// Size of its frame.
    pub locals: usize,
    /// Its place.
    pub origin: Origin,
}

/// What starts a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum TriggerKind {
    /// Judged after every action and its reactions.
    AtOnce,
    /// An event; its values go to these places of the frame.
    Event(EventId, Vec<Local>),
    /// A clock that ran out.
    RunsOut(ClockId),
    /// A span that began.
    Begins(SpanId),
    /// A span that ends.
    Ends(SpanId),
    /// A count that went up: its slot.
    Counted(Slot),
    /// A phase has begun in which nothing is legal.
    Stuck(PhaseId),
}

/// A rule.
#[derive(Clone, Debug)]
pub struct RuleDef {
    /// Its name.
    pub name: String,
    /// Its paragraph.
    pub cite: String,
    /// What it says of itself.
    pub text: String,
    /// Any of these starts it.
    pub triggers: Vec<TriggerKind>,
    /// If this holds.
    pub guard: Option<ExprId>,
    /// Then this is done.
    pub steps: Vec<StmtId>,
    /// Size of its frame.
    pub locals: usize,
    /// Its place.
    pub origin: Origin,
}

/// A statistic.
#[derive(Clone, Debug)]
pub struct StatDef {
    /// Its name.
    pub name: String,
    /// Of each piece, or of each side.
    pub per_piece: bool,
    /// Its paragraph.
    pub cite: String,
}

/// A value that a state shows.
#[derive(Clone, Debug)]
pub struct ShowDef {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// The value.
    pub value: ExprId,
    /// Shown only if this holds, else null.
    pub guard: Option<ExprId>,
    /// Size of its frame.
    pub locals: usize,
}

/// A condition that every position must meet.
#[derive(Clone, Debug)]
pub struct InvariantDef {
    /// Its name.
    pub name: String,
    /// Its paragraph.
    pub cite: String,
    /// The test.
    pub test: ExprId,
    /// Size of its frame.
    pub locals: usize,
    /// Its place.
    pub origin: Origin,
}

/// A part of a line-up.
#[derive(Clone, Debug, PartialEq)]
pub enum LineupPart {
    /// Literal text.
    Text(String),
    /// So many letters of kinds, into that reserve.
    Pieces(u32, ReserveId),
}

/// A setup parameter.
#[derive(Clone, Debug)]
pub struct SetupDef {
    /// Its name.
    pub name: String,
    /// Its paragraph.
    pub cite: String,
    /// What it means.
    pub text: String,
    /// What it gives.
    pub kind: SetupKind,
}

/// What a setup parameter gives.
#[derive(Clone, Debug)]
pub enum SetupKind {
    /// Pieces of each side.
    Lineup {
        /// Unless given.
        default: String,
        /// How it is written.
        parts: Vec<LineupPart>,
    },
    /// A side in a slot; without a default, drawn by the seed.
    Side {
        /// Where it is kept.
        slot: Slot,
        /// Unless given.
        default: Option<u8>,
    },
}

/// A plugin function.
#[derive(Clone, Debug)]
pub struct PluginFnDef {
    /// Its plugin.
    pub plugin: String,
    /// Its name.
    pub name: String,
    /// Its types.
    pub signature: Signature,
    /// Where it is declared.
    pub origin: Origin,
}

/// A ruleset, ready to run.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Rules {
    pub title: String,
    pub board: Board,
    pub sides: Vec<SideDef>,
    pub kinds: Vec<KindDef>,
    pub traits: Vec<String>,
    pub geometries: Vec<String>,
    /// Labels of branches, over all kinds and geometries.
    pub branch_labels: Vec<String>,
    pub paths: Vec<Vec<Leg>>,
    pub options: Vec<OptionDef>,
    pub zones: Vec<ZoneDef>,
    pub spans: Vec<SpanDef>,
    /// Planes: first one per side, then one per kind, then the others.
    pub planes: Vec<PlaneDef>,
    /// Slots: see [`Fixed`] for the first.
    pub slots: Vec<SlotDef>,
    /// Signs of marks on the board: a plane or a piece slot.
    pub drawn_planes: Vec<(Plane, String)>,
    pub drawn_slots: Vec<(Slot, String)>,
    pub counters: Vec<CounterDef>,
    pub clocks: Vec<ClockDef>,
    pub latches: Vec<LatchDef>,
    pub counts: Vec<CountDef>,
    pub reserves: Vec<ReserveDef>,
    pub events: Vec<EventDef>,
    pub phases: Vec<PhaseDef>,
    pub actions: Vec<ActionDef>,
    /// In the order in which rules with the same trigger run.
    pub rules: Vec<RuleDef>,
    pub stats: Vec<StatDef>,
    pub recalls: Vec<String>,
    pub tallies: Vec<RuleDef>,
    pub shows: Vec<ShowDef>,
    pub invariants: Vec<InvariantDef>,
    pub setups: Vec<SetupDef>,
    pub plugin_fns: Vec<PluginFnDef>,
    pub exprs: Vec<Expr>,
    pub expr_origins: Vec<Origin>,
    pub stmts: Vec<Stmt>,
    pub stmt_origins: Vec<Origin>,
    /// The score of the first side; those of the others follow.
    pub score: Slot,
    /// Frame size that suffices for every expression outside rules and actions: branches of geometries, clocks,
    /// latches, zones, first values.
    pub shared_locals: usize,
}

/// The slots that every ruleset has, before its own.
pub struct Fixed;

impl Fixed {
    /// The phase, −1 when the game is over.
    pub const PHASE: Slot = Slot(0);
    /// The side that acts, −1 when nobody does.
    pub const TO_ACT: Slot = Slot(1);
    /// 1 once the game has a result.
    pub const DECIDED: Slot = Slot(2);
    /// The side that won, −1 for nobody.
    pub const WINNER: Slot = Slot(3);
    /// What decided: the number of a rule, or of an action after all rules; −1 for nothing.
    pub const DECIDER: Slot = Slot(4);
    /// How many there are.
    pub const COUNT: usize = 5;
}

impl Rules {
    /// The plane of a side's pieces.
    #[must_use]
    pub fn side_plane(&self, side: usize) -> Plane {
        Plane(u32::try_from(side).unwrap_or(0))
    }

    /// The plane of a kind's pieces.
    #[must_use]
    pub fn kind_plane(&self, kind: usize) -> Plane {
        Plane(u32::try_from(self.sides.len() + kind).unwrap_or(0))
    }

    /// The expression with that number.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.ix()]
    }

    /// The statement with that number.
    #[must_use]
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.ix()]
    }

    /// The kind with that letter.
    #[must_use]
    pub fn kind_by_letter(&self, letter: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.letter == letter)
    }

    /// The side with that name, in any case.
    #[must_use]
    pub fn side_by_name(&self, name: &str) -> Option<usize> {
        self.sides.iter().position(|side| side.key == name.to_lowercase())
    }
}
