//! What a ruleset declares: sides, kinds, options, spans, actions, rules and so on.

use super::ids::*;
use crate::board::Facing;
use crate::hostcall::Signature;

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
    /// Numbers of a range or some words; as a number, a word lies beyond every range (see [`word_value`]).
    RangeOr(Range, Vec<String>),
}

/// The value that stands for a word beside a range: so large that no number reaches it.
#[must_use]
pub fn word_value(index: usize) -> i32 {
    i32::MAX - i32::try_from(index).unwrap_or(0)
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
            OptionDomain::RangeOr(_, words) => {
                let index = (0..words.len()).find(|&index| word_value(index) == value);
                index.map_or_else(|| value.to_string(), |index| words[index].clone())
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
            OptionDomain::RangeOr(range, words) => {
                let number = text.parse().ok().filter(|value| (range.low..=range.high).contains(value));
                let word = || words.iter().position(|word| word == text).map(word_value);
                let expected = || format!("a number from {} to {}, or {}", range.low, range.high, words.join(", "));
                number.or_else(word).ok_or_else(expected)
            }
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
    /// Whether it is a square of each piece: one more than the number of the place, 0 for none.
    pub square: bool,
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
    /// The letter of a kind of the frame, small.
    Small(Local),
    /// The letters of the file of a place of the frame.
    FileOf(Local),
    /// The number of the rank of a place of the frame.
    RankOf(Local),
    /// The least of a place of the frame (nothing, its file, its rank, both) that tells it apart from the places of a
    /// set of the frame; without a set, from those of all legal actions that differ in nothing else.
    Apart(Local, Option<Local>),
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
    /// A phase has begun and is to be played; not judged when positions are only counted.
    Opens(PhaseId),
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

/// A condition on the position that every action of some phases must leave.
#[derive(Clone, Debug)]
pub struct LawDef {
    /// Its name.
    pub name: String,
    /// Its phases.
    pub phases: Vec<PhaseId>,
    /// The test, after the effects of the action as they are written.
    pub test: ExprId,
    /// Its paragraph.
    pub cite: String,
    /// What it says of itself.
    pub text: String,
    /// Size of its frame.
    pub locals: usize,
    /// Its place.
    pub origin: Origin,
}

/// Which parts of a position make it the same as an earlier one.
#[derive(Clone, Debug)]
pub struct HistoryDef {
    /// Its name.
    pub name: String,
    /// A position is remembered whenever this phase begins.
    pub phase: PhaseId,
    /// The sets that count.
    pub planes: Vec<Plane>,
    /// The numbers that count.
    pub slots: Vec<Slot>,
    /// Its paragraph.
    pub cite: String,
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
    /// What it says of itself.
    pub text: String,
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
