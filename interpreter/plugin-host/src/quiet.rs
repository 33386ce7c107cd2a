//! Which functions of a module provably write nothing.
//!
//! In: the bytes of a valid module. Out: the names of the functions it exports that are quiet. A quiet
//! function consists of instructions of a list and calls only quiet functions directly, so an instance is
//! after the call what it was before. The list names what is known to be harmless: an instruction that is
//! not on it only costs speed, as its function then runs in an instance of its own.

use std::collections::BTreeSet;

use wasmtime::wasmparser::{BinaryReaderError, ExternalKind, FunctionBody, Operator, Parser, Payload};

/// The exported functions of a module without imports that are quiet.
///
/// # Errors
/// When the bytes are no module.
pub(crate) fn quiet_exports(bytes: &[u8]) -> Result<BTreeSet<String>, BinaryReaderError> {
    let mut exports = Vec::new();
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        exports.push((export.name, export.index as usize));
                    }
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(read(&body)?),
            _ => {}
        }
    }
    let quiet = settle(&bodies);
    let is_quiet = |index: usize| quiet.get(index).copied().unwrap_or(false);
    Ok(exports.into_iter().filter(|&(_, index)| is_quiet(index)).map(|(name, _)| name.to_owned()).collect())
}

/// The most bytes of a function's body, the deepest blocks in each other, and the most targets of a jump table. With
/// more, compiling takes a time that grows faster than the module.
const BODY_BYTES: usize = 32 * 1024;
const NESTING: usize = 128;
const TARGETS: u32 = 256;

/// Why compiling a module could take long, if it could. Bytes that are no module pass: compiling refuses them.
pub(crate) fn slow_to_compile(bytes: &[u8]) -> Option<String> {
    for payload in Parser::new(0).parse_all(bytes) {
        let Ok(Payload::CodeSectionEntry(body)) = payload else {
            if payload.is_err() {
                return None;
            }
            continue;
        };
        let size = body.range().len();
        if size > BODY_BYTES {
            return Some(format!("a function of it has {size} bytes; at most {BODY_BYTES} are allowed"));
        }
        let mut operators = body.get_operators_reader().ok()?;
        let mut depth = 0usize;
        while !operators.eof() {
            match operators.read().ok()? {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => depth += 1,
                Operator::End => depth = depth.saturating_sub(1),
                Operator::BrTable { targets } if targets.len() > TARGETS => {
                    let count = targets.len();
                    return Some(format!("a jump table of it has {count} targets; at most {TARGETS} are allowed"));
                }
                _ => {}
            }
            if depth > NESTING {
                return Some(format!("blocks of it lie more than {NESTING} deep in each other"));
            }
        }
    }
    None
}

/// The functions a body calls, or nothing when it does something that is not on the list.
type Calls = Option<Vec<usize>>;

fn read(body: &FunctionBody<'_>) -> Result<Calls, BinaryReaderError> {
    let mut calls = Vec::new();
    let mut operators = body.get_operators_reader()?;
    while !operators.eof() {
        match operators.read()? {
            Operator::Call { function_index } => calls.push(function_index as usize),
            operator if harmless(&operator) => {}
            _ => return Ok(None),
        }
    }
    Ok(Some(calls))
}

/// Takes away functions that call one that is not quiet, from callee to caller.
fn settle(bodies: &[Calls]) -> Vec<bool> {
    let mut callers = vec![Vec::new(); bodies.len()];
    let mut quiet = vec![true; bodies.len()];
    let mut loud = Vec::new();
    for (caller, calls) in bodies.iter().enumerate() {
        let Some(calls) = calls else {
            loud.push(caller);
            continue;
        };
        for &callee in calls {
            match callers.get_mut(callee) {
                Some(known) => known.push(caller),
                None => loud.push(caller),
            }
        }
    }
    while let Some(function) = loud.pop() {
        if std::mem::replace(&mut quiet[function], false) {
            loud.append(&mut callers[function]);
        }
    }
    quiet
}

/// Whether an instruction only reads, computes or jumps. Floating point is left out: plugins do without.
fn harmless(operator: &Operator<'_>) -> bool {
    use Operator as O;
    control(operator)
        || matches!(
            operator,
            O::I32Load { .. }
                | O::I32Load8S { .. }
                | O::I32Load8U { .. }
                | O::I32Load16S { .. }
                | O::I32Load16U { .. }
                | O::I64Load { .. }
                | O::I64Load8S { .. }
                | O::I64Load8U { .. }
                | O::I64Load16S { .. }
                | O::I64Load16U { .. }
                | O::I64Load32S { .. }
                | O::I64Load32U { .. }
        )
        || matches!(
            operator,
            O::I32Const { .. }
                | O::I32Eqz
                | O::I32Eq
                | O::I32Ne
                | O::I32LtS
                | O::I32LtU
                | O::I32GtS
                | O::I32GtU
                | O::I32LeS
                | O::I32LeU
                | O::I32GeS
                | O::I32GeU
                | O::I32Clz
                | O::I32Ctz
                | O::I32Popcnt
                | O::I32Add
                | O::I32Sub
                | O::I32Mul
                | O::I32DivS
                | O::I32DivU
                | O::I32RemS
                | O::I32RemU
                | O::I32And
                | O::I32Or
                | O::I32Xor
                | O::I32Shl
                | O::I32ShrS
                | O::I32ShrU
                | O::I32Rotl
                | O::I32Rotr
                | O::I32WrapI64
                | O::I32Extend8S
                | O::I32Extend16S
        )
        || matches!(
            operator,
            O::I64Const { .. }
                | O::I64Eqz
                | O::I64Eq
                | O::I64Ne
                | O::I64LtS
                | O::I64LtU
                | O::I64GtS
                | O::I64GtU
                | O::I64LeS
                | O::I64LeU
                | O::I64GeS
                | O::I64GeU
                | O::I64Clz
                | O::I64Ctz
                | O::I64Popcnt
                | O::I64Add
                | O::I64Sub
                | O::I64Mul
                | O::I64DivS
                | O::I64DivU
                | O::I64RemS
                | O::I64RemU
                | O::I64And
                | O::I64Or
                | O::I64Xor
                | O::I64Shl
                | O::I64ShrS
                | O::I64ShrU
                | O::I64Rotl
                | O::I64Rotr
                | O::I64ExtendI32S
                | O::I64ExtendI32U
                | O::I64Extend8S
                | O::I64Extend16S
                | O::I64Extend32S
        )
}

fn control(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::Unreachable
            | O::Nop
            | O::Block { .. }
            | O::Loop { .. }
            | O::If { .. }
            | O::Else
            | O::End
            | O::Br { .. }
            | O::BrIf { .. }
            | O::BrTable { .. }
            | O::Return
            | O::Drop
            | O::Select
            | O::LocalGet { .. }
            | O::LocalSet { .. }
            | O::LocalTee { .. }
            | O::GlobalGet { .. }
            | O::MemorySize { .. }
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test ends where something is wrong")]
mod tests {
    use super::quiet_exports;

    fn quiet(text: &str) -> Vec<String> {
        quiet_exports(&wat::parse_str(text).unwrap()).unwrap().into_iter().collect()
    }

    #[test]
    fn computing_and_reading_is_quiet() {
        let text = r#"(module (memory 1) (func (export "f") (param i32) (result i32) local.get 0 i32.load))"#;
        assert_eq!(quiet(text), ["f"]);
    }

    #[test]
    fn writing_is_loud_and_so_is_calling_it() {
        let text = r#"(module (memory 1) (global $g (mut i32) (i32.const 0))
            (func $a (export "a") call $b) (func $b (export "b") call $c)
            (func $c (export "c") (global.set $g (i32.const 1)))
            (func $d (export "d") (i32.store (i32.const 0) (i32.const 1)))
            (func $e (export "e")) (func $f (export "f") call $e call $f))"#;
        assert_eq!(quiet(text), ["e", "f"]);
    }

    #[test]
    fn what_is_called_through_a_table_is_not_known() {
        let text = r#"(module (table 1 funcref) (type $t (func)) (memory 1)
            (func (export "a") (call_indirect (type $t) (i32.const 0)))
            (func (export "b") (drop (memory.grow (i32.const 1)))))"#;
        assert!(quiet(text).is_empty());
    }
}
