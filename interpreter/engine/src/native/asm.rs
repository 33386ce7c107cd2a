//! WebAssembly functions in the making: a body with its locals.

use wasm_encoder::{BlockType, Function, InstructionSink, MemArg, ValType};

/// A local of a function.
pub(super) type Local = u32;

/// The body of a function.
pub(super) struct Body {
    code: Vec<u8>,
    params: u32,
    locals: Vec<ValType>,
}

/// Where an access to memory lies: an address known here, beside the one on the stack.
pub(super) fn at(offset: u32, align: u32) -> MemArg {
    MemArg { offset: u64::from(offset), align, memory_index: 0 }
}

impl Body {
    /// A body of a function with so many parameters.
    pub fn new(params: usize) -> Body {
        Body { code: Vec::new(), params: u32::try_from(params).unwrap_or(0), locals: Vec::new() }
    }

    /// Where instructions go.
    pub fn i(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.code)
    }

    /// A fresh local, zero at first.
    pub fn local(&mut self, ty: ValType) -> Local {
        self.locals.push(ty);
        self.params + u32::try_from(self.locals.len()).unwrap_or(u32::MAX) - 1
    }

    /// A fresh local of 32 bits.
    pub fn int(&mut self) -> Local {
        self.local(ValType::I32)
    }

    /// A fresh local of 64 bits.
    pub fn word(&mut self) -> Local {
        self.local(ValType::I64)
    }

    /// The value of a global becomes a number.
    pub fn set_global(&mut self, global: u32, value: i32) {
        self.i().i32_const(value).global_set(global);
    }

    /// A load of 32 bits from a known address.
    pub fn load32(&mut self, address: u32) {
        self.i().i32_const(0).i32_load(at(address, 2));
    }

    /// A load of 64 bits from a known address.
    pub fn load64(&mut self, address: u32) {
        self.i().i32_const(0).i64_load(at(address, 3));
    }

    /// A store of 32 bits to a known address.
    pub fn store32(&mut self, address: u32, value: impl FnOnce(&mut Body)) {
        self.i().i32_const(0);
        value(self);
        self.i().i32_store(at(address, 2));
    }

    /// A store of 64 bits to a known address.
    pub fn store64(&mut self, address: u32, value: impl FnOnce(&mut Body)) {
        self.i().i32_const(0);
        value(self);
        self.i().i64_store(at(address, 3));
    }

    /// Code that runs if the number on the stack is not 0.
    pub fn when(&mut self, then: impl FnOnce(&mut Body)) {
        self.i().if_(BlockType::Empty);
        then(self);
        self.i().end();
    }

    /// Gives up if the number on the stack is not 0.
    pub fn give_up_if(&mut self) {
        self.when(|body| {
            body.i().unreachable();
        });
    }

    /// A number stays within a range.
    pub fn clamp(&mut self, local: Local, low: i32, high: i32) {
        let mut i = self.i();
        i.local_get(local).i32_const(low).local_get(local).i32_const(low).i32_gt_s().select().local_tee(local);
        i.i32_const(high).local_get(local).i32_const(high).i32_lt_s().select().local_set(local);
    }

    /// Copies so many bytes, a multiple of 16, between two addresses, each known or in a local beside what is known.
    pub fn copy(&mut self, to: (Option<Local>, u32), from: (Option<Local>, u32), bytes: u32) {
        for offset in (0..bytes).step_by(16) {
            self.base(to.0);
            self.base(from.0);
            self.i().v128_load(at(from.1 + offset, 4)).v128_store(at(to.1 + offset, 4));
        }
    }

    fn base(&mut self, local: Option<Local>) {
        match local {
            Some(local) => self.i().local_get(local),
            None => self.i().i32_const(0),
        };
    }

    /// The function, ended.
    pub fn finish(mut self) -> Function {
        self.i().end();
        let mut function = Function::new_with_locals_types(self.locals);
        function.raw(self.code);
        function
    }
}
