//! Runs the plugins of a ruleset in a sandbox.
//!
//! In: the bytes of plugin modules, the signatures the ruleset declares for their functions, and the sizes
//! of the ruleset. Out: a [`PluginHost`] that answers the engine's calls ([`HostCall`]), or every reason
//! why the modules do not fit ([`LoadError`]). It reads no files and knows neither the language nor the
//! position: only values of the six types of the seam cross over.
//!
//! # What a plugin may do
//!
//! A plugin is a core WebAssembly module without imports, so it can only compute. What it computes is a
//! function of its arguments:
//!
//! - a function that provably writes nothing (no memory, global or table, in it or in what it calls) runs
//!   in an instance that is kept; any other function runs in an instance made for this one call;
//! - each call has the same fuel, memory and stack, and NaN is always the same NaN;
//! - a value outside its declared type is a fault and never reaches the engine.
//!
//! So answers may be remembered by their arguments, and are. A fault is never remembered.
//!
//! # When what happens
//!
//! Loading reads and checks a module. It is compiled when it is first called; only one that runs code of its
//! own to start, or whose data must be placed by it, is compiled and started when it is loaded, because only
//! that shows whether it can.
//!
//! # The binary interface
//!
//! | type | on up to 64 places | on more places |
//! | --- | --- | --- |
//! | `square` | `i32`, the number of the place, -1 for none | the same |
//! | `side`, `kind`, `number` | `i32` | the same |
//! | `test` | `i32`, 0 or 1 | the same |
//! | `squares` | `i64`, bit *i* is place *i* | `i32`, the address of 64 bytes in `memory` |
//!
//! On more than 64 places a function is exported under its name with `_wide` behind it. The host writes
//! `squares` parameters one after another to the address that the exported function `buffer` gives, which
//! has room for eight of them. A function without `squares` may keep its plain name on every board.
//!
//! [`HostCall`]: fullcourt_engine::hostcall::HostCall

mod abi;
mod check;
mod compiled;
mod error;
mod host;
mod machine_code;
mod memo;
mod meter;
mod outline;
mod quiet;
mod run;
mod sandbox;
mod shape;

pub use error::LoadError;
pub use host::{PluginHost, PluginSource};
pub use machine_code::MachineCode;
pub use sandbox::{FUEL, MEMORY_BYTES, MODULE_BYTES, STACK_BYTES, TABLE_ELEMENTS};

use sha2::{Digest, Sha256};

/// The SHA-256 of a module in hexadecimal: what a record names a plugin by.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
