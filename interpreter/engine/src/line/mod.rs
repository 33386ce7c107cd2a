//! A whole position in one line, as the ruleset's template has it.
//!
//! `read` says what a text says, `write` writes it, `load` makes a position of what was said.

mod load;
mod read;
mod write;

pub use read::{LineError, Said, read};

use crate::ir::Rules;

/// The letter of a piece: large for the first side, small for the second.
fn letter(rules: &Rules, side: usize, kind: usize) -> String {
    let letter = rules.kinds.get(kind).map_or("?", |kind| kind.letter.as_str());
    if side == 0 { letter.to_uppercase() } else { letter.to_lowercase() }
}

/// The words of a value of the position that has only a few: the given ones, or those of its type.
fn words_of(rules: &Rules, given: &[String], ty: crate::ir::SlotTy) -> Vec<String> {
    use crate::ir::SlotTy;
    if !given.is_empty() {
        return given.to_vec();
    }
    match ty {
        SlotTy::Side => rules.sides.iter().map(|side| side.key.clone()).collect(),
        SlotTy::Kind => rules.kinds.iter().map(|kind| kind.letter.clone()).collect(),
        SlotTy::Test => vec!["true".to_owned(), "false".to_owned()],
        SlotTy::Number(_) | SlotTy::Square | SlotTy::Piece => Vec::new(),
    }
}
