//! Calls that go wrong end as faults that name plugin and function, within bounded time and memory.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is wrong")]

mod common;

use common::{NARROW, WIDE, call, fault, host, set};
use fullcourt_engine::hostcall::{HostCall, HostFnId, HostLimits, HostType as T, HostValue as V};

/// A module whose function `f` of no parameters has this body.
fn body(result: &str, body: &str) -> String {
    format!(r#"(module (memory 1) (table 1 funcref) (func $f (export "f") (result {result}) {body}))"#)
}

/// A module for larger boards: memory of one page, sets at the given address, and one function.
fn wide(buffer: i32, function: &str) -> String {
    format!(
        r#"(module (memory (export "memory") 1)
            (func (export "buffer") (result i32) i32.const {buffer})
            (func (export "f_wide") {function}))"#
    )
}

#[test]
fn traps() {
    for (text, reason) in [
        ("unreachable", "wasm `unreachable` instruction executed"),
        ("(i32.div_u (i32.const 1) (i32.const 0))", "integer divide by zero"),
        ("(i32.load (i32.const 65536))", "out of bounds memory access"),
        ("(i32.load (i32.const -1))", "out of bounds memory access"),
        ("(i32.store (i32.const 65533) (i32.const 0)) i32.const 0", "out of bounds memory access"),
        ("(i32.trunc_f64_s (f64.const nan))", "invalid conversion to integer"),
        ("(call_indirect (result i32) (i32.const 0))", "uninitialized element"),
        ("(call_indirect (result i32) (i32.const 7))", "undefined element: out of bounds table access"),
    ] {
        let fault = fault(&host(&body("i32", text), &[], T::Number, NARROW), &[]);
        assert_eq!(fault.code, "plugin-trap", "{text}");
        assert!(fault.text.ends_with(&format!("stopped with a trap: {reason}")), "{}", fault.text);
    }
}

#[test]
fn loops_without_end_run_out_of_fuel() {
    for text in [
        "(loop br 0) unreachable",
        "(loop (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536)) br 0) unreachable",
    ] {
        let host = host(&body("i32", text), &[], T::Number, NARROW);
        for _ in 0..2 {
            let fault = fault(&host, &[]);
            assert_eq!(fault.code, "plugin-fuel");
            assert!(fault.text.ends_with("did not end within 1000000 units of work"), "{}", fault.text);
        }
    }
}

#[test]
fn deep_recursion_exhausts_the_stack() {
    let host = host(&body("i32", "(i32.add (i32.const 1) (call $f))"), &[], T::Number, NARROW);
    let fault = fault(&host, &[]);
    assert_eq!(fault.code, "plugin-trap");
    assert!(fault.text.ends_with("call stack exhausted"), "{}", fault.text);
}

#[test]
fn bombs_of_memory_and_tables_are_refused() {
    for text in [
        "(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) i32.const 0",
        "(memory.grow (i32.const 65535))",
        "(table.grow (ref.null func) (i32.const 5000))",
    ] {
        let fault = fault(&host(&body("i32", text), &[], T::Number, NARROW), &[]);
        assert_eq!(fault.code, "plugin-memory", "{text}");
    }
    // Within the cap it grows, in each call from the start.
    let host = host(&body("i32", "(memory.grow (i32.const 31))"), &[], T::Number, NARROW);
    assert_eq!(call(&host, &[]), Ok(V::Number(1)));
}

#[test]
fn numbers_outside_their_types() {
    let limits = HostLimits { places: 30, sides: 2, kinds: 6 };
    let good = [
        (T::Square, -1, V::Square(None)),
        (T::Square, 0, V::Square(Some(0))),
        (T::Square, 29, V::Square(Some(29))),
        (T::Side, 1, V::Side(1)),
        (T::Kind, 5, V::Kind(5)),
        (T::Test, 0, V::Test(false)),
        (T::Test, 1, V::Test(true)),
        (T::Number, i32::MIN, V::Number(i32::MIN)),
    ];
    for (of, number, value) in good {
        let host = host(&body("i32", &format!("i32.const {number}")), &[], of, limits);
        assert_eq!(call(&host, &[]), Ok(value));
    }
    for (of, numbers, expected) in [
        (T::Square, [-2, 30, i32::MAX], "expected a square from -1 to 29"),
        (T::Side, [-1, 2, 256], "expected a side from 0 to 1"),
        (T::Kind, [-1, 6, 65536], "expected a kind from 0 to 5"),
        (T::Test, [-1, 2, i32::MIN], "expected 0 or 1"),
    ] {
        for number in numbers {
            let fault = fault(&host(&body("i32", &format!("i32.const {number}")), &[], of, limits), &[]);
            assert_eq!(fault.code, "plugin-value");
            assert!(fault.text.ends_with(&format!("gave {number}; {expected}")), "{}", fault.text);
        }
    }
}

#[test]
fn sets_with_places_that_are_not_there() {
    let limits = HostLimits { places: 30, sides: 2, kinds: 6 };
    let giving = |bits: u64| host(&body("i64", &format!("i64.const {bits}")), &[], T::Squares, limits);
    assert_eq!(call(&giving((1 << 30) - 1), &[]), Ok(V::Squares(set(0..30))));
    for bits in [1 << 30, 1 << 63, u64::MAX] {
        let fault = fault(&giving(bits), &[]);
        assert_eq!(fault.code, "plugin-value");
        assert!(fault.text.contains("gave a set with square "), "{}", fault.text);
    }
    // In memory: a set of 80 places at 0, whose place 79 is set, and then place 80.
    let giving = |byte: u32| {
        let function = format!("(result i32) (i32.store8 (i32.const 73) (i32.const {byte})) i32.const 64");
        host(&wide(0, &function), &[], T::Squares, WIDE)
    };
    assert_eq!(call(&giving(128), &[]), Ok(V::Squares(set([79]))));
    let function = "(result i32) (i32.store8 (i32.const 74) (i32.const 1)) i32.const 64";
    let fault = fault(&host(&wide(0, function), &[], T::Squares, WIDE), &[]);
    assert_eq!(fault.code, "plugin-value");
    assert!(fault.text.ends_with("gave a set with square 80; the board has 80"), "{}", fault.text);
}

#[test]
fn addresses_outside_memory() {
    for address in [65536 - 63, 65536, -1, i32::MIN] {
        let giving = host(&wide(0, &format!("(result i32) i32.const {address}")), &[], T::Squares, WIDE);
        let fault_of_result = fault(&giving, &[]);
        assert_eq!(fault_of_result.code, "plugin-value");
        assert!(fault_of_result.text.ends_with("but memory ends at 65536"), "{}", fault_of_result.text);
    }
    for address in [65536 - 511, 65536, -1, i32::MIN] {
        let taking = host(&wide(address, "(param i32) (result i32) i32.const 0"), &[T::Squares], T::Test, WIDE);
        let fault_of_buffer = fault(&taking, &[V::Squares(set([]))]);
        assert_eq!(fault_of_buffer.code, "plugin-value");
        assert!(fault_of_buffer.text.contains("`buffer` gave "), "{}", fault_of_buffer.text);
    }
    // The last room there is will do.
    let last = host(&wide(65536 - 512, "(param i32) (result i32) local.get 0"), &[T::Squares], T::Squares, WIDE);
    assert_eq!(call(&last, &[V::Squares(set([1, 79]))]), Ok(V::Squares(set([1, 79]))));
}

#[test]
fn eight_sets_arrive_in_order() {
    let function = format!("{} (result i32) local.get 7", "(param i32) ".repeat(8));
    let host = host(&wide(1000, &function), &[T::Squares; 8], T::Squares, WIDE);
    let args: Vec<V> = (0..8).map(|at| V::Squares(set([at, 70 + at]))).collect();
    assert_eq!(call(&host, &args), Ok(V::Squares(set([7, 77]))));
}

#[test]
fn a_buffer_that_does_not_answer() {
    for (answer, code) in [("unreachable", "plugin-trap"), ("(loop br 0) unreachable", "plugin-fuel")] {
        let text = format!(
            r#"(module (memory (export "memory") 1) (func (export "buffer") (result i32) {answer})
                (func (export "f_wide") (param i32) (result i32) i32.const 0))"#
        );
        let host = host(&text, &[T::Squares], T::Test, WIDE);
        assert_eq!(fault(&host, &[V::Squares(set([]))]).code, code);
    }
}

#[test]
fn every_type_arrives_as_it_was_sent() {
    let echo = |of: &str| format!(r#"(module (func (export "f") (param {of}) (result {of}) local.get 0))"#);
    for (of, value) in [
        (T::Square, V::Square(None)),
        (T::Square, V::Square(Some(63))),
        (T::Side, V::Side(1)),
        (T::Kind, V::Kind(5)),
        (T::Number, V::Number(-7)),
        (T::Number, V::Number(i32::MAX)),
        (T::Test, V::Test(true)),
    ] {
        assert_eq!(call(&host(&echo("i32"), &[of], of, NARROW), &[value]), Ok(value));
    }
    let all = V::Squares(set(0..64));
    assert_eq!(call(&host(&echo("i64"), &[T::Squares], T::Squares, NARROW), &[all]), Ok(all));
}

#[test]
fn calls_that_do_not_match_the_declaration() {
    let host = host(&body("i32", "i32.const 0"), &[], T::Number, NARROW);
    assert_eq!(fault(&host, &[V::Number(1)]).code, "plugin-arguments");
    let unknown = host.call(HostFnId(1), &[]).unwrap_err();
    assert_eq!((unknown.code, unknown.text.as_str()), ("plugin-missing", "plugin function 1 is not loaded"));
}
