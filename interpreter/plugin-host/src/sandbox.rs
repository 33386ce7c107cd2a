//! The walls: which WebAssembly is understood, and how much time and memory it gets.
//!
//! Everything here is the same on every machine and in every call, so that a plugin behaves the same.

use std::sync::OnceLock;

use wasmtime::{Config, Engine, OptLevel, ResourceLimiter, Store, Trap, WasmFeatures};

use crate::error;

/// The most bytes a module may have. It bounds the time to compile it.
pub const MODULE_BYTES: usize = 256 * 1024;
/// The units of work a call may do; about one for each instruction, and one for each byte of a bulk copy.
pub const FUEL: u64 = 1_000_000;
/// The most bytes of memory an instance may have. A module of default settings starts with a little over
/// one MiB, most of it stack.
pub const MEMORY_BYTES: usize = 2 * 1024 * 1024;
/// The most elements a table may have.
pub const TABLE_ELEMENTS: usize = 4096;
/// The most bytes of the machine's stack a call may use.
pub const STACK_BYTES: usize = 128 * 1024;

/// The machine that compiles modules; made once, as it belongs to no ruleset.
pub(crate) fn engine() -> Result<&'static Engine, String> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();
    let made = ENGINE.get_or_init(|| Engine::new(&config()).map_err(|error| format!("{error:#}")));
    made.as_ref().map_err(Clone::clone)
}

fn config() -> Config {
    let mut config = Config::new();
    // What plugins may use: the second standard without vectors, which is what compilers emit by default.
    let unwanted = WasmFeatures::SIMD | WasmFeatures::GC_TYPES;
    let features = WasmFeatures::WASM2.difference(unwanted).union(WasmFeatures::EXTENDED_CONST);
    config.wasm_features(WasmFeatures::all(), false).wasm_features(features, true);
    // The same result on every machine, after the same amount of work.
    config.consume_fuel(true).cranelift_nan_canonicalization(true).max_wasm_stack(STACK_BYTES);
    // Modules are tiny: compiling them fast counts as much as running them fast.
    config
        .cranelift_opt_level(OptLevel::None)
        .generate_address_map(false)
        .native_unwind_info(false)
        .wasm_backtrace_max_frames(None);
    // PERF: memory from the allocator with explicit checks. Making an instance then costs no system call,
    // and no signal handlers are put into the process.
    config
        .signals_based_traps(false)
        .memory_reservation(0)
        .memory_guard_size(0)
        .memory_reservation_for_growth(0)
        .memory_init_cow(false);
    config
}

/// Counts what an instance asks for and refuses what is too much.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    /// Whether something was refused.
    refused: bool,
}

impl Guard {
    fn admit(&mut self, desired: usize, most: usize) -> wasmtime::Result<bool> {
        if desired <= most {
            return Ok(true);
        }
        self.refused = true;
        Err(wasmtime::Error::msg("refused"))
    }
}

impl ResourceLimiter for Guard {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        self.admit(desired, MEMORY_BYTES)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        self.admit(desired, TABLE_ELEMENTS)
    }

    fn instances(&self) -> usize {
        1
    }

    fn memories(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        1
    }
}

/// A new place for one instance, with fresh fuel.
///
/// # Errors
/// When the engine does not count fuel, which its configuration excludes.
pub(crate) fn store(engine: &Engine) -> wasmtime::Result<Store<Guard>> {
    let mut store = Store::new(engine, Guard::default());
    store.limiter(|guard| guard);
    store.set_fuel(FUEL)?;
    Ok(store)
}

/// What made an instance stop.
pub(crate) struct Stop {
    pub(crate) code: &'static str,
    /// How the sentence goes on after the name of what stopped.
    pub(crate) text: String,
}

impl Stop {
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Self {
        Stop { code, text: text.into() }
    }

    /// Reads an error of the sandbox.
    pub(crate) fn read(error: &wasmtime::Error, guard: &Guard) -> Self {
        if guard.refused {
            let most = MEMORY_BYTES / 1024;
            let text = format!("wanted more than {most} KiB of memory or {TABLE_ELEMENTS} table elements");
            return Stop::new(error::MEMORY, text);
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::OutOfFuel) => Stop::new(error::FUEL, format!("did not end within {FUEL} units of work")),
            Some(trap) => {
                let trap = trap.to_string();
                let reason = trap.strip_prefix("wasm trap: ").unwrap_or(&trap);
                Stop::new(error::TRAP, format!("stopped with a trap: {reason}"))
            }
            None => Stop::new(error::TRAP, format!("stopped: {error:#}")),
        }
    }
}
