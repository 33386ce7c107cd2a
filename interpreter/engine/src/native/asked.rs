//! What machine code asks the engine for: operations that are rare or long, and plugins.

use std::sync::Arc;

use super::layout::{INT_RESULT, Layout, OPERANDS, PLUGIN_ARGS, SET_OPERAND, SET_RESULT};
use crate::bits::Bits;
use crate::board::Facing;
use crate::hostcall::{HostFnId, HostValue};
use crate::ir::{Plane, Slot};
use crate::position::Position;
use crate::program::machine::{Machine, Memory};
use crate::program::{Arg, Op};

/// Answers what machine code asks for.
pub(super) struct Answers<const N: usize> {
    machine: Arc<Machine<N>>,
    memory: Memory<N>,
}

impl<const N: usize> Answers<N> {
    pub fn new(machine: Arc<Machine<N>>) -> Answers<N> {
        Answers { machine, memory: Memory::default() }
    }

    /// Carries out the operation of a number; `false` stops the code.
    pub fn answer(&mut self, at: i32, bytes: &mut [u8]) -> bool {
        self.operation(at, bytes).is_some()
    }

    fn operation(&mut self, at: i32, bytes: &mut [u8]) -> Option<()> {
        let machine = self.machine.clone();
        let board = &machine.game.rules.board;
        let op = *machine.program.code.get(usize::try_from(at).ok()?)?;
        let int = |number: u32| int_at(bytes, OPERANDS + 4 * number);
        let place = |number: u32| {
            let value = int(number)?;
            Some(usize::try_from(value).ok().filter(|&place| place < board.places()))
        };
        let set = match op {
            Op::Path { path, .. } => {
                let facing = if int(1)? == 1 { Facing::South } else { Facing::North };
                let through = set_at::<N>(bytes, OPERANDS + SET_OPERAND)?;
                let from =
                    |place| machine.paths.get(usize::from(path)).map(|path| path.from(board, place, through, facing));
                match place(0)? {
                    Some(place) => from(place)?,
                    None => Bits::EMPTY,
                }
            }
            Op::Between { .. } => place(0)?.zip(place(1)?).map_or(Bits::EMPTY, |(a, b)| board.between(a, b)),
            Op::InFront { .. } => place(0)?.zip(place(1)?).map_or(Bits::EMPTY, |(a, b)| board.in_front(a, b)),
            Op::Ranks { .. } => machine.band(int(0)?, int(1)?, false),
            Op::Files { .. } => machine.band(int(0)?, int(1)?, true),
            Op::Near { .. } => board.near(set_at::<N>(bytes, OPERANDS + SET_OPERAND)?, int(0)?),
            Op::Plugin { function, args, .. } => return self.plugin(function, args, bytes),
            _ => return None,
        };
        put_set(bytes, set)
    }

    fn plugin(&mut self, function: u16, args: u16, bytes: &mut [u8]) -> Option<()> {
        let machine = self.machine.clone();
        let args = machine.program.args.get(usize::from(args))?;
        let def = machine.game.rules.plugin_fns.get(usize::from(function))?;
        let memo = &mut self.memory.memo;
        memo.ask(function);
        for (number, arg) in (0u32..).zip(args) {
            let address = OPERANDS + PLUGIN_ARGS + 64 * number;
            match arg {
                Arg::Int(_) => memo.with([u64::from(int_at(bytes, address)?.cast_unsigned())]),
                Arg::Set(_) => memo.with(set_at::<N>(bytes, address)?.0),
            }
        }
        let answer = match memo.answer() {
            Some(answer) => answer,
            None => {
                // The registers of the program's own memory hold the arguments for a moment.
                for (number, arg) in (0u32..).zip(args) {
                    let address = OPERANDS + PLUGIN_ARGS + 64 * number;
                    match *arg {
                        Arg::Int(reg) => self.memory.ints[usize::from(reg)] = int_at(bytes, address)?,
                        Arg::Set(reg) => self.memory.sets[usize::from(reg)] = set_at(bytes, address)?,
                    }
                }
                let values: Vec<HostValue> =
                    args.iter().zip(&def.signature.params).map(|(arg, ty)| self.memory.host_value(arg, *ty)).collect();
                let answer = machine.game.host.call(HostFnId(function), &values).ok()?;
                self.memory.memo.learn(answer);
                answer
            }
        };
        match answer {
            HostValue::Squares(words) => put_set(bytes, Bits::<N>::narrow(&words).and(machine.game.all)),
            HostValue::Square(place) => put_int(bytes, place.map_or(-1, i32::from)),
            HostValue::Side(value) | HostValue::Kind(value) => put_int(bytes, i32::from(value)),
            HostValue::Number(value) => put_int(bytes, value),
            HostValue::Test(value) => put_int(bytes, i32::from(value)),
        }
    }
}

/// A number in memory.
pub(super) fn int_at(bytes: &[u8], address: u32) -> Option<i32> {
    Some(i32::from_le_bytes(*bytes.get(address as usize..)?.first_chunk()?))
}

/// A set in memory.
pub(super) fn set_at<const N: usize>(bytes: &[u8], address: u32) -> Option<Bits<N>> {
    let mut set = Bits::EMPTY;
    for (number, word) in set.0.iter_mut().enumerate() {
        *word = u64::from_le_bytes(*bytes.get(address as usize + 8 * number..)?.first_chunk()?);
    }
    Some(set)
}

/// Writes to memory.
pub(super) fn put(bytes: &mut [u8], address: u32, value: &[u8]) -> Option<()> {
    bytes.get_mut(address as usize..)?.get_mut(..value.len())?.copy_from_slice(value);
    Some(())
}

fn put_int(bytes: &mut [u8], value: i32) -> Option<()> {
    put(bytes, OPERANDS + INT_RESULT, &value.to_le_bytes())
}

fn put_set<const N: usize>(bytes: &mut [u8], set: Bits<N>) -> Option<()> {
    for (number, word) in (0u32..).zip(set.0) {
        put(bytes, OPERANDS + SET_RESULT + 8 * number, &word.to_le_bytes())?;
    }
    Some(())
}

impl<const N: usize> Layout<N> {
    /// The position that lies in memory.
    pub fn read(&self, machine: &Machine<N>, bytes: &[u8]) -> Option<Position<N>> {
        let rules = &machine.game.rules;
        let mut pos = Position::default();
        for plane in 0..rules.planes.len() {
            let plane_id = Plane(u32::try_from(plane).ok()?);
            pos.set_plane(plane_id, set_at(bytes, self.plane(plane, 0))?);
        }
        for slot in 0..u32::try_from(rules.slots.len()).ok()? {
            pos.set_slot(Slot(slot), int_at(bytes, self.slot(Slot(slot)))?);
        }
        Some(pos)
    }

    /// Puts a position into memory.
    pub fn write(&self, machine: &Machine<N>, pos: &Position<N>, bytes: &mut [u8]) -> Option<()> {
        let rules = &machine.game.rules;
        for plane in 0..rules.planes.len() {
            for (word, value) in pos.plane_at(plane).0.iter().enumerate() {
                put(bytes, self.plane(plane, word), &value.to_le_bytes())?;
            }
        }
        for slot in 0..u32::try_from(rules.slots.len()).ok()? {
            put(bytes, self.slot(Slot(slot)), &pos.slot(Slot(slot)).to_le_bytes())?;
        }
        Some(())
    }
}
