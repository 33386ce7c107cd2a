//! What pest makes of the grammar: the only place that derives from it.
//!
//! In: `court.pest`. Out: the `Rule` enum and a function that reads one item.

use pest::Parser;
use pest::error::Error;
use pest::iterators::Pairs;

// The derived enum has no docs and is private to this folder.
#[allow(missing_docs, clippy::result_large_err)]
mod derived {
    #[derive(pest_derive::Parser)]
    #[grammar = "syntax/court.pest"]
    pub(in crate::syntax) struct Court;
}

pub(super) use derived::Rule;

/// Reads one item.
pub(super) fn read_item(text: &str) -> Result<Pairs<'_, Rule>, Box<Error<Rule>>> {
    derived::Court::parse(Rule::item_only, text).map_err(Box::new)
}
