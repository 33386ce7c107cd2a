//! From ruleset text to rules the engine can run.
//!
//! The path is a function body ([`compile`]): read the files a ruleset needs, parse each, check them together, build the
//! rule graph, lower it. Every stage knows only what lies before it; what travels back up is a span.

pub mod diagnostics;
pub mod graph;
pub mod lower;
pub mod model;
pub mod syntax;

use std::sync::Arc;

use fullcourt_engine::ir::Rules;
use sha2::{Digest, Sha256};

use crate::diagnostics::{Level, Problem, Problems, Sources, Span};
use crate::graph::RuleGraph;

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
    /// How its rules hang together.
    pub graph: RuleGraph,
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
    let mut sources = Sources::default();
    let mut problems = Problems::new();
    let Some(merged) = model::load::load(files, entry, &mut sources, &mut problems) else {
        return fail(sources, problems);
    };
    // A file that is not well formed, not there, or in another language leaves holes: what it would have declared is
    // missing everywhere else. After other errors the check goes on, so that one run finds all there is.
    let leaves_holes = |code: &str| code.starts_with("syntax") || matches!(code, "no-file" | "language-version");
    if problems.iter().any(|problem| problem.level == Level::Error && leaves_holes(problem.code)) {
        return fail(sources, problems);
    }
    let Some(model) = model::check(&merged, &sources, &mut problems).filter(|_| !problems.has_errors()) else {
        return fail(sources, problems);
    };
    let graph = graph::build(&model, &mut problems);
    if !problems.has_errors() {
        graph::lint(&model, &graph, &mut problems);
    }
    let modules = read_modules(files, &model, &mut problems);
    if problems.has_errors() {
        return fail(sources, problems);
    }
    let defaults = model.defaults.clone();
    let hash = content_hash(&sources, &modules);
    let rules = Arc::new(lower::lower(model, &graph));
    Ok(Compiled { rules, graph, sources, warnings: problems.into_sorted(), modules, hash, defaults })
}

fn fail(sources: Sources, problems: Problems) -> Result<Compiled, Box<Failure>> {
    Err(Box::new(Failure { sources, problems: problems.into_sorted() }))
}

fn read_modules(files: &dyn Files, model: &model::Model, problems: &mut Problems) -> Vec<Module> {
    let mut modules = Vec::new();
    for (name, span) in &model.plugins {
        match files.plugin(name) {
            Some(bytes) => {
                let hash = hex(&Sha256::digest(&bytes));
                modules.push(Module { name: name.clone(), bytes, hash });
            }
            None => {
                let message = format!("there is no plugin `{name}`");
                let help = format!("put the module `{name}.wasm` beside the ruleset");
                problems.push(Problem::error("no-file", *span, message).help(help));
            }
        }
    }
    modules
}

/// The hash of all that a ruleset is made of. Names of files do not count: moving a file changes no rule.
fn content_hash(sources: &Sources, modules: &[Module]) -> String {
    let mut hash = Sha256::new();
    for (_, source) in sources.iter() {
        hash.update((source.text.len() as u64).to_le_bytes());
        hash.update(source.text.as_bytes());
    }
    for module in modules {
        hash.update((module.bytes.len() as u64).to_le_bytes());
        hash.update(&module.bytes);
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The span of an engine's origin.
#[must_use]
pub fn span_of(origin: fullcourt_engine::ir::Origin) -> Span {
    model::span_of(origin)
}
