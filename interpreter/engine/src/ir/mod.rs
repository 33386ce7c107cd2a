//! The rules as the engine reads them: flat arenas with dense numbers in place of names.
//!
//! Made by the compiler from a checked ruleset and its rule graph; never changed afterwards. What a rule means is what
//! the walker (`walk`) does with it. Scalars (squares, sides, kinds, numbers, tests) are all `i32` when they run: the
//! types were checked before. A square, side or kind that is not there is −1.

mod code;
mod defs;
mod ids;
mod rules;
mod texts;

pub use code::*;
pub use defs::*;
pub use ids::*;
pub use rules::*;
pub use texts::*;
