//! The rule graph: phases, actions, rules, events, spans, clocks and values as nodes, and what ties them together.
//!
//! In: a checked model. Out: a [`RuleGraph`] that can be drawn and asked, the order in which rules run, and the problems
//! that only the whole shows. Petgraph ends here: the engine gets plain lists.

mod build;
mod draw;
mod facts;
mod lint;
mod overlap;
pub mod refs;

use petgraph::graph::DiGraph;
use serde::Serialize;

pub use build::build;
pub use lint::lint;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "node", content = "name", rename_all = "snake_case")]
pub enum Node {
    /// A phase.
    Phase(String),
    /// An action.
    Action(String),
    /// A rule.
    Rule(String),
    /// An event.
    Event(String),
    /// A span of time.
    Span(String),
    /// A clock.
    Clock(String),
    /// A variable, mark, counter or reserve.
    Value(String),
    /// A condition that every action of a phase must leave.
    Law(String),
    /// A history of positions.
    History(String),
    /// An option.
    Option(String),
    /// The result of the game.
    Result,
}

/// What ties two nodes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// A phase offers an action.
    Offers,
    /// A phase binds its actions to a law.
    Binds,
    /// A history sees positions in which a phase begins.
    Sees,
    /// An action or rule reports an event.
    Reports,
    /// An event, a clock that runs out, or the end or beginning of a span starts a rule.
    Starts,
    /// An action or rule leads to a phase.
    Goes,
    /// It lets a span begin.
    Begins,
    /// It lets a span end.
    Ends,
    /// It moves a clock.
    Ticks,
    /// It reads a value or an option.
    Reads,
    /// It changes a value.
    Writes,
    /// It decides the game.
    Decides,
    /// A rule runs before another.
    Before,
}

/// The graph of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct RuleGraph {
    /// Nodes and ties.
    pub graph: DiGraph<Node, Tie>,
    /// The numbers of the rules in the order in which they run.
    pub order: Vec<usize>,
}
