//! Running a function.
//!
//! In: a function that passed the checks and its arguments. Out: a value proved to be in the declared
//! type, or why there is none. State never outlives a call, except in instances that calls do not change.

use fullcourt_engine::hostcall::{HostLimits, HostType, HostValue};
use wasmtime::{Func, Instance, Memory, ModuleExport, Store, Val};

use crate::abi::{self, Width};
use crate::check::{Function, Plugin};
use crate::compiled::Ready;
use crate::error;
use crate::memo::Memo;
use crate::sandbox::{self, FUEL, Guard, Stop};
use crate::shape::plain;

/// An instance of a plugin.
pub(crate) struct Live {
    store: Store<Guard>,
    instance: Instance,
}

impl Live {
    /// Makes an instance and runs its start function, with fuel of its own.
    ///
    /// # Errors
    /// When the start function stops, or the data does not fit.
    pub(crate) fn new(ready: &Ready) -> Result<Live, Stop> {
        let engine = ready.instances.module().engine();
        let mut store = sandbox::store(engine).map_err(|found| Stop::read(&found, &Guard::default()))?;
        match ready.instances.instantiate(&mut store) {
            Ok(instance) => Ok(Live { store, instance }),
            Err(found) => Err(Stop::read(&found, store.data())),
        }
    }

    /// Runs an exported function that has one result.
    fn call(&mut self, export: Option<&ModuleExport>, params: &[Val]) -> Result<Val, Stop> {
        let found = export.and_then(|export| self.instance.get_module_export(&mut self.store, export));
        let func = found.and_then(|found| found.into_func());
        let func: Func = func.ok_or_else(|| Stop::new(error::MISSING, "is not exported"))?;
        let mut results = [Val::I32(0)];
        match func.call(&mut self.store, params, &mut results) {
            Ok(()) => {
                let [result] = results;
                Ok(result)
            }
            Err(found) => Err(Stop::read(&found, self.store.data())),
        }
    }

    fn memory(&mut self, ready: &Ready) -> Result<Memory, Stop> {
        let found = ready.memory.as_ref().and_then(|export| self.instance.get_module_export(&mut self.store, export));
        let memory = found.and_then(|found| found.into_memory());
        memory.ok_or_else(|| Stop::new(error::MISSING, format!("needs `{}`, which is not exported", abi::MEMORY)))
    }

    /// Asks where the sets of a call go.
    fn buffer(&mut self, ready: &Ready) -> Result<(Memory, usize), Stop> {
        let missing = || Stop::new(error::MISSING, format!("needs `{}`, which is not exported", abi::BUFFER));
        let answer = self.call(Some(ready.buffer.as_ref().ok_or_else(missing)?), &[])?;
        let start = address(&answer);
        let memory = self.memory(ready)?;
        let (room, size) = (abi::BUFFER_SETS * abi::SET_BYTES, memory.data_size(&self.store));
        if start + room > size {
            let text = format!("has no room: `{}` gave {start}, but memory ends at {size}", abi::BUFFER);
            return Err(Stop::new(error::VALUE, text));
        }
        Ok((memory, start))
    }

    /// Runs a function on arguments in a row.
    fn run(&mut self, ready: &Ready, function: &Function, row: &[u64], scope: Scope) -> Result<HostValue, Stop> {
        self.store.set_fuel(FUEL).map_err(|found| Stop::read(&found, &Guard::default()))?;
        let types = &function.signature.params;
        let params = if scope.width == Width::Wide && abi::sets(&function.signature) > 0 {
            let (memory, mut at) = self.buffer(ready)?;
            abi::params(scope.width, types, row, |set| {
                let start = at;
                at += abi::SET_BYTES;
                let bytes: Vec<u8> = set.iter().flat_map(|word| word.to_le_bytes()).collect();
                let written = memory.write(&mut self.store, start, &bytes);
                written.map(|()| start as u32 as i32).map_err(|_| Stop::new(error::VALUE, "has no room for a set"))
            })?
        } else {
            let no_memory = |_: &[u64]| Err(Stop::new(error::ARGUMENTS, "was called with a set it cannot take"));
            abi::params(scope.width, types, row, no_memory)?
        };
        let export = ready.functions.get(function.slot).and_then(Option::as_ref);
        let answer = self.call(export, &params)?;
        self.read(ready, function, &answer, scope)
    }

    /// Reads the answer as a value of the declared type.
    fn read(&mut self, ready: &Ready, function: &Function, answer: &Val, scope: Scope) -> Result<HostValue, Stop> {
        let result = function.signature.result;
        if result != HostType::Squares {
            let found = answer.i32().unwrap_or_default();
            let outside = |range| Stop::new(error::VALUE, format!("gave {found}; expected {range}"));
            return abi::number(result, found, scope.limits).map_err(outside);
        }
        let mut words = [0; abi::SET_WORDS];
        match scope.width {
            Width::Narrow => words[0] = answer.i64().unwrap_or_default() as u64,
            Width::Wide => {
                let memory = self.memory(ready)?;
                let (start, size) = (address(answer), memory.data_size(&self.store));
                let mut bytes = [0; abi::SET_BYTES];
                if memory.read(&self.store, start, &mut bytes).is_err() {
                    let text = format!("gave a set at {start}, but memory ends at {size}");
                    return Err(Stop::new(error::VALUE, text));
                }
                for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
                    *word = u64::from_le_bytes(*bytes);
                }
            }
        }
        abi::set(words, scope.limits).map_err(|place| {
            let places = scope.limits.places;
            Stop::new(error::VALUE, format!("gave a set with square {place}; the board has {places}"))
        })
    }
}

/// An address as the module means it, without a sign.
fn address(answer: &Val) -> usize {
    answer.i32().unwrap_or_default() as u32 as usize
}

/// What all calls of a host have in common.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) limits: HostLimits,
    pub(crate) width: Width,
}

/// What one thread at a time works with. All of it could be thrown away at any moment.
#[derive(Default)]
pub(crate) struct Lane {
    memo: Memo,
    row: Vec<u64>,
    /// An instance of each plugin for functions that do not change it.
    kept: Vec<Option<Live>>,
}

impl Lane {
    /// Answers a call.
    ///
    /// # Errors
    /// When the arguments are not of the declared types, the function stops, or its answer is not of the
    /// declared type.
    pub(crate) fn answer(
        &mut self,
        (at, plugin): (usize, &Plugin),
        (number, function): (u16, &Function),
        args: &[HostValue],
        scope: Scope,
    ) -> Result<HostValue, Stop> {
        if !abi::flatten(scope.width, &function.signature.params, args, &mut self.row) {
            return Err(Stop::new(error::ARGUMENTS, "was called with values of other types than the declared ones"));
        }
        if let Some(answer) = self.memo.get(number, &self.row) {
            return Ok(answer);
        }
        let uncompiled = |reason: &str| Stop::new(error::INVALID, format!("cannot be compiled: {}", plain(reason)));
        let ready = plugin.module.ready().map_err(uncompiled)?;
        let answer = if function.quiet {
            self.run_kept(at, ready, function, scope)?
        } else {
            Live::new(ready)?.run(ready, function, &self.row, scope)?
        };
        self.memo.put(number, &self.row, answer);
        Ok(answer)
    }

    fn run_kept(&mut self, at: usize, ready: &Ready, function: &Function, scope: Scope) -> Result<HostValue, Stop> {
        if self.kept.len() <= at {
            self.kept.resize_with(at + 1, || None);
        }
        let kept = &mut self.kept[at];
        // Taken out, so that an instance that stopped is not used again.
        let mut live = match kept.take() {
            Some(live) => live,
            None => Live::new(ready)?,
        };
        let answer = live.run(ready, function, &self.row, scope)?;
        *kept = Some(live);
        Ok(answer)
    }
}
