//! Compiled modules, kept for the next ruleset of this process that uses the same ones.
//!
//! In: the bytes of a module. Out: its compiled form. Compiling takes milliseconds, and programs that try
//! many rulesets load the same few plugins again and again. Bounded: the oldest goes first.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use wasmtime::{Engine, Module};

/// How many modules are kept.
const KEPT: usize = 16;

static MODULES: Mutex<VecDeque<(Vec<u8>, Module)>> = Mutex::new(VecDeque::new());

/// Compiles a module, or finds it compiled.
///
/// # Errors
/// When the bytes are no module of the features that plugins may use.
pub(crate) fn module(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Module> {
    // Only whole entries are ever put in, so a thread that panicked left nothing half done.
    let lock = || MODULES.lock().unwrap_or_else(PoisonError::into_inner);
    let known = lock().iter().find(|(known, _)| known == bytes).map(|(_, module)| module.clone());
    if let Some(module) = known {
        return Ok(module);
    }
    let module = Module::from_binary(engine, bytes)?;
    let mut modules = lock();
    if !modules.iter().any(|(known, _)| known == bytes) {
        modules.truncate(KEPT - 1);
        modules.push_front((bytes.to_vec(), module.clone()));
    }
    Ok(module)
}
