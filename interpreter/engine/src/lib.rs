//! The engine: it plays any game whose rules it is given, and knows none.
//!
//! In: [`ir::Rules`], made by the compiler from a ruleset, values of its options, and a [`hostcall::HostCall`] that runs
//! plugins. Out: a [`session::Session`]: positions, legal actions, events, states. It knows no language, no files, no
//! terminal, and runs no WebAssembly itself ([`native`] makes some). Nothing here reads a clock or a source of chance but [`rng`].

pub mod action;
pub mod bits;
pub mod board;
pub mod fault;
pub mod game;
pub mod history;
pub mod hostcall;
pub mod ir;
pub mod line;
pub mod native;
pub mod notation;
mod perft;
pub mod position;
pub mod program;
pub mod rng;
pub mod session;
mod setup;
pub mod state;
pub mod tally;
pub mod text;
pub mod walk;
