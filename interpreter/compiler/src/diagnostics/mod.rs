//! What is said to a person about a text: problems as data, and their two renderings.
//!
//! In: sources by name, problems pushed by every stage. Out: sorted problems, text for a terminal, JSON for programs.
//! Nothing here knows the language.

mod codes;
mod nearest;
mod problem;
pub mod render;
mod source;
mod span;

pub use codes::{CODES, Code, code};
pub use nearest::nearest;
pub use problem::{Fix, Label, Level, Problem, Problems};
pub use source::{Source, Sources};
pub use span::{FileId, Span};

#[cfg(test)]
mod tests;
