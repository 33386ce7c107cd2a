//! Modules that do not fit are refused when they are loaded, each for its own reason.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is wrong")]

mod common;

use common::{NARROW, WIDE, declare, load, load_bytes, only, refused};
use fullcourt_engine::hostcall::{HostFnId, HostType as T, Signature};
use fullcourt_plugin_host::{MODULE_BYTES, PluginHost, PluginSource};

fn one(params: &[T], result: T) -> Vec<(String, Signature)> {
    vec![declare("f", params, result)]
}

/// A plain function of numbers.
fn number() -> Vec<(String, Signature)> {
    one(&[T::Number], T::Number)
}

const IDENTITY: &str = r#"(func (export "f") (param i32) (result i32) local.get 0)"#;

#[test]
fn bytes_that_are_no_module() {
    let good = wat::parse_str(format!("(module {IDENTITY})")).unwrap();
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 0x5a;
    let cut = &good[..good.len() - 1];
    for bytes in [&b""[..], b"garbage", b"\0asm", b"\0asm\x02\0\0\0", b"(module)", cut, &damaged] {
        let error = only(load_bytes(bytes, &number(), NARROW));
        assert_eq!(error.code, "plugin-invalid", "{bytes:?}");
        assert!(error.text.starts_with("plugin `bad` is not a usable WebAssembly module: "), "{}", error.text);
        assert!(!error.text.contains('\n'));
    }
}

#[test]
fn every_prefix_and_every_flipped_byte_is_an_error_or_a_module() {
    let good = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/eurostep/eurostep.wasm")).unwrap();
    let functions = [declare("eurostep", &[T::Square, T::Squares, T::Number, T::Number], T::Squares)];
    for end in (0..good.len()).step_by(7) {
        assert!(load_bytes(&good[..end], &functions, NARROW).is_err());
    }
    for at in (0..good.len()).step_by(23) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x11;
        // Whether it loads is chance; that it comes back is not.
        let _ = load_bytes(&bytes, &functions, NARROW);
    }
}

#[test]
fn features_that_plugins_do_without() {
    for text in [
        r#"(module (memory 1) (memory 1))"#,
        r#"(module (memory i64 1))"#,
        r#"(module (memory 1 1 shared))"#,
        r#"(module (func (result v128) (v128.const i64x2 0 0)))"#,
        r#"(module (func $f (return_call $f)))"#,
        r#"(module (func (param externref)))"#,
        r#"(module (tag))"#,
    ] {
        assert_eq!(refused(text, &[], NARROW).code, "plugin-invalid", "{text}");
    }
}

#[test]
fn a_module_of_too_many_bytes() {
    let bytes = vec![0; MODULE_BYTES + 1];
    let error = only(load_bytes(&bytes, &number(), NARROW));
    assert_eq!(error.code, "plugin-too-large");
    assert_eq!(error.text, "plugin `bad` has 262145 bytes; at most 262144 are allowed");
}

#[test]
fn imports() {
    let text =
        format!(r#"(module (import "env" "clock" (func (result i32))) (import "env" "memory" (memory 1)) {IDENTITY})"#);
    let error = refused(&text, &number(), NARROW);
    assert_eq!(error.code, "plugin-imports");
    assert_eq!(error.text, "plugin `bad` imports `clock` from `env` and 1 more");
}

#[test]
fn a_missing_function_names_the_nearest_one() {
    let text = r#"(module (func (export "perimetre") (result i32) i32.const 1) (memory (export "perimeteR") 1))"#;
    let error = refused(text, &[declare("perimeter", &[], T::Number)], NARROW);
    assert_eq!(error.code, "plugin-missing-function");
    assert_eq!(error.function.as_deref(), Some("perimeter"));
    assert_eq!(error.text, "plugin `bad` exports no function `perimeter`");
    assert_eq!(error.help.as_deref(), Some("the nearest exported function is `perimetre`"));
    let error = refused(text, &[declare("guard", &[], T::Number)], NARROW);
    assert_eq!(error.help.as_deref(), Some("exported functions: `perimetre`"));
    let error = refused("(module)", &[declare("guard", &[], T::Number)], NARROW);
    assert_eq!(error.help.as_deref(), Some("the module exports no function at all"));
}

#[test]
fn a_function_for_small_boards_only() {
    let text = r#"(module (memory (export "memory") 1) (func (export "buffer") (result i32) i32.const 0)
        (func (export "f") (param i64) (result i32) i32.const 0))"#;
    let functions = one(&[T::Squares], T::Test);
    assert!(load(text, &functions, NARROW).is_ok());
    let error = refused(text, &functions, WIDE);
    assert_eq!(error.code, "plugin-missing-function");
    assert_eq!(error.text, "plugin `bad` exports no function `f_wide`");
    assert_eq!(error.help.as_deref(), Some("`f` is for boards of at most 64 squares; this one has more"));
}

#[test]
fn a_function_without_sets_serves_every_board() {
    let text = format!("(module {IDENTITY})");
    assert!(load(&text, &number(), WIDE).is_ok());
}

#[test]
fn what_sets_in_memory_need() {
    let functions = one(&[T::Squares], T::Test);
    let wide = r#"(func (export "f_wide") (param i32) (result i32) i32.const 0)"#;
    let errors = load(&format!("(module {wide})"), &functions, WIDE).unwrap_err();
    let texts: Vec<_> = errors.iter().map(|error| error.text.as_str()).collect();
    assert_eq!(texts, ["plugin `bad` exports no memory `memory`", "plugin `bad` exports no function `buffer`"]);
    let text =
        format!(r#"(module {wide} (memory (export "memory") 1) (func (export "buffer") (result i64) i64.const 0))"#);
    let error = refused(&text, &functions, WIDE);
    assert_eq!(error.code, "plugin-signature");
    assert_eq!(error.text, "plugin `bad` exports `buffer` as `() -> i64`; expected `() -> i32`");
}

#[test]
fn a_wrong_signature_says_declared_and_found() {
    let functions = one(&[T::Square, T::Squares], T::Squares);
    let text = r#"(module (func (export "f") (param i32) (result i64) i64.const 0))"#;
    let error = refused(text, &functions, NARROW);
    assert_eq!(error.code, "plugin-signature");
    assert_eq!(
        error.text,
        "plugin `bad` exports `f` as `(i32) -> i64`; \
         declared is `(square, squares) -> squares`, which is `(i32, i64) -> i64`"
    );
    for wrong in ["(result i32 i32) i32.const 0 i32.const 0", "", "(param i32) (result f32) f32.const 0"] {
        let error = refused(&format!(r#"(module (func (export "f") {wrong}))"#), &number(), NARROW);
        assert_eq!(error.code, "plugin-signature", "{wrong}");
    }
    let error = refused(r#"(module (memory (export "f") 1))"#, &number(), NARROW);
    assert_eq!(error.text, "plugin `bad` exports `f`, but not as a function");
}

#[test]
fn more_parameters_than_can_be_passed() {
    for params in [vec![T::Number; 17], vec![T::Squares; 9]] {
        let error = refused("(module)", &one(&params, T::Number), NARROW);
        assert_eq!(error.code, "plugin-signature");
    }
}

#[test]
fn memory_and_tables_that_start_too_large() {
    for (extra, text) in [
        ("(memory 33)", "plugin `bad` starts with 2112 KiB of memory; at most 2048 are allowed"),
        ("(memory 65536)", "plugin `bad` starts with 4194304 KiB of memory; at most 2048 are allowed"),
        ("(table 5000 funcref)", "plugin `bad` starts with 5000 table elements; at most 4096 are allowed"),
        ("(table 1 funcref) (table 1 funcref)", "plugin `bad` has 2 tables; at most 1 is allowed"),
    ] {
        let error = refused(&format!("(module {extra} {IDENTITY})"), &number(), NARROW);
        assert_eq!((error.code, error.text.as_str()), ("plugin-memory", text));
    }
    assert!(load(&format!("(module (memory 32) {IDENTITY})"), &number(), NARROW).is_ok());
}

#[test]
fn a_start_function_that_does_not_end_well() {
    for (start, code) in [
        ("(loop br 0)", "plugin-fuel"),
        ("unreachable", "plugin-trap"),
        ("(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))", "plugin-memory"),
        ("(call $start)", "plugin-trap"),
    ] {
        let text = format!("(module (memory 1) (func $start {start}) (start $start) {IDENTITY})");
        let error = refused(&text, &number(), NARROW);
        assert_eq!(error.code, code, "{start}: {}", error.text);
        assert!(error.text.ends_with(" when it started"), "{}", error.text);
    }
}

#[test]
fn data_that_does_not_fit() {
    let text = format!(r#"(module (memory 1) (data (i32.const 65535) "ab") {IDENTITY})"#);
    assert_eq!(refused(&text, &number(), NARROW).code, "plugin-trap");
}

#[test]
fn all_reasons_of_all_plugins_come_together_in_order() {
    let empty = wat::parse_str("(module)").unwrap();
    let functions = [declare("a", &[], T::Number), declare("b", &[], T::Number)];
    let sources = [
        PluginSource { name: "first", bytes: &empty, functions: &functions },
        PluginSource { name: "second", bytes: b"", functions: &functions },
        PluginSource { name: "third", bytes: &empty, functions: &functions[..1] },
    ];
    let errors = PluginHost::load(&sources, NARROW).unwrap_err();
    let found: Vec<_> = errors.iter().map(|error| (error.plugin.as_str(), error.function.as_deref())).collect();
    assert_eq!(found, [("first", Some("a")), ("first", Some("b")), ("second", None), ("third", Some("a"))]);
}

#[test]
fn functions_are_numbered_over_all_plugins() {
    let one = wat::parse_str(r#"(module (func (export "a") (result i32) i32.const 1))"#).unwrap();
    let two = wat::parse_str(
        r#"(module (func (export "c") (result i32) i32.const 3) (func (export "b") (result i32) i32.const 2))"#,
    )
    .unwrap();
    let of = |name| declare(name, &[], T::Number);
    let (first, second) = ([of("a")], [of("b"), of("c")]);
    let sources = [
        PluginSource { name: "one", bytes: &one, functions: &first },
        PluginSource { name: "two", bytes: &two, functions: &second },
    ];
    let host = PluginHost::load(&sources, NARROW).unwrap();
    assert_eq!(host.functions(), 3);
    let names: Vec<_> = (0..4).map(|id| host.names(HostFnId(id))).collect();
    assert_eq!(names, [Some(("one", "a")), Some(("two", "b")), Some(("two", "c")), None]);
}

#[test]
fn hashes_are_sha_256_in_hexadecimal() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(fullcourt_plugin_host::hash(b""), empty);
}

#[test]
fn names_in_messages_stay_short_and_on_one_line() {
    let name = format!("a\\nb{}", "x".repeat(100_000));
    for text in
        [format!(r#"(module (import "{name}" "{name}" (func)))"#), format!(r#"(module (func (export "{name}")))"#)]
    {
        let error = refused(&text, &number(), NARROW);
        let all = error.text + error.help.as_deref().unwrap_or_default();
        assert!(all.len() < 600 && !all.contains('\n'), "{all}");
    }
}
