//! A module is compiled when it is first called: nothing that loading lets pass is found then.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is wrong")]

mod common;

use std::sync::Barrier;
use std::thread;

use common::{NARROW, call, declare, host, load_bytes, set};
use fullcourt_engine::hostcall::{HostType as T, HostValue as V};

const EUROSTEP: &[u8] = include_bytes!("../../../plugins/eurostep/eurostep.wasm");

#[test]
fn a_module_that_loads_can_be_compiled() {
    let functions = [declare("eurostep", &[T::Square, T::Squares, T::Number, T::Number], T::Squares)];
    let args = [V::Square(Some(27)), V::Squares(set([3, 35])), V::Number(8), V::Number(8)];
    let mut called = 0;
    for at in (0..EUROSTEP.len()).step_by(5) {
        let mut bytes = EUROSTEP.to_vec();
        // Another bit in each byte, and few enough modules that compiling them all takes no minute.
        bytes[at] ^= 1 << (at % 8);
        let Ok(host) = load_bytes(&bytes, &functions, NARROW) else { continue };
        called += 1;
        if let Err(fault) = call(&host, &args) {
            assert!(["plugin-trap", "plugin-fuel", "plugin-value"].contains(&fault.code), "{at}: {}", fault.text);
            assert!(!fault.text.contains("cannot be compiled"), "{at}: {}", fault.text);
        }
    }
    assert!(called > 20, "{called}");
}

#[test]
fn threads_that_come_first_together_get_the_same_answer() {
    let text = r#"(module (func (export "f") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3))))"#;
    let host = host(text, &[T::Number], T::Number, NARROW);
    let gate = Barrier::new(12);
    thread::scope(|scope| {
        for number in 0..12 {
            let (host, gate) = (&host, &gate);
            scope.spawn(move || {
                gate.wait();
                assert_eq!(call(host, &[V::Number(number)]), Ok(V::Number(number * 3)));
            });
        }
    });
}

/// The first call may come from deep within the rules, and from a thread with little stack.
#[test]
fn compiling_needs_little_stack() {
    let deep = "(i32.add (i32.const 1) ".repeat(4000) + "(local.get 0)" + &")".repeat(4000);
    let nested = "(if (local.get 0) (then ".repeat(120) + &"))".repeat(120) + "(local.get 0)";
    for body in [deep, nested] {
        let text = format!(r#"(module (func (export "f") (param i32) (result i32) {body}))"#);
        let bytes = thread::Builder::new().stack_size(64 << 20).spawn(move || wat::parse_str(text).unwrap());
        let bytes = bytes.unwrap().join().unwrap();
        let functions = [declare("f", &[T::Number], T::Number)];
        let host = load_bytes(&bytes, &functions, NARROW).unwrap();
        let small = thread::Builder::new().stack_size(768 << 10);
        assert!(small.spawn(move || call(&host, &[V::Number(0)])).unwrap().join().unwrap().is_ok());
    }
}
