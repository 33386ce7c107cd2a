//! A module in the making: which functions there are, and the module itself.

use indexmap::IndexMap;
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, ImportSection, MemorySection, MemoryType, Module, NameMap, NameSection, TypeSection,
    ValType,
};

use super::asm::Body;
use super::layout::Layout;
use super::piece::{Context, Gives, Piece};
use crate::hostcall::{Direct, HostFnId};
use crate::ir::Slot;
use crate::program::machine::Machine;
use crate::program::{Init, Op, Reg};

/// Globals, by number.
pub(super) mod global {
    /// The side that acts.
    pub const ME: u32 = 0;
    /// The next phase, −1 for none.
    pub const GO: u32 = 1;
    /// How many events wait.
    pub const WAITING: u32 = 2;
    /// How many spans wait to begin.
    pub const BEGINS: u32 = 3;
    /// Which of the two lists of such spans is filled: 0 or the distance to the second.
    pub const LIST: u32 = 4;
    /// Where the next group goes.
    pub const FOUND: u32 = 5;
    /// Whether the search for legal actions ends at the first.
    pub const ONE: u32 = 6;
    /// The phase that waits to be judged, −1 for none.
    pub const UNJUDGED: u32 = 7;
    /// Whether phases are judged later, by who looks for legal actions anyway.
    pub const LATER: u32 = 8;
    /// Whether positions are only counted.
    pub const COUNTING: u32 = 9;
    /// How many moves have been gathered.
    pub const GATHERED: u32 = 15;
    /// What the decision may still cost.
    pub const FUEL: u32 = 10;
    /// How many there are of 32 bits.
    pub const INTS: u32 = 11;
    /// Spans that are to end.
    pub const ENDS: u32 = 11;
    /// Spans that have ended.
    pub const CLOSED: u32 = 12;
    /// The state of the source of chance.
    pub const CHANCE: u32 = 13;
    /// How many legal actions there were over all decisions.
    pub const ACTIONS: u32 = 14;
    /// How many there are.
    pub const COUNT: u32 = 16;
}

/// The import that carries out an operation in the engine.
pub(super) const ASK: u32 = 0;

/// A function of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Find(usize, usize),
    Play(usize, usize),
    Acts(usize),
    Latch(usize),
    First(usize),
    Latches,
    React,
    Close,
    Count,
    AskBegin,
    Begin(usize),
    OpenWaiting,
    Refresh(usize),
    EnterPhase,
    Judge(usize),
    JudgeLater,
    AnyLegal,
    FindAll,
    Tally,
    Settle,
    EndIfDecided,
    Act,
    Pick,
    Playout,
    Perft,
    Hash(usize),
    Seen(usize),
    SlotHash,
    See(usize),
    Memo(usize),
    Gather,
    MoveGathered,
}

/// A module with its memory, and the plugin functions that it calls directly.
pub(super) type Made<const N: usize> = (Vec<u8>, Layout<N>, Vec<Direct>);

/// Parameters and results.
pub(super) type Signature = (Vec<ValType>, Vec<ValType>);

/// What the program exports, with its name.
const EXPORTS: [(Key, &str); 6] = [
    (Key::FindAll, "find"),
    (Key::Act, "act"),
    (Key::JudgeLater, "judge"),
    (Key::Playout, "playout"),
    (Key::Perft, "perft"),
    (Key::Tally, "tally"),
];

/// A module in the making.
pub(super) struct Maker<'m, const N: usize> {
    pub machine: &'m Machine<N>,
    pub layout: Layout<N>,
    /// Whether some phase looks whether anything is legal while an action is carried out.
    pub one_suffices: bool,
    /// Plugin functions that are called directly: their numbers, in the order of their imports.
    pub directs: Vec<(usize, Direct)>,
    functions: IndexMap<Key, (Signature, Option<Function>)>,
    /// Where pieces of code begin, in order.
    entries: Vec<u32>,
}

const I32: ValType = ValType::I32;
/// The most bytes of a module without its tables: it bounds the time to compile it.
const MOST_CODE: usize = 4 << 20;
const PARAMS: [ValType; 8] = [I32; 8];

impl<'m, const N: usize> Maker<'m, N> {
    fn new(machine: &'m Machine<N>) -> Maker<'m, N> {
        let rules = &machine.game.rules;
        let program = &machine.program;
        let mut entries: Vec<u32> = program.actions.iter().flatten().flat_map(|code| [code.find, code.play]).collect();
        entries.extend(program.rules.iter().map(|code| code.entry));
        entries.extend(program.phase_sides.iter().chain(&program.latches));
        entries.extend(program.inits.iter().flatten().filter_map(|(_, init)| match init {
            Init::Code(entry) => Some(*entry),
            Init::Const(_) => None,
        }));
        entries.push(u32::try_from(program.code.len()).unwrap_or(u32::MAX));
        entries.sort_unstable();
        let asks_history = program.code.iter().any(|op| matches!(op, Op::Seen { .. }));
        Maker {
            layout: Layout::new(rules.planes.len(), rules.slots.len(), asks_history),
            one_suffices: (0..rules.phases.len())
                .any(|phase| !machine.can_wait[phase] && !machine.stuck[phase].is_empty()),
            directs: Vec::new(),
            functions: IndexMap::new(),
            entries,
            machine,
        }
    }

    /// Where the code that begins at an entry ends.
    pub fn end_of(&self, entry: u32) -> u32 {
        self.entries.iter().copied().find(|&other| other > entry).unwrap_or(entry)
    }

    /// Where pieces of code begin.
    pub fn entries(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.iter().copied()
    }

    /// Bytes of a group.
    pub fn group_bytes(&self) -> i32 {
        i32::try_from(Layout::<N>::GROUP).unwrap_or(0)
    }

    /// The number of a function; `None` when there is none.
    pub fn index(&self, key: Key) -> Option<u32> {
        let place = self.functions.get_index_of(&key)?;
        Some(self.imports() + u32::try_from(place).ok()?)
    }

    /// How many imports there are: [`ASK`], then plugin functions.
    pub fn imports(&self) -> u32 {
        1 + u32::try_from(self.directs.len()).unwrap_or(0)
    }

    /// Pushes a call, if there is such a function.
    pub fn call(&self, body: &mut Body, key: Key) {
        if let Some(index) = self.index(key) {
            body.i().call(index);
        }
    }

    /// The planes and slots that code changes.
    pub fn changed(&self, from: u32, to: u32) -> (u64, Vec<bool>) {
        let game = &self.machine.game;
        let rules = &game.rules;
        let (mut planes, mut slots) = (0u64, vec![false; rules.slots.len()]);
        let mut slot = |number: usize, count: usize| {
            for changed in slots.iter_mut().skip(number).take(count) {
                *changed = true;
            }
        };
        let plane = |number: usize| 1u64.checked_shl(u32::try_from(number).unwrap_or(64)).unwrap_or(0);
        for op in self.machine.program.code.get(from as usize..to as usize).unwrap_or_default() {
            match *op {
                Op::Move { .. } | Op::Remove { .. } | Op::MoveGathered | Op::Put { .. } => {
                    for &travelling in &game.travelling {
                        planes |= plane(travelling.ix());
                    }
                    for piece in &game.piece_slots {
                        slot(piece.ix(), 1);
                    }
                    for number in 0..rules.sides.len() + rules.kinds.len() {
                        planes |= plane(number);
                    }
                }
                Op::Mark { plane: number, .. }
                | Op::Unmark { plane: number, .. }
                | Op::SetPlane { plane: number, .. } => {
                    planes |= plane(usize::from(number));
                }
                Op::SetSlot { slot: number, .. }
                | Op::AddSlot { slot: number, .. }
                | Op::TakeSlot { slot: number, .. } => {
                    slot(usize::from(number), 1);
                }
                Op::SetSlotOf { slot: number, .. }
                | Op::AddSlotOf { slot: number, .. }
                | Op::TakeSlotOf { slot: number, .. } => slot(usize::from(number), rules.sides.len()),
                Op::SetCounter { counter, .. } => {
                    if let Some(def) = rules.counters.get(usize::from(counter)) {
                        (0..def.bits as usize).for_each(|bit| planes |= plane(def.first.ix() + bit));
                    }
                }
                Op::Give1 { reserve, .. } | Op::Take1 { reserve, .. } => {
                    if let Some(def) = rules.reserves.get(usize::from(reserve)) {
                        slot(def.first.ix(), rules.sides.len() * rules.kinds.len());
                    }
                }
                Op::Tick { clock, .. } => {
                    if let Some(def) = rules.clocks.get(usize::from(clock)) {
                        slot(def.slot.ix(), 1);
                    }
                }
                Op::Win { .. } | Op::Award { .. } | Op::Draw => slot(0, crate::ir::Fixed::COUNT),
                _ => {}
            }
        }
        (planes, slots)
    }

    /// All functions by name, so that each can call each.
    fn declare(&mut self) {
        let machine = self.machine;
        let past = self.past_signatures();
        let rules = &machine.game.rules;
        let mut declare = |key: Key, (params, results): (&[ValType], &[ValType])| {
            self.functions.insert(key, ((params.to_vec(), results.to_vec()), None));
        };
        for (action, codes) in machine.program.actions.iter().enumerate() {
            for (side, code) in codes.iter().enumerate() {
                declare(Key::Play(action, side), (&PARAMS[..usize::from(code.aims).min(4)], &[]));
            }
        }
        for phase in 0..rules.phases.len() {
            for side in 0..rules.sides.len() {
                declare(Key::Find(phase, side), (&[], &[]));
            }
        }
        for span in 0..machine.spans.len() {
            declare(Key::Begin(span), (&[I32], &[]));
            declare(Key::Refresh(span), (&[], &[]));
            for &(slot, init) in &machine.program.inits[span] {
                if let Init::Code(_) = init {
                    declare(Key::First(usize::from(slot)), (&[], &[I32]));
                }
            }
        }
        for phase in 0..rules.phases.len() {
            declare(Key::Acts(phase), (&[], &[I32]));
            declare(Key::Judge(phase), (&[I32], &[I32]));
        }
        for latch in 0..rules.latches.len() {
            declare(Key::Latch(latch), (&[], &[I32]));
        }
        for key in [Key::Close, Key::Count, Key::OpenWaiting, Key::EnterPhase, Key::FindAll, Key::Settle] {
            declare(key, (&[], &[]));
        }
        for key in [Key::Latches, Key::React, Key::EndIfDecided] {
            declare(key, (&[], &[]));
        }
        past.into_iter().for_each(|(key, (params, results))| declare(key, (&params, &results)));
        declare(Key::Gather, (&[I32, I32], &[]));
        declare(Key::MoveGathered, (&[], &[]));
        declare(Key::AskBegin, (&[I32, I32], &[]));
        declare(Key::JudgeLater, (&[I32], &[]));
        declare(Key::AnyLegal, (&[], &[I32]));
        declare(Key::Tally, (&[I32], &[I32]));
        declare(Key::Act, (&[I32; 5], &[]));
        declare(Key::Pick, (&[I32], &[]));
        declare(Key::Playout, (&[I32], &[]));
        declare(Key::Perft, (&[I32, I32, I32], &[ValType::I64]));
    }

    fn define(&mut self, key: Key, body: Body) {
        self.define_as(key, body.finish());
    }

    fn define_as(&mut self, key: Key, function: Function) {
        if let Some((_, known)) = self.functions.get_mut(&key) {
            *known = Some(function);
        }
    }

    fn piece(&mut self, key: Key, entry: u32, params: &[Reg], context: Context) -> Option<()> {
        let function = Piece::function(self, entry, params, context)?;
        self.define_as(key, function);
        Some(())
    }

    /// What is known of the code of an action for a side.
    pub fn context(&self, action: usize, side: usize) -> Option<Context> {
        let rules = &self.machine.game.rules;
        let author = i32::try_from(rules.rules.len() + action).ok()?;
        let picked = i32::try_from(action * rules.sides.len() + side).ok()?;
        Some(Context { author, picked, gives: Gives::Nothing })
    }

    /// The code of the program.
    fn pieces(&mut self) -> Option<()> {
        let machine = self.machine;
        let rules = &machine.game.rules;
        let nothing = Context { author: -1, picked: 0, gives: Gives::Nothing };
        let number = Context { gives: Gives::Number, ..nothing };
        for (action, codes) in machine.program.actions.iter().enumerate() {
            for (side, code) in codes.iter().enumerate() {
                if code.aims > 4 {
                    return None;
                }
                let aims: Vec<Reg> = (0..code.aims).collect();
                let context = self.context(action, side)?;
                self.piece(Key::Play(action, side), code.play, &aims, context)?;
            }
        }
        for phase in 0..rules.phases.len() {
            for side in 0..rules.sides.len() {
                let body = self.find(phase, side)?;
                self.define(Key::Find(phase, side), body);
            }
        }
        for (phase, &entry) in machine.program.phase_sides.iter().enumerate() {
            self.piece(Key::Acts(phase), entry, &[], number)?;
        }
        for (latch, &entry) in machine.program.latches.iter().enumerate() {
            self.piece(Key::Latch(latch), entry, &[], number)?;
        }
        for &(slot, init) in machine.program.inits.iter().flatten() {
            if let Init::Code(entry) = init {
                self.piece(Key::First(usize::from(slot)), entry, &[], number)?;
            }
        }
        Some(())
    }

    /// The module of a machine, with the plugin functions that it calls; `None` when something in it has no machine code.
    pub fn module(machine: &'m Machine<N>) -> Option<Made<N>> {
        let mut maker = Maker::new(machine);
        if N == 1 {
            let direct = |function: usize| {
                let id = HostFnId(u16::try_from(function).ok()?);
                Some((function, machine.game.host.direct(id)?))
            };
            maker.directs = maker.plugins().into_iter().filter_map(direct).collect();
        }
        maker.declare();
        maker.pieces()?;
        for made in [maker.past()?, maker.after()?, maker.gathered()?] {
            made.into_iter().for_each(|(key, body)| maker.define(key, body));
        }
        // These know where groups lie, behind all tables.
        maker.drive()?.into_iter().for_each(|(key, body)| maker.define(key, body));
        let module = maker.encode()?;
        let directs = maker.directs.into_iter().map(|(_, direct)| direct).collect();
        Some((module, maker.layout, directs))
    }

    fn encode(&self) -> Option<Vec<u8>> {
        let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
        let mut imports = ImportSection::new();
        let mut signatures: IndexMap<Signature, ()> = IndexMap::new();
        signatures.insert((vec![I32], vec![]), ());
        imports.import("engine", "ask", EntityType::Function(0));
        for (number, (function, _)) in self.directs.iter().enumerate() {
            let signature = self.direct_signature(*function)?;
            let (place, _) = signatures.insert_full(signature, ());
            imports.import(super::PLUGINS, &number.to_string(), EntityType::Function(u32::try_from(place).ok()?));
        }
        for (signature, function) in self.functions.values() {
            let (place, _) = signatures.insert_full(signature.clone(), ());
            functions.function(u32::try_from(place).ok()?);
            code.function(function.as_ref()?);
        }
        if code.byte_len() > MOST_CODE {
            return None;
        }
        for (params, results) in signatures.keys() {
            types.ty().function(params.iter().copied(), results.iter().copied());
        }
        let pages = u64::from(self.layout.pages());
        let mut memories = MemorySection::new();
        let memory =
            MemoryType { minimum: pages, maximum: Some(pages), memory64: false, shared: false, page_size_log2: None };
        memories.memory(memory);
        let mut globals = GlobalSection::new();
        for number in 0..global::COUNT {
            let is_int = number < global::INTS || number == global::GATHERED;
            let val_type = if is_int { I32 } else { ValType::I64 };
            let zero = if is_int { ConstExpr::i32_const(0) } else { ConstExpr::i64_const(0) };
            globals.global(GlobalType { val_type, mutable: true, shared: false }, &zero);
        }
        let mut exports = ExportSection::new();
        exports.export("memory", ExportKind::Memory, 0);
        for (key, name) in EXPORTS {
            exports.export(name, ExportKind::Func, self.index(key)?);
        }
        for (number, name) in super::GLOBALS {
            exports.export(name, ExportKind::Global, number);
        }
        let (address, tables) = self.layout.tables();
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(i32::try_from(address).ok()?), tables.iter().copied());
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&memories).section(&globals);
        module.section(&exports).section(&code).section(&data);
        // Names are for profilers.
        let (mut names, mut section) = (NameMap::new(), NameSection::new());
        for (number, key) in (self.imports()..).zip(self.functions.keys()) {
            names.append(number, &format!("{key:?}"));
        }
        section.functions(&names);
        module.section(&section);
        Some(module.finish())
    }

    /// Whether a slot is open or set: pushes whether it holds a value.
    pub fn holds(&self, body: &mut Body, slot: Slot, value: i32) {
        body.load32(self.layout.slot(slot));
        body.i().i32_const(value).i32_eq();
    }
}
