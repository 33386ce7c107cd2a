//! From text to tree: is it well formed?
//!
//! In: the text of one file. Out: its `ast::Ast` and the problems found; what could be read is in the tree even when
//! something else could not. Pest and its rules never leave this folder; nothing here knows what a name means.

#[allow(missing_docs, reason = "the fields of a variant are explained by its example")]
pub mod ast;
#[allow(missing_docs, reason = "the fields of a variant are explained by its example")]
mod ast_texts;
mod depth;
mod expressions;
mod geometry;
mod items;
pub mod names;
mod parse;
mod print;
mod print_expr;
mod print_items;
mod print_texts;
mod rules;
mod split;
mod statements;
mod texts;
mod tokens;
mod tree;
mod words;

pub use parse::{MAX_BYTES, parse};
pub use print::print;
pub use words::{ITEM_WORDS, is_reserved};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests;
