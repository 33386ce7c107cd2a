//! Records: games as text that people read and programs replay.
//!
//! ```text
//! [Ruleset "my-game"]
//! [Title "My Game"]
//! [Hash "…"]
//! [Engine "0.1.0"]
//! [Seed "1"]
//! [Options "pace=slow length=21"]
//! [Pieces first "AAB+C"]
//! [Player first "random"]
//! [Result "first enough §7"]
//! [Score "11 4"]
//! [Decisions "3"]
//!
//! 1. First: A c3-c6, throw f3-h5 x d4
//! 2. Second: wait
//! ```
//!
//! All options are listed, not only those that were changed, so that a record says what was played even after a default
//! has changed. A header with another name than those above is a setup parameter; `[Setup name …]` says the same where a
//! parameter has one of those names. `[State "…"]` holds the state that a game was started from. A turn is a line; it
//! goes on as long as the same side acts. A decision that has a comma, a brace, a quote or a comment sign in it stands in
//! quotes.
//!
//! A ruleset may have a template of its own for the turns (`record`). Then the header `Notation` names it, and the turns
//! are told as it has them. Such a text is read as it is played: what is legal, in the record's notation, is looked for at
//! each place. So are games from elsewhere, whose headers say nothing that we know. Comments go from `//` to the end of the line, or from `{` to `}` within a line.

mod body;
mod foreign;
mod read;
mod replay;
mod scan;
mod write;

use serde_json::Value as Json;

pub use body::Body;
pub use body::replay_body;
pub use foreign::{Foreign, is_foreign, read_foreign};
pub use read::{ReadError, Script, ScriptTurn, Token, read};
pub use replay::{Difference, Replayed, replay};
pub use write::{header_of, result_text, told, told_turn, turn_text, write};

/// A decision as a record has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The action's text.
    pub text: String,
    /// The same in the notation of the ruleset's records.
    pub written: String,
    /// What came of it, with the blank before it; may be empty.
    pub outcome: String,
}

/// Decisions of one side in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The side.
    pub side: usize,
    /// What the ruleset's record puts before it.
    pub head: String,
    /// Its decisions, at least one.
    pub decisions: Vec<Decision>,
}

/// What stands above the turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The name by which the ruleset is found.
    pub ruleset: String,
    /// The ruleset's title.
    pub title: String,
    /// Content hash of ruleset, libraries and plugins.
    pub hash: String,
    /// Version of the engine that wrote it.
    pub engine: String,
    /// The seed of all chance.
    pub seed: u64,
    /// All options with their values.
    pub options: Vec<(String, String)>,
    /// Setup parameters: `(parameter, side or "", value)`.
    pub setup: Vec<(String, String, String)>,
    /// Who played which side: `(side, player)`.
    pub players: Vec<(String, String)>,
    /// The state from which the game started, if it was not the beginning.
    pub state: Option<Json>,
    /// The position from which it started, in one line.
    pub position: Option<String>,
    /// The template of the turns; `None` for a turn a line.
    pub notation: Option<String>,
    /// The result: see [`result_text`].
    pub result: String,
    /// The score at the end.
    pub score: Vec<i32>,
    /// How many decisions there are.
    pub decisions: usize,
}

/// Names of headers that are no setup parameters.
const OWN: &[&str] = &[
    "Ruleset",
    "Title",
    "Hash",
    "Engine",
    "Seed",
    "Options",
    "Player",
    "State",
    "Position",
    "Notation",
    "Result",
    "Score",
    "Decisions",
    "Setup",
];

/// The largest text of a record, in bytes.
pub const TEXT_BYTES: usize = 8 << 20;
/// The longest line, in bytes.
pub const LINE_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests;
