//! Exports of a module, compared with what is declared and put into words.

use wasmtime::wasmparser::{FuncType, ValType};

use crate::outline::{Export, Outline};

/// Whether a function has these types and one result.
pub(crate) fn matches(found: &FuncType, params: &[ValType], result: ValType) -> bool {
    found.params() == params && found.results() == [result]
}

/// The types of an exported function.
pub(crate) fn describe(found: &FuncType) -> String {
    types(found.params(), found.results())
}

/// Types as people write them: `(i32, i64) -> i64`.
pub(crate) fn types<T: ToString>(params: &[T], results: &[T]) -> String {
    let list = |types: &[T]| types.iter().map(T::to_string).collect::<Vec<_>>().join(", ");
    match results {
        [result] => format!("({}) -> {}", list(params), result.to_string()),
        results => format!("({}) -> ({})", list(params), list(results)),
    }
}

/// Text from a module, fit for one line of a message: a hostile module chooses long and strange names.
pub(crate) fn plain(text: &str) -> String {
    const MOST: usize = 160;
    let spaced = text.replace(|letter: char| letter.is_control(), " ");
    let mut line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(MOST) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Advice for a function that is not there.
pub(crate) fn advice(module: &Outline<'_>, function: &str, wanted: &str) -> String {
    if wanted != function && module.export(function).is_some() {
        return format!("`{function}` is for boards of at most 64 squares; this one has more");
    }
    let functions = module.exports.iter().filter(|(_, export)| matches!(export, Export::Function(_)));
    let mut names: Vec<&str> = functions.map(|(name, _)| *name).collect();
    names.sort_by_cached_key(|name| strsim::damerau_levenshtein(name, wanted));
    match names.first() {
        Some(name) if strsim::damerau_levenshtein(name, wanted) <= wanted.chars().count().div_ceil(3) => {
            format!("the nearest exported function is `{}`", plain(name))
        }
        Some(_) => {
            names.truncate(8);
            format!("exported functions: `{}`", plain(&names.join("`, `")))
        }
        None => "the module exports no function at all".to_owned(),
    }
}
