//! The reference: a plain walker over the rules. What it does is what they mean.
//!
//! `eval` gives values, `act` carries out statements, `settle` what follows an action, `legal` finds actions.

pub mod act;
pub mod eval;
pub mod legal;
pub mod settle;
