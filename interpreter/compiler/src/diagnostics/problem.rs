//! Problems as data.
//!
//! In: whatever a stage found. Out: `Problem`s, and `Problems` that sorts them and drops exact duplicates.
//!
//! Messages start in lower case, have no final period, put the reader's own text in backticks, name no Rust type, and say
//! what was found, what was expected and the nearest valid name.

use super::span::Span;
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The text cannot be used.
    Error,
    /// The text can be used, and probably does not say what was meant.
    Warning,
}

/// Another place that explains a problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there: `first defined here`.
    pub text: String,
}

/// A change that removes the problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// By what.
    pub replacement: String,
}

/// Something that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[must_use]
pub struct Problem {
    /// Where the mistake is. First, so that problems sort by place.
    pub span: Span,
    /// Its name in the table of codes.
    pub code: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What was found and what was expected.
    pub message: String,
    /// Other places.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
    /// A change that is sure to be meant.
    pub fix: Option<Fix>,
}

impl Problem {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Problem {
        Problem::new(Level::Error, code, span, message.into())
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Problem {
        Problem::new(Level::Warning, code, span, message.into())
    }

    fn new(level: Level, code: &'static str, span: Span, message: String) -> Problem {
        Problem { span, code, level, message, labels: Vec::new(), help: None, fix: None }
    }

    /// With another place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Problem {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// With advice.
    pub fn help(mut self, text: impl Into<String>) -> Problem {
        self.help = Some(text.into());
        self
    }

    /// With advice, if there is any.
    pub fn help_maybe(mut self, text: Option<String>) -> Problem {
        self.help = text.or(self.help);
        self
    }

    /// With a change that removes it.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Problem {
        self.fix = Some(Fix { span, replacement: replacement.into() });
        self
    }
}

/// Problems of one compilation, in the order they were found.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    /// None yet.
    pub fn new() -> Problems {
        Problems::default()
    }

    /// Adds one.
    pub fn push(&mut self, problem: Problem) {
        self.list.push(problem);
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|problem| problem.level == Level::Error)
    }

    /// Whether there are none at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// In the order they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.list.iter()
    }

    /// By file and place, each once.
    pub fn into_sorted(mut self) -> Vec<Problem> {
        self.list.sort();
        self.list.dedup();
        self.list
    }
}

impl Extend<Problem> for Problems {
    fn extend<T: IntoIterator<Item = Problem>>(&mut self, problems: T) {
        self.list.extend(problems);
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<T: IntoIterator<Item = Problem>>(problems: T) -> Problems {
        Problems { list: problems.into_iter().collect() }
    }
}
