//! The same arguments give the same answer: whatever was called before, from whichever thread.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is wrong")]

mod common;

use common::{NARROW, WIDE, call, declare, fault, host, load, set};
use fullcourt_engine::hostcall::{HostCall, HostFnId, HostType as T, HostValue as V};

/// The memory, a global and a table all count calls; the parameter keeps answers from being remembered.
const COUNTERS: [&str; 4] = [
    r#"(module (global $n (mut i32) (i32.const 0)) (func (export "f") (param i32) (result i32)
        (global.set $n (i32.add (global.get $n) (i32.const 1))) global.get $n))"#,
    r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1))) (i32.load (i32.const 8))))"#,
    r#"(module (memory 1) (func (export "f") (param i32) (result i32) (memory.grow (i32.const 1))))"#,
    r#"(module (table 1 funcref) (func (export "f") (param i32) (result i32)
        (table.grow (ref.null func) (i32.const 1))))"#,
];

#[test]
fn state_does_not_outlive_a_call() {
    for text in COUNTERS {
        let host = host(text, &[T::Number], T::Number, NARROW);
        for number in 0..50 {
            assert_eq!(call(&host, &[V::Number(number)]), Ok(V::Number(1)), "{text}");
        }
    }
}

#[test]
fn a_start_function_runs_before_each_call_and_not_on_its_fuel() {
    let text = r#"(module (global $n (mut i32) (i32.const 0)) (start $start)
        (func $start (loop $more (global.set $n (i32.add (global.get $n) (i32.const 1)))
            (br_if $more (i32.lt_u (global.get $n) (i32.const 100000)))))
        (func (export "f") (param i32) (result i32)
            (global.set $n (i32.add (global.get $n) (local.get 0))) global.get $n))"#;
    let host = host(text, &[T::Number], T::Number, NARROW);
    for number in [1, 5, 1] {
        assert_eq!(call(&host, &[V::Number(number)]), Ok(V::Number(100_000 + number)));
    }
}

#[test]
fn a_trap_leaves_nothing_behind() {
    // Writes first and then stops when the parameter is not 0.
    let text = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
        (if (local.get 0) (then unreachable)) (i32.load (i32.const 0))))"#;
    let with_writing = host(text, &[T::Number], T::Number, NARROW);
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (if (local.get 0) (then unreachable)) i32.const 1))"#;
    let without = host(text, &[T::Number], T::Number, NARROW);
    for host in [with_writing, without] {
        for _ in 0..3 {
            assert_eq!(fault(&host, &[V::Number(9)]).code, "plugin-trap");
            assert_eq!(call(&host, &[V::Number(0)]), Ok(V::Number(1)));
        }
    }
}

#[test]
fn arguments_in_memory_are_not_there_in_the_next_call() {
    // Counts the sets in the whole buffer that are not empty; both functions share one module.
    let text = r#"(module (memory (export "memory") 1) (func (export "buffer") (result i32) i32.const 0)
        (func (export "f_wide") (param i32) (result i32) (i32.load8_u (i32.const 0)))
        (func (export "g") (result i32) (i32.load8_u (i32.const 0))))"#;
    let functions = [declare("f", &[T::Squares], T::Number), declare("g", &[], T::Number)];
    let host = load(text, &functions, WIDE).unwrap();
    assert_eq!(host.call(HostFnId(0), &[V::Squares(set([1, 2]))]), Ok(V::Number(6)));
    assert_eq!(host.call(HostFnId(1), &[]), Ok(V::Number(0)));
}

#[test]
fn fuel_is_fresh_in_each_call() {
    // Most of the fuel of one call.
    let text = r#"(module (func (export "f") (param i32) (result i32) (local $n i32)
        (loop $more (local.set $n (i32.add (local.get $n) (i32.const 1)))
            (br_if $more (i32.lt_u (local.get $n) (i32.const 100000)))) local.get $n))"#;
    let host = host(text, &[T::Number], T::Number, NARROW);
    for number in 0..20 {
        assert_eq!(call(&host, &[V::Number(number)]), Ok(V::Number(100_000)));
    }
}

#[test]
fn fuel_ends_at_the_same_place_each_time() {
    // How far a loop gets is not to be seen from outside, but whether it ends is.
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (loop $more (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br_if $more (local.get 0))) i32.const 1))"#;
    let ends = |number| call(&host(text, &[T::Number], T::Number, NARROW), &[V::Number(number)]).is_ok();
    let (mut low, mut high) = (1, 1_000_000);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if ends(middle) { low = middle } else { high = middle }
    }
    let host = host(text, &[T::Number], T::Number, NARROW);
    for _ in 0..3 {
        assert!(call(&host, &[V::Number(low)]).is_ok());
        assert_eq!(fault(&host, &[V::Number(high)]).code, "plugin-fuel");
    }
}

#[test]
fn nan_is_always_the_same() {
    // The bits of 0/0 and of a NaN with a payload after arithmetic.
    let text = |bits: &str| {
        format!(
            r#"(module (func (export "f") (param i32) (result i32)
                (i32.reinterpret_f32 (f32.add (f32.reinterpret_i32 {bits}) (f32.convert_i32_s (local.get 0))))))"#
        )
    };
    for bits in ["(i32.const 0x7fa12345)", "(i32.const 0xffc00001)", "(i32.const 0x7fc0ffff)"] {
        let host = host(&text(bits), &[T::Number], T::Number, NARROW);
        assert_eq!(call(&host, &[V::Number(1)]), Ok(V::Number(0x7fc0_0000)), "{bits}");
    }
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (i32.reinterpret_f32 (f32.div (f32.convert_i32_s (local.get 0)) (f32.const 0)))))"#;
    assert_eq!(call(&host(text, &[T::Number], T::Number, NARROW), &[V::Number(0)]), Ok(V::Number(0x7fc0_0000)));
}

#[test]
fn remembered_answers_are_those_of_the_arguments() {
    let text = r#"(module (func (export "f") (param i32 i32) (result i32)
        (i32.sub (i32.mul (local.get 0) (i32.const 1000)) (local.get 1))))"#;
    let host = host(text, &[T::Number, T::Number], T::Number, NARROW);
    for _ in 0..2 {
        for a in -100..100 {
            for b in -30..30 {
                assert_eq!(call(&host, &[V::Number(a), V::Number(b)]), Ok(V::Number(a * 1000 - b)));
            }
        }
    }
}

#[test]
fn threads_get_the_same_answers() {
    for text in COUNTERS {
        let host = host(text, &[T::Number], T::Number, NARROW);
        std::thread::scope(|scope| {
            for thread in 0..16 {
                let host = &host;
                scope.spawn(move || {
                    for number in 0..200 {
                        assert_eq!(call(host, &[V::Number(number * (thread % 3))]), Ok(V::Number(1)));
                    }
                });
            }
        });
    }
}
