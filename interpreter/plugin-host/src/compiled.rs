//! Compiled modules, kept for the next ruleset of this process that uses the same ones.
//!
//! In: the bytes of a module. Out: its compiled form. Compiling takes milliseconds, so it is put off until a
//! module is needed; and programs that try many rulesets need the same few modules again and again. Bounded:
//! the oldest goes first.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use wasmtime::{Engine, InstancePre, Linker, Module, ModuleExport};

use crate::abi;
use crate::sandbox::{self, Guard};

/// How many modules are kept.
const KEPT: usize = 16;

static MODULES: Mutex<VecDeque<(Arc<[u8]>, Module)>> = Mutex::new(VecDeque::new());

/// Compiles a module, or finds it compiled.
///
/// # Errors
/// When the bytes are no module of the features that plugins may use.
pub(crate) fn module(engine: &Engine, bytes: &Arc<[u8]>) -> wasmtime::Result<Module> {
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
        modules.push_front((bytes.clone(), module.clone()));
    }
    Ok(module)
}

/// A module that is compiled when it is first needed, by whichever thread comes first.
pub(crate) struct Lazy {
    bytes: Arc<[u8]>,
    /// Under which names the functions are exported that will be called.
    functions: Vec<String>,
    ready: OnceLock<Result<Ready, String>>,
}

/// A module from which instances are made.
pub(crate) struct Ready {
    /// Makes instances.
    pub(crate) instances: InstancePre<Guard>,
    /// The functions that will be called.
    pub(crate) functions: Vec<Option<ModuleExport>>,
    /// Where sets travel, when they travel in memory.
    pub(crate) memory: Option<ModuleExport>,
    /// Tells the address for sets.
    pub(crate) buffer: Option<ModuleExport>,
}

impl Lazy {
    /// A module whose functions of these names will be called.
    pub(crate) fn new(bytes: Arc<[u8]>, functions: Vec<String>) -> Self {
        Lazy { bytes, functions, ready: OnceLock::new() }
    }

    /// The module as bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The name under which a function is exported.
    pub(crate) fn export(&self, slot: usize) -> Option<&str> {
        self.functions.get(slot).map(String::as_str)
    }

    /// Whether it has been needed.
    #[cfg(test)]
    pub(crate) fn is_compiled(&self) -> bool {
        self.ready.get().is_some()
    }

    /// The compiled module.
    ///
    /// # Errors
    /// Why it cannot be compiled.
    pub(crate) fn ready(&self) -> Result<&Ready, &str> {
        self.ready.get_or_init(|| Ready::new(&self.bytes, &self.functions)).as_ref().map_err(String::as_str)
    }
}

impl Ready {
    fn new(bytes: &Arc<[u8]>, functions: &[String]) -> Result<Self, String> {
        let engine = sandbox::engine()?;
        let module = module(engine, bytes).map_err(|found| format!("{found:#}"))?;
        let export = |name: &str| module.get_export_index(name);
        Ok(Ready {
            functions: functions.iter().map(|name| export(name)).collect(),
            memory: export(abi::MEMORY),
            buffer: export(abi::BUFFER),
            instances: Linker::new(engine).instantiate_pre(&module).map_err(|found| format!("{found:#}"))?,
        })
    }
}
