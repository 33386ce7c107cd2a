//! Code in the making: operations, labels, registers.

use std::collections::HashMap;

use fullcourt_engine::program::{Arg, Op, Program, Reg, To};

/// The program became too large, or needs more registers than there are.
#[derive(Clone, Copy, Debug)]
pub struct Full;

/// What lowering gives.
pub type Made<T> = Result<T, Full>;

/// The most operations of a program.
const MAX_CODE: usize = 400_000;

/// A place in the code that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// Operations in the making.
#[derive(Default)]
pub struct Emitter {
    /// The program so far.
    pub program: Program,
    labels: Vec<Option<u32>>,
    set_numbers: HashMap<[u64; 8], u16>,
    int: u16,
    set: u16,
}

impl Emitter {
    /// Adds an operation.
    pub fn op(&mut self, op: Op) -> Made<()> {
        if self.program.code.len() >= MAX_CODE {
            return Err(Full);
        }
        self.program.code.push(op);
        Ok(())
    }

    /// Where the next operation will stand.
    pub fn here(&self) -> u32 {
        u32::try_from(self.program.code.len()).unwrap_or(u32::MAX)
    }

    /// A new label.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// A label as an operation has it until all are known.
    pub fn to(label: Label) -> To {
        u32::try_from(label.0).unwrap_or(u32::MAX)
    }

    /// The label stands here.
    pub fn place(&mut self, label: Label) {
        self.labels[label.0] = Some(self.here());
    }

    /// A fresh register for a number.
    pub fn int(&mut self) -> Made<Reg> {
        self.int += 1;
        Reg::try_from(self.int - 1).map_err(|_| Full)
    }

    /// A fresh register for a set.
    pub fn set(&mut self) -> Made<Reg> {
        self.set += 1;
        Reg::try_from(self.set - 1).map_err(|_| Full)
    }

    /// How many registers are in use.
    pub fn mark(&self) -> (u16, u16) {
        (self.int, self.set)
    }

    /// Registers taken since are free again.
    pub fn release(&mut self, (int, set): (u16, u16)) {
        (self.int, self.set) = (int, set);
    }

    /// The number of a set that is known.
    pub fn set_number(&mut self, words: [u64; 8]) -> Made<u16> {
        if let Some(&number) = self.set_numbers.get(&words) {
            return Ok(number);
        }
        let number = u16::try_from(self.program.sets.len()).map_err(|_| Full)?;
        self.program.sets.push(words);
        self.set_numbers.insert(words, number);
        Ok(number)
    }

    /// The number of a list of arguments.
    pub fn args(&mut self, args: Vec<Arg>) -> Made<u16> {
        if let Some(index) = self.program.args.iter().position(|known| *known == args) {
            return u16::try_from(index).map_err(|_| Full);
        }
        self.program.args.push(args);
        u16::try_from(self.program.args.len() - 1).map_err(|_| Full)
    }

    /// The number of a list of registers.
    pub fn prefix(&mut self, regs: Vec<Reg>) -> Made<u16> {
        if let Some(index) = self.program.prefixes.iter().position(|known| *known == regs) {
            return u16::try_from(index).map_err(|_| Full);
        }
        self.program.prefixes.push(regs);
        u16::try_from(self.program.prefixes.len() - 1).map_err(|_| Full)
    }

    /// The program, with its labels in place.
    pub fn finish(mut self) -> Made<Program> {
        let labels = &self.labels;
        let place = |to: &mut To| -> Made<()> {
            *to = labels.get(*to as usize).copied().flatten().ok_or(Full)?;
            Ok(())
        };
        for op in &mut self.program.code {
            op.target_mut().map_or(Ok(()), place)?;
        }
        for table in &mut self.program.switches {
            table.iter_mut().try_for_each(place)?;
        }
        Ok(self.program)
    }
}
