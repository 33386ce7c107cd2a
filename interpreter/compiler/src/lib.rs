//! From ruleset text to rules the engine can run.
//!
//! The path is a function body ([`compile`]): read the files a ruleset needs, parse each, check them together, build the
//! rule graph, lower it. Every stage knows only what lies before it; what travels back up is a span.

pub mod diagnostics;
pub mod syntax;

use std::sync::Arc;

use fullcourt_engine::ir::Rules;

use crate::diagnostics::{Problem, Sources};

/// Where the texts and modules of a ruleset come from. The compiler itself opens no file.
pub trait Files {
    /// The ruleset of that name or path: the name people know it by, and its text.
    fn ruleset(&self, path: &str) -> Option<(String, String)>;
    /// The library of that name (`use ball`): the name people know it by, and its text.
    fn library(&self, name: &str) -> Option<(String, String)>;
    /// The module of that plugin.
    fn plugin(&self, name: &str) -> Option<Vec<u8>>;
    /// Names of all shipped rulesets, for advice.
    fn ruleset_names(&self) -> Vec<String>;
    /// Names of all shipped libraries, for advice.
    fn library_names(&self) -> Vec<String>;
}

/// A plugin module with its content.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its content hash (SHA-256, hexadecimal).
    pub hash: String,
}

/// A ruleset, compiled.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What the engine runs.
    pub rules: Arc<Rules>,
    /// The texts it came from.
    pub sources: Sources,
    /// What is suspicious but not wrong.
    pub warnings: Vec<Problem>,
    /// Its plugins, in the order of the ruleset's declarations; functions are numbered over all of them.
    pub modules: Vec<Module>,
    /// Content hash of all texts and modules together (SHA-256, hexadecimal).
    pub hash: String,
    /// The option values of the ruleset: defaults, changed by `set` of rulesets that extend it.
    pub defaults: Vec<i32>,
}

/// Why there are no rules.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The texts that were read.
    pub sources: Sources,
    /// Errors and warnings, by place.
    pub problems: Vec<Problem>,
}

/// Compiles the ruleset of that name or path.
///
/// # Errors
/// All problems of all its files.
pub fn compile(files: &dyn Files, entry: &str) -> Result<Compiled, Box<Failure>> {
    let _ = (files, entry);
    Err(Box::new(Failure { sources: Sources::default(), problems: Vec::new() }))
}
