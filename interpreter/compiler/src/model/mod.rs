//! Do names, types and meanings hold? Strings end here.
//!
//! In: merged items. Out: a [`Model`]: everything resolved to dense numbers, definitions expanded, every expression typed.
//! What order the rules have, and whether the whole makes sense (can every phase be left?), is the graph's question.

mod betza;
mod blocks;
mod calls;
mod declare;
mod exprs;
pub mod load;
mod movement;
mod options;
mod parts;
mod scope;
mod stmts;
mod templates;
mod texts;
mod types;

use fullcourt_engine::ir::Rules;

use crate::diagnostics::{Problems, Span};

pub use load::Merged;
pub use types::span as span_of;

/// What the graph must know of an action or rule beside what it does.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// The place of its name.
    pub name: Span,
    /// Rules that must come before.
    pub after: Vec<(String, Span)>,
    /// Rules that must come after.
    pub before: Vec<(String, Span)>,
}

/// A checked ruleset.
#[derive(Clone, Debug)]
pub struct Model {
    /// What the engine will run; its rules and the actions of its phases are not yet in order.
    pub rules: Rules,
    /// Of each action.
    pub actions: Vec<Info>,
    /// Of each rule.
    pub rule_infos: Vec<Info>,
    /// Places of the names of laws.
    pub law_spans: Vec<Span>,
    /// Places of the names of options, events, phases and clocks, by their number.
    pub option_spans: Vec<Span>,
    /// See `option_spans`.
    pub event_spans: Vec<Span>,
    /// See `option_spans`.
    pub phase_spans: Vec<Span>,
    /// See `option_spans`.
    pub clock_spans: Vec<Span>,
    /// Names and places of plugins.
    pub plugins: Vec<(String, Span)>,
    /// Option values: defaults, changed by `set`.
    pub defaults: Vec<i32>,
}

/// Checks merged items.
///
/// Errors are pushed into `problems`; the model is given back all the same, with what could be understood.
pub fn check(merged: &Merged, sources: &crate::diagnostics::Sources, problems: &mut Problems) -> Option<Model> {
    scope::Check::new(merged, sources, problems).run()
}
