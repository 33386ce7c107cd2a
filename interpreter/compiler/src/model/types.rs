//! Types and conversions between them, as people know them.

use fullcourt_engine::hostcall::HostType;
use fullcourt_engine::ir::{ExprId, Origin, Ty};

use crate::diagnostics::Span;
use crate::syntax::ast;

/// An expression with its type.
#[derive(Clone, Copy, Debug)]
pub struct Typed {
    /// The expression.
    pub id: ExprId,
    /// Its type.
    pub ty: Ty,
    /// It is the word `none`, which is a square, a side or a kind as needed.
    pub none: bool,
}

/// A type in words.
pub fn words(ty: Ty) -> &'static str {
    match ty {
        Ty::Square => "a square",
        Ty::Squares => "a set of squares",
        Ty::Side => "a side",
        Ty::Kind => "a kind of piece",
        Ty::Kinds => "a set of kinds",
        Ty::Number => "a number",
        Ty::Test => "a test",
    }
}

/// The type that a word of the language names.
pub fn of(ty: ast::Ty) -> Ty {
    match ty {
        ast::Ty::Square => Ty::Square,
        ast::Ty::Squares => Ty::Squares,
        ast::Ty::Side => Ty::Side,
        ast::Ty::Kind => Ty::Kind,
        ast::Ty::Number => Ty::Number,
        ast::Ty::Test => Ty::Test,
    }
}

/// The type with which a value crosses the seam to plugins.
pub fn host(ty: ast::Ty) -> HostType {
    match ty {
        ast::Ty::Square => HostType::Square,
        ast::Ty::Squares => HostType::Squares,
        ast::Ty::Side => HostType::Side,
        ast::Ty::Kind => HostType::Kind,
        ast::Ty::Number => HostType::Number,
        ast::Ty::Test => HostType::Test,
    }
}

/// The type that a plugin's value has.
pub fn from_host(ty: HostType) -> Ty {
    match ty {
        HostType::Square => Ty::Square,
        HostType::Squares => Ty::Squares,
        HostType::Side => Ty::Side,
        HostType::Kind => Ty::Kind,
        HostType::Number => Ty::Number,
        HostType::Test => Ty::Test,
    }
}

/// A span as the engine keeps it.
pub fn origin(span: Span) -> Origin {
    Origin { file: span.file.0, start: span.start, end: span.end }
}

/// A span as it was before.
pub fn span(origin: Origin) -> Span {
    Span { file: crate::diagnostics::FileId(origin.file), start: origin.start, end: origin.end }
}
