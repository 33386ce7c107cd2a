//! What a module must be to serve a ruleset.
//!
//! In: the bytes and the declared signatures. Out: a plugin of which each declared function is known to be
//! there with the right types and each instance to start, or every reason why not. To know the latter, a
//! module is compiled only when it must be tried; all others are compiled when they are first called.

use std::collections::BTreeSet;
use std::sync::Arc;

use fullcourt_engine::hostcall::Signature;
use wasmtime::wasmparser::{BinaryReaderError, ValType};
use wasmtime::{Engine, Module};

use crate::abi::{self, Width};
use crate::compiled::{self, Lazy};
use crate::error::{self, LoadError};
use crate::host::PluginSource;
use crate::outline::{Export, Outline};
use crate::quiet;
use crate::run::Live;
use crate::sandbox::{MEMORY_BYTES, MODULE_BYTES, TABLE_ELEMENTS};
use crate::shape::{self, describe, matches, plain, types};

/// A module that passed.
pub(crate) struct Plugin {
    pub(crate) name: String,
    pub(crate) module: Lazy,
}

/// A declared function that passed.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) signature: Signature,
    /// Its place among the functions of its module that are called.
    pub(crate) slot: usize,
    /// Whether an instance is after a call what it was before.
    pub(crate) quiet: bool,
}

/// Checks one module.
///
/// # Errors
/// Every reason why it cannot be used, each once.
pub(crate) fn plugin(
    engine: &Engine,
    source: &PluginSource<'_>,
    width: Width,
) -> Result<(Plugin, Vec<Function>), Vec<LoadError>> {
    let checker = Checker::new(engine, source, width).map_err(|error| vec![error])?;
    let mut errors = Vec::new();
    errors.extend(checker.imports());
    errors.extend(checker.sizes());
    errors.extend(checker.set_exports());
    let (mut functions, mut exports) = (Vec::new(), Vec::new());
    for (name, signature) in source.functions {
        match checker.function(name, signature) {
            Ok((export, quiet)) => {
                let slot = exports.len();
                exports.push(export);
                functions.push(Function { name: name.clone(), signature: signature.clone(), slot, quiet });
            }
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let plugin = checker.start(exports).map_err(|error| vec![error])?;
    Ok((plugin, functions))
}

/// One module on its way.
struct Checker<'a> {
    source: &'a PluginSource<'a>,
    width: Width,
    bytes: Arc<[u8]>,
    outline: Outline<'a>,
    quiet: BTreeSet<String>,
}

impl<'a> Checker<'a> {
    fn new(engine: &Engine, source: &'a PluginSource<'a>, width: Width) -> Result<Self, LoadError> {
        let name = source.name;
        let size = source.bytes.len();
        if size > MODULE_BYTES {
            let text = format!("plugin `{name}` has {size} bytes; at most {MODULE_BYTES} are allowed");
            return Err(LoadError::new(error::TOO_LARGE, name, text));
        }
        if let Some(reason) = quiet::slow_to_compile(source.bytes) {
            return Err(LoadError::new(error::TOO_LARGE, name, format!("plugin `{name}` is too large: {reason}")));
        }
        let bytes: Arc<[u8]> = source.bytes.into();
        if let Err(found) = Module::validate(engine, &bytes) {
            // Compiling refuses it as well, and can say best why.
            let found = compiled::module(engine, &bytes).err().unwrap_or(found);
            return Err(invalid(name, &format!("{found:#}")));
        }
        let no_module = |found: BinaryReaderError| invalid(name, &found.to_string());
        let outline = Outline::read(source.bytes).map_err(no_module)?;
        let quiet = quiet::quiet_exports(source.bytes).map_err(no_module)?;
        Ok(Checker { source, width, bytes, outline, quiet })
    }

    fn error(&self, code: &'static str, text: String) -> LoadError {
        LoadError::new(code, self.source.name, text)
    }

    /// A plugin only computes: nothing comes in from outside.
    fn imports(&self) -> Option<LoadError> {
        let ((module, first), rest) = self.outline.imports.split_first()?;
        let name = self.source.name;
        let more = match rest.len() {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let text = format!("plugin `{name}` imports `{}` from `{}`{more}", plain(first), plain(module));
        Some(self.error(error::IMPORTS, text).with_help("a plugin has no imports: it computes from its arguments only"))
    }

    fn sizes(&self) -> Option<LoadError> {
        let name = self.source.name;
        let Outline { tables, elements, .. } = self.outline;
        let memory = self.outline.memory / 1024;
        let most = MEMORY_BYTES as u64 / 1024;
        let text = if memory > most {
            format!("plugin `{name}` starts with {memory} KiB of memory; at most {most} are allowed")
        } else if tables > 1 {
            format!("plugin `{name}` has {tables} tables; at most 1 is allowed")
        } else if elements > TABLE_ELEMENTS as u64 {
            format!("plugin `{name}` starts with {elements} table elements; at most {TABLE_ELEMENTS} are allowed")
        } else {
            return None;
        };
        Some(self.error(error::MEMORY, text))
    }

    /// What sets in memory need besides the functions.
    fn set_exports(&self) -> Vec<LoadError> {
        let of_sets = |(_, signature): &&(String, Signature)| abi::has_sets(signature);
        let mut errors = Vec::new();
        let Some((function, _)) = self.source.functions.iter().find(of_sets) else {
            return errors;
        };
        if self.width == Width::Narrow {
            return errors;
        }
        let name = self.source.name;
        let why = format!("`{function}` needs it, as a set of more than 64 squares travels in memory");
        if self.outline.export(abi::MEMORY) != Some(&Export::Memory) {
            let text = format!("plugin `{name}` exports no memory `{}`", abi::MEMORY);
            errors.push(self.error(error::MISSING_FUNCTION, text).with_help(why.clone()));
        }
        if !self.source.functions.iter().any(|(_, signature)| abi::sets(signature) > 0) {
            return errors;
        }
        match self.outline.export(abi::BUFFER) {
            Some(Export::Function(found)) if matches(found, &[], ValType::I32) => {}
            Some(Export::Function(found)) => {
                let text =
                    format!("plugin `{name}` exports `{}` as `{}`; expected `() -> i32`", abi::BUFFER, describe(found));
                errors.push(self.error(error::SIGNATURE, text).in_function(abi::BUFFER));
            }
            _ => {
                let text = format!("plugin `{name}` exports no function `{}`", abi::BUFFER);
                let error = self.error(error::MISSING_FUNCTION, text).with_help(why);
                errors.push(error.in_function(abi::BUFFER));
            }
        }
        errors
    }

    /// What a declared function is exported as, and whether it is quiet.
    fn function(&self, function: &str, signature: &Signature) -> Result<(String, bool), LoadError> {
        let plugin = self.source.name;
        let sets = abi::sets(signature);
        if signature.params.len() > abi::MOST_PARAMS || sets > abi::BUFFER_SETS {
            let text = format!(
                "`{function}` of plugin `{plugin}` has {} parameters, {sets} of them sets; at most {} and {} are \
                 allowed",
                signature.params.len(),
                abi::MOST_PARAMS,
                abi::BUFFER_SETS
            );
            return Err(self.error(error::SIGNATURE, text).in_function(function));
        }
        let (name, export) = self.export(function, signature)?;
        let in_function = |text: String| self.error(error::SIGNATURE, text).in_function(function);
        let Export::Function(found) = export else {
            return Err(in_function(format!("plugin `{plugin}` exports `{name}`, but not as a function")));
        };
        let params: Vec<ValType> = signature.params.iter().map(|&of| self.width.val_type(of)).collect();
        let result = self.width.val_type(signature.result);
        if !matches(found, &params, result) {
            let text = format!(
                "plugin `{plugin}` exports `{name}` as `{}`; declared is `{}`, which is `{}`",
                describe(found),
                types(&signature.params, &[signature.result]),
                types(&params, &[result])
            );
            return Err(in_function(text));
        }
        // Sets in memory are written before the call, so the instance does not stay what it was.
        let written = self.width == Width::Wide && sets > 0;
        let quiet = !written && self.quiet.contains(&name);
        Ok((name, quiet))
    }

    /// Finds what a declared function is exported as.
    fn export(&self, function: &str, signature: &Signature) -> Result<(String, &Export), LoadError> {
        let wanted = self.width.export(function);
        if let Some(export) = self.outline.export(&wanted) {
            return Ok((wanted, export));
        }
        // Without sets there is nothing that depends on the board.
        if !abi::has_sets(signature)
            && let Some(export) = self.outline.export(function)
        {
            return Ok((function.to_owned(), export));
        }
        let text = format!("plugin `{}` exports no function `{wanted}`", self.source.name);
        let error = self.error(error::MISSING_FUNCTION, text).in_function(function);
        Err(error.with_help(shape::advice(&self.outline, function, &wanted)))
    }

    /// Makes an instance once, unless it is certain to work, so that a start function or data that cannot
    /// work is found now.
    fn start(self, exports: Vec<String>) -> Result<Plugin, LoadError> {
        let plugin = Plugin { name: self.source.name.to_owned(), module: Lazy::new(self.bytes, exports) };
        if self.outline.plain {
            return Ok(plugin);
        }
        let ready = plugin.module.ready().map_err(|reason| invalid(&plugin.name, reason))?;
        if let Err(stop) = Live::new(ready) {
            let text = format!("plugin `{}` {} when it started", plugin.name, stop.text);
            return Err(LoadError::new(stop.code, &plugin.name, text));
        }
        Ok(plugin)
    }
}

fn invalid(name: &str, reason: &str) -> LoadError {
    let text = format!("plugin `{name}` is not a usable WebAssembly module: {}", plain(reason));
    LoadError::new(error::INVALID, name, text)
        .with_help("a plugin is a core module in the binary format, without vectors or threads")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test ends where something is wrong")]
mod tests {
    use super::{PluginSource, Width, plugin};
    use crate::sandbox;

    /// Whether a module is compiled once it is loaded.
    fn compiled(text: &str) -> bool {
        let bytes = wat::parse_str(text).unwrap();
        let source = PluginSource { name: "p", bytes: &bytes, functions: &[] };
        let (plugin, _) = plugin(sandbox::engine().unwrap(), &source, Width::Narrow).map_err(|_| ()).unwrap();
        plugin.module.is_compiled()
    }

    #[test]
    fn only_what_must_be_tried_is_compiled_when_it_is_loaded() {
        assert!(!compiled(r#"(module (memory 1) (data (i32.const 8) "ab"))"#));
        assert!(compiled("(module (func $f) (start $f))"));
        assert!(compiled(r#"(module (memory 1) (data (i32.add (i32.const 8) (i32.const 8)) "ab"))"#));
    }
}
