//! The seam to plugins: what the engine hands out and takes back.
//!
//! The engine does not know how a plugin is run. It names a function by its number, passes plain
//! values, and gets a plain value or a fault. Calls are pure: the same arguments give the same result.

use std::fmt;

/// The number of a plugin function in the order of the ruleset's declarations, over all plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostFnId(pub u16);

/// A type of the language that can cross the seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostType {
    /// One place of the board, or none.
    Square,
    /// A set of places.
    Squares,
    /// A side, by its number in the order of declaration.
    Side,
    /// A kind of piece, by its number in the order of declaration.
    Kind,
    /// A whole number.
    Number,
    /// Yes or no.
    Test,
}

impl fmt::Display for HostType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HostType::Square => "square",
            HostType::Squares => "squares",
            HostType::Side => "side",
            HostType::Kind => "kind",
            HostType::Number => "number",
            HostType::Test => "test",
        })
    }
}

/// A value that crosses the seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostValue {
    /// A place by its number, or none.
    Square(Option<u16>),
    /// A set of up to 512 places; bit `i` of word `w` is place `64 * w + i`.
    Squares([u64; 8]),
    /// A side by its number.
    Side(u8),
    /// A kind by its number.
    Kind(u8),
    /// A whole number.
    Number(i32),
    /// Yes or no.
    Test(bool),
}

/// The declared type of a plugin function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Parameter types in order.
    pub params: Vec<HostType>,
    /// Result type.
    pub result: HostType,
}

/// What a plugin's values are checked against: the sizes of the ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostLimits {
    /// Number of places of the board (at most 512).
    pub places: u16,
    /// Number of sides.
    pub sides: u8,
    /// Number of kinds of piece.
    pub kinds: u8,
}

/// Why a call gave no value. The text names the plugin and the function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct HostFault {
    /// A stable code, such as `plugin-trap`.
    pub code: &'static str,
    /// One sentence for people.
    pub text: String,
}

/// A module in the binary format of WebAssembly that gives the same answers as [`HostCall::call`] or traps, and always ends.
/// Sets of up to 64 places travel as numbers of 64 bits, everything else as numbers of 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Direct {
    /// The module; it has no imports.
    pub module: Vec<u8>,
    /// The name of the function.
    pub export: String,
}

/// Runs plugin functions. Implementations are deterministic and bounded in time and memory.
pub trait HostCall: Send + Sync {
    /// Calls function `id` with values of its declared parameter types.
    ///
    /// # Errors
    /// A [`HostFault`] when the plugin traps, runs out of fuel, or answers with a value outside its type.
    fn call(&self, id: HostFnId, args: &[HostValue]) -> Result<HostValue, HostFault>;

    /// A module that machine code may link to, so that a function is called without the host; `None` when there is none.
    fn direct(&self, _id: HostFnId) -> Option<Direct> {
        None
    }
}

/// The host of a ruleset without plugins: it knows no function.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPlugins;

impl HostCall for NoPlugins {
    fn call(&self, id: HostFnId, _args: &[HostValue]) -> Result<HostValue, HostFault> {
        Err(HostFault { code: "plugin-missing", text: format!("plugin function {} is not loaded", id.0) })
    }
}
