//! Runs modules that the engine makes of programs (see `fullcourt_engine::native`).
//!
//! In: a module of the engine's making. Out: instances that the engine calls. Unlike plugins, these modules come from the
//! engine itself and are bounded by how they are made (loops count their turns, memory is fixed, nothing can be called but
//! the engine), so they run without fuel, and for speed with the machine's own checks of memory.

use std::sync::OnceLock;

use fullcourt_engine::hostcall::Direct;
use fullcourt_engine::native::{Asked, Compiled, Instance, Runner, Stopped};
use wasmtime::{Caller, Config, Engine, Error, Global, Linker, Memory, Module, OptLevel, Store, Val, WasmFeatures};

/// The most bytes of the machine's stack a call may use.
const STACK_BYTES: usize = 256 * 1024;

/// Compiles modules with Cranelift.
#[derive(Clone, Copy, Debug, Default)]
pub struct MachineCode;

/// The machine that compiles them; made once.
fn engine() -> Result<&'static Engine, String> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();
    let made = ENGINE.get_or_init(|| {
        let mut config = Config::new();
        let features = WasmFeatures::WASM2.difference(WasmFeatures::GC_TYPES).union(WasmFeatures::EXTENDED_CONST);
        config.wasm_features(WasmFeatures::all(), false).wasm_features(features, true);
        config
            .cranelift_opt_level(OptLevel::Speed)
            .cranelift_nan_canonicalization(true)
            .generate_address_map(false)
            .wasm_backtrace_max_frames(None)
            .max_wasm_stack(STACK_BYTES);
        Engine::new(&config).map_err(|error| format!("{error:#}"))
    });
    made.as_ref().map_err(Clone::clone)
}

/// What an instance keeps beside it.
struct Beside {
    asked: Asked,
    memory: Option<Memory>,
}

struct Code {
    module: Module,
    linker: Linker<Beside>,
    /// Plugin functions that are called directly.
    plugins: Vec<(Module, String)>,
}

struct Running {
    store: Store<Beside>,
    instance: wasmtime::Instance,
    memory: Memory,
    globals: Vec<(String, Global)>,
}

impl Runner for MachineCode {
    fn compile(&self, module: &[u8], plugins: &[Direct]) -> Result<Box<dyn Compiled>, String> {
        let engine = engine()?;
        let text = |error: Error| format!("{error:#}");
        let module = Module::from_binary(engine, module).map_err(text)?;
        let mut linker: Linker<Beside> = Linker::new(engine);
        let import = |mut caller: Caller<'_, Beside>, number: i32| -> wasmtime::Result<()> {
            let memory = caller.data().memory.ok_or_else(|| Error::msg("no memory"))?;
            let (bytes, beside) = memory.data_and_store_mut(&mut caller);
            (beside.asked)(number, bytes).then_some(()).ok_or_else(|| Error::msg("given up"))
        };
        linker.func_wrap("engine", "ask", import).map_err(text)?;
        let mut directs = Vec::new();
        for plugin in plugins {
            let known = directs.iter().find(|(bytes, _, _): &&(&[u8], Module, &str)| *bytes == plugin.module);
            let compiled = match known {
                Some((_, compiled, _)) => compiled.clone(),
                None => Module::from_binary(engine, &plugin.module).map_err(text)?,
            };
            directs.push((plugin.module.as_slice(), compiled, plugin.export.as_str()));
        }
        let plugins = directs.into_iter().map(|(_, module, export)| (module, export.to_owned())).collect();
        Ok(Box::new(Code { module, linker, plugins }))
    }
}

impl Compiled for Code {
    fn start(&self, asked: Asked) -> Result<Box<dyn Instance>, String> {
        let text = |error: Error| format!("{error:#}");
        let mut store = Store::new(self.module.engine(), Beside { asked, memory: None });
        let mut linker = self.linker.clone();
        for (number, (module, export)) in self.plugins.iter().enumerate() {
            let plugin = wasmtime::Instance::new(&mut store, module, &[]).map_err(text)?;
            let function = plugin.get_func(&mut store, export).ok_or("a plugin function is missing")?;
            linker.define(&mut store, "plugins", &number.to_string(), function).map_err(text)?;
        }
        let instance = linker.instantiate(&mut store, &self.module).map_err(text)?;
        let memory = instance.get_memory(&mut store, "memory").ok_or("there is no memory")?;
        store.data_mut().memory = Some(memory);
        let names: Vec<String> = self.module.exports().map(|export| export.name().to_owned()).collect();
        let globals = names
            .into_iter()
            .filter_map(|name| instance.get_global(&mut store, &name).map(|global| (name, global)))
            .collect();
        Ok(Box::new(Running { store, instance, memory, globals }))
    }
}

impl Running {
    fn find(&self, name: &str) -> Option<Global> {
        self.globals.iter().find(|(known, _)| known == name).map(|(_, global)| *global)
    }
}

impl Instance for Running {
    fn memory(&mut self) -> &mut [u8] {
        self.memory.data_mut(&mut self.store)
    }

    fn global(&mut self, name: &str) -> i64 {
        match self.find(name).map(|global| global.get(&mut self.store)) {
            Some(Val::I32(value)) => i64::from(value),
            Some(Val::I64(value)) => value,
            _ => 0,
        }
    }

    fn set_global(&mut self, name: &str, value: i64) {
        let Some(global) = self.find(name) else { return };
        let value = match global.get(&mut self.store) {
            Val::I32(_) => Val::I32(value as i32),
            _ => Val::I64(value),
        };
        // INVARIANT: the globals that are exported can be set, and the value has their type.
        let _ = global.set(&mut self.store, value);
    }

    fn call(&mut self, name: &str, args: &[i32]) -> Result<i64, Stopped> {
        let function = self.instance.get_func(&mut self.store, name).ok_or(Stopped)?;
        let args: Vec<Val> = args.iter().map(|&arg| Val::I32(arg)).collect();
        let mut results = [Val::I64(0)];
        let count = function.ty(&self.store).results().len();
        let results = results.get_mut(..count).ok_or(Stopped)?;
        function.call(&mut self.store, &args, results).map_err(|_| Stopped)?;
        Ok(match results.first() {
            Some(Val::I32(value)) => i64::from(*value),
            Some(Val::I64(value)) => *value,
            _ => 0,
        })
    }
}
