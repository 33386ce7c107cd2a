//! What can go wrong while rules run, and why an action is refused.

use crate::ir::Origin;

/// A rule could not be carried out. The position from which it started is untouched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Fault {
    /// A stable code, such as `occupied`.
    pub code: &'static str,
    /// The action or rule that ran.
    pub rule: String,
    /// One sentence for people.
    pub text: String,
    /// The place in the ruleset.
    pub origin: Origin,
}

/// Why an action is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The action's rule.
    pub rule: String,
    /// Its paragraph; may be empty.
    pub cite: String,
    /// The condition that does not hold.
    pub origin: Origin,
    /// One sentence for people.
    pub text: String,
}
