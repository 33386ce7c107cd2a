//! Players, whole games, records and box scores, for any ruleset.
//!
//! In: a game in play ([`fullcourt_engine::session::Session`]). Out: finished games, their text and their numbers. It
//! knows no language, no files and no terminal, and no clock: same rules, same seeds, same games.

pub mod bots;
pub mod boxscore;
pub mod look_up;
pub mod nearest;
pub mod play;
pub mod record;
