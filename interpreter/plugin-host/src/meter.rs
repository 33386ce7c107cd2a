//! Plugin modules that machine code may call directly, without the sandbox around each call.
//!
//! In: the bytes of a module that passed, and an exported function of it. Out: the same module with a meter in it: each
//! call starts with a budget, each function and each turn of a loop takes the length of its function from it, and what
//! spends more than there is traps. That is never less than what the sandbox charges, one unit for each instruction, so
//! an answer that is given here is given there; where this module traps, the sandbox is asked. Only small modules of
//! functions that do not call each other in a circle and write nothing are taken.

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{BlockType, CodeSection, ConstExpr, GlobalSection, GlobalType, Module, ValType};
use wasmtime::wasmparser::{ExternalKind, FunctionBody, GlobalSectionReader, Operator, Parser, Payload};

use crate::sandbox::FUEL;

/// The most functions a module may have, and the most bytes and locals each. So a call cannot need more stack than the
/// sandbox has.
const FUNCTIONS: usize = 8;
const BODY_BYTES: usize = 4096;
const LOCALS: u32 = 128;

/// The module with its meter; `None` when it is not simple enough.
pub(crate) fn metered(bytes: &[u8], export: &str) -> Option<Vec<u8>> {
    let outline = Outline::of(bytes)?;
    let exported = *outline.exports.iter().find(|(name, _)| name == export).map(|(_, index)| index)?;
    // The budget begins with the exported function, so nothing may call that one.
    if outline.calls.iter().flatten().any(|&callee| callee == exported) || !outline.ends() {
        return None;
    }
    let mut module = Module::new();
    let mut meter = Meter { exported, function: 0, global: outline.globals };
    meter.parse_core_module(&mut module, Parser::new(0), bytes).ok()?;
    Some(module.finish())
}

/// What is asked of a module beforehand.
struct Outline {
    exports: Vec<(String, u32)>,
    /// Which functions each calls.
    calls: Vec<Vec<u32>>,
    /// How many globals there are.
    globals: u32,
}

impl Outline {
    /// `None` when something in it is not taken.
    fn of(bytes: &[u8]) -> Option<Outline> {
        let mut outline = Outline { exports: Vec::new(), calls: Vec::new(), globals: 0 };
        for payload in Parser::new(0).parse_all(bytes) {
            match payload.ok()? {
                Payload::ImportSection(_) | Payload::StartSection { .. } => return None,
                Payload::GlobalSection(section) => outline.globals = section.count(),
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export.ok()?;
                        if export.kind == ExternalKind::Func {
                            outline.exports.push((export.name.to_owned(), export.index));
                        }
                    }
                }
                Payload::CodeSectionEntry(body) => outline.calls.push(calls(&body)?),
                _ => {}
            }
        }
        // Without a section of globals there is no place for the meter.
        (outline.globals > 0 && outline.calls.len() <= FUNCTIONS).then_some(outline)
    }

    /// Whether no function calls itself by way of others.
    fn ends(&self) -> bool {
        let mut ended = vec![false; self.calls.len()];
        for _ in 0..self.calls.len() {
            for (function, calls) in self.calls.iter().enumerate() {
                ended[function] |= calls.iter().all(|&callee| ended.get(callee as usize).copied().unwrap_or(false));
            }
        }
        ended.iter().all(|&ended| ended)
    }
}

/// The functions that a body calls; `None` when it is too large or calls what is not known.
fn calls(body: &FunctionBody<'_>) -> Option<Vec<u32>> {
    if body.range().len() > BODY_BYTES {
        return None;
    }
    let mut locals = 0u32;
    for group in body.get_locals_reader().ok()? {
        locals = locals.checked_add(group.ok()?.0)?;
    }
    let mut calls = Vec::new();
    let mut operators = body.get_operators_reader().ok()?;
    while !operators.eof() {
        match operators.read().ok()? {
            Operator::Call { function_index } => calls.push(function_index),
            Operator::CallIndirect { .. } | Operator::ReturnCall { .. } | Operator::ReturnCallIndirect { .. } => {
                return None;
            }
            _ => {}
        }
    }
    (locals <= LOCALS).then_some(calls)
}

/// Writes the module anew with its meter.
struct Meter {
    exported: u32,
    /// The function that comes next.
    function: u32,
    /// The number of the global that holds what is left.
    global: u32,
}

impl Meter {
    fn charge(&self, function: &mut wasm_encoder::Function, cost: i32) {
        let mut code = function.instructions();
        code.global_get(self.global).i32_const(cost).i32_sub().global_set(self.global);
        code.global_get(self.global).i32_const(0).i32_lt_s().if_(BlockType::Empty).unreachable().end();
    }
}

impl Reencode for Meter {
    type Error = std::convert::Infallible;

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), Error<Self::Error>> {
        utils::parse_global_section(self, globals, section)?;
        let left = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        globals.global(left, &ConstExpr::i32_const(0));
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), Error<Self::Error>> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        // A function of so many bytes has no more instructions.
        let cost = i32::try_from(body.range().len()).unwrap_or(i32::MAX);
        if self.function == self.exported {
            let budget = i32::try_from(FUEL).unwrap_or(i32::MAX);
            function.instructions().i32_const(budget).global_set(self.global);
        }
        self.charge(&mut function, cost);
        self.function += 1;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let operator = operators.read()?;
            let is_loop = matches!(operator, Operator::Loop { .. });
            function.instruction(&self.instruction(operator)?);
            if is_loop {
                self.charge(&mut function, cost);
            }
        }
        code.function(&function);
        Ok(())
    }
}
