//! The parts of texts of positions and of notations in the tree of a file.
//!
//! In: nothing. Out: re-exported by `ast`.

use super::ast::{Expr, Name, Text};
use crate::diagnostics::Span;

/// A field of a position text.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: FieldKind,
}

/// What a field of a position text is.
#[derive(Clone, Debug)]
pub enum FieldKind {
    /// `" "`
    Text(Text),
    /// `men by ranks down between "/" empty as count`; `empty`: a sign, or `None` for a count
    Men { down: bool, between: Text, empty: Option<Text> },
    /// `next_up as "w" | "b" between " " else "-"`; flags: `castles as "K" h1, "Q" a1`
    Value { name: Name, words: Vec<Text>, flags: Vec<(Text, Name)>, between: Option<Text>, none: Option<Text> },
}

/// What a notation writes.
#[derive(Clone, Debug, Default)]
pub struct NotationBlock {
    /// With the braces.
    pub span: Span,
    /// In order.
    pub steps: Vec<NotationStep>,
}

/// A step of a notation.
#[derive(Clone, Debug)]
pub struct NotationStep {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: NotationStepKind,
}

/// What a step of a notation is.
#[derive(Clone, Debug)]
pub enum NotationStepKind {
    /// `"{who}x{to}"`
    Text(Text),
    /// `let x = EXPR`
    Let { name: Name, value: Expr },
    /// `if TEST { } else if TEST { } else { }`
    If { arms: Vec<(Expr, NotationBlock)>, otherwise: Option<NotationBlock> },
    /// `after { … }`: of the position after the action
    After(NotationBlock),
}
