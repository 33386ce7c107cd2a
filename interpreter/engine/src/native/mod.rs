//! Machine code for long work: the program as a WebAssembly module, made when a game is loaded.
//!
//! In: a program bound to its game. Out: a module that finds legal actions, carries them out, plays at random and counts
//! positions, each as one call. What runs modules is given from outside ([`Runner`]). A module does what the program does
//! ([`crate::program`]), operation for operation and stage for stage; where the program gives up, it traps, and the engine
//! takes the decision itself. What a module may do is bounded: its memory is fixed, its loops count their turns, and all it
//! can call is [`Asked`].

mod after;
mod asked;
mod asm;
mod changes;
mod drive;
mod flow;
mod gathered;
mod layout;
mod maker;
mod past;
mod paths;
mod piece;
mod queries;
mod run;
mod session;

use std::sync::{Arc, Mutex};

use crate::hostcall::Direct;
use crate::program::machine::Machine;
pub use run::{Run, Walked};
pub(crate) use session::Course;

/// Globals that the engine reads and writes, by number and exported name.
const GLOBALS: [(u32, &str); 8] = [
    (maker::global::FOUND, "found"),
    (maker::global::LATER, "later"),
    (maker::global::COUNTING, "counting"),
    (maker::global::CHANCE, "chance"),
    (maker::global::ACTIONS, "actions"),
    (maker::global::ONE, "one"),
    (maker::global::UNJUDGED, "unjudged"),
    (maker::global::GATHERED, "gathered"),
];

/// The module of which plugin functions are imported.
const PLUGINS: &str = "plugins";

/// A module has stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What a module may ask for while it runs, as the import `ask` of `engine`: a number, with the module's memory. `false`
/// stops it.
pub type Asked = Box<dyn FnMut(i32, &mut [u8]) -> bool + Send>;

/// Runs modules that the engine has made.
pub trait Runner: Send + Sync {
    /// Compiles a module. It imports `ask` of `engine`, and functions of `plugins` by their number.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn compile(&self, module: &[u8], plugins: &[Direct]) -> Result<Box<dyn Compiled>, String>;
}

/// A module, compiled.
pub trait Compiled: Send + Sync {
    /// A fresh instance; its imports are answered by `asked`.
    ///
    /// # Errors
    /// Why there is none.
    fn start(&self, asked: Asked) -> Result<Box<dyn Instance>, String>;
}

/// A module that runs.
pub trait Instance: Send {
    /// Its memory.
    fn memory(&mut self) -> &mut [u8];
    /// A global, by its exported name; those of 32 bits with their sign.
    fn global(&mut self, name: &str) -> i64;
    /// Sets a global.
    fn set_global(&mut self, name: &str, value: i64);
    /// Calls an export with numbers of 32 bits; its result, or 0.
    ///
    /// # Errors
    /// When it gave up.
    fn call(&mut self, name: &str, args: &[i32]) -> Result<i64, Stopped>;
}

/// Machine code of a program.
pub struct Native<const N: usize> {
    machine: Arc<Machine<N>>,
    layout: Arc<layout::Layout<N>>,
    code: Box<dyn Compiled>,
    /// Instances that nobody uses now.
    idle: Mutex<Vec<Run<N>>>,
}

impl<const N: usize> Native<N> {
    /// Makes it; `None` when the program uses something for which there is no machine code, or the runner does not take
    /// it.
    pub fn new(machine: &Arc<Machine<N>>, runner: &dyn Runner) -> Option<Native<N>> {
        let (module, layout, plugins) = maker::Maker::module(machine)?;
        let code = runner.compile(&module, &plugins).ok()?;
        Some(Native { machine: machine.clone(), layout: Arc::new(layout), code, idle: Mutex::default() })
    }

    /// The module as bytes; `None` as in [`Native::new`].
    #[must_use]
    pub fn module(machine: &Machine<N>) -> Option<Vec<u8>> {
        maker::Maker::module(machine).map(|(module, ..)| module)
    }
}
