//! The fast program: flat, typed operations on registers.
//!
//! The compiler lowers rules, with the values of all options, to a [`Program`]; a [`machine::Machine`] runs it. What it does
//! is what the walker does; where it cannot (a fault, a budget that runs out), it stops and says so, and the walker is asked.
//! Registers hold whole numbers (squares, sides, kinds, numbers, tests) or sets (of places, or of kinds by number).

mod listing;
pub mod machine;
pub(crate) mod memo;
mod op;
mod play;
mod run;
mod session;
mod settle;
pub(crate) mod tables;

pub use op::*;
pub use play::{Fast, Group};

use crate::ir::{Local, TriggerKind};

/// A piece of code: where it begins. It ends with [`Op::End`].
pub type Entry = u32;

/// A rule as the program runs it.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleCode {
    /// Its number.
    pub rule: u16,
    /// What starts it.
    pub triggers: Vec<TriggerKind>,
    /// Its guard and its effects.
    pub entry: Entry,
    /// Whether all it can do is to decide the game.
    pub decides: bool,
    /// The registers of its values, for each local that a trigger may bind.
    pub binders: Vec<(Local, Reg)>,
}

/// The code of an action for a side that acts.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionCode {
    /// Finds its legal aims and gives them out as groups.
    pub find: Entry,
    /// Carries it out with the aims in the first registers.
    pub play: Entry,
    /// How many aims it has.
    pub aims: u8,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// All code.
    pub code: Vec<Op>,
    /// Sets known when lowered.
    pub sets: Vec<[u64; 8]>,
    /// Jumps by the kind of a piece; the last is for no piece.
    pub switches: Vec<Vec<u32>>,
    /// Registers of arguments of plugins and events.
    pub args: Vec<Vec<Arg>>,
    /// Paths: those of the rules, then those that lowering has made.
    pub paths: Vec<Vec<crate::board::Leg>>,
    /// Aims of groups before the last: registers.
    pub prefixes: Vec<Vec<Reg>>,
    /// For each action and side.
    pub actions: Vec<Vec<ActionCode>>,
    /// In their order.
    pub rules: Vec<RuleCode>,
    /// Of each phase: which side acts, as code that leaves it in register 0.
    pub phase_sides: Vec<Entry>,
    /// Of each latch: its test, as code that leaves it in register 0.
    pub latches: Vec<Entry>,
    /// First values of slots by span: the slot, and code that leaves the value in register 0, or the value itself.
    pub inits: Vec<Vec<(u16, Init)>>,
    /// What the machine leaves off.
    pub without: Without,
}

/// What a machine leaves off, so that it can be compared with what it stands for. Nothing changes but the speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    /// Paths are walked, not looked up.
    pub path_tables: bool,
    /// Each phase is judged when it begins.
    pub judging_later: bool,
    /// Plugins are asked every time.
    pub remembering: bool,
}

impl RuleCode {
    /// Whether all that starts it is a phase that opens.
    #[must_use]
    pub fn only_opens(&self) -> bool {
        self.triggers.iter().all(|trigger| matches!(trigger, TriggerKind::Opens(_)))
    }
}

/// The first value of a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Init {
    /// Known when lowered.
    Const(i32),
    /// Code that leaves it in register 0.
    Code(Entry),
}

/// An argument of a plugin or an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A number.
    Int(Reg),
    /// A set.
    Set(Reg),
}

impl Arg {
    /// The register, if it is a number.
    #[must_use]
    pub fn int(&self) -> Option<Reg> {
        match self {
            Arg::Int(reg) => Some(*reg),
            Arg::Set(_) => None,
        }
    }
}
