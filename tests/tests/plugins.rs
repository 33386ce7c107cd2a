//! Plugins that do not fit what the ruleset declares, and such that misbehave in a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fullcourt_compiler::compile;
use fullcourt_engine::hostcall::{HostCall, HostFault, HostFnId, HostValue};
use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::play::{say, setup, texts};
use fullcourt_tests::scene::Scene;
use fullcourt_tests::{Loaded, TestFiles, edited, load, load_plugins, pickup};

const I32: u8 = 0x7f;
const I64: u8 = 0x7e;

/// A section of a module: its number and its content.
fn section(number: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).expect("a small section");
    [&[number, length], content].concat()
}

/// A module with one exported function, by hand: parameter types, result type, and the instructions.
fn module(name: &str, params: &[u8], result: u8, code: &[u8]) -> Vec<u8> {
    let small = |n: usize| u8::try_from(n).expect("a small number");
    let mut bytes = b"\0asm\x01\0\0\0".to_vec();
    bytes.extend(section(1, &[&[1, 0x60, small(params.len())], params, &[1, result]].concat()));
    bytes.extend(section(3, &[1, 0]));
    bytes.extend(section(7, &[&[1, small(name.len())], name.as_bytes(), &[0, 0]].concat()));
    bytes.extend(section(10, &[&[1, small(code.len() + 2), 0], code, &[0x0b]].concat()));
    bytes
}

const RIGHT: [u8; 4] = [I32, I64, I32, I32];
/// Stops itself.
const UNREACHABLE: [u8; 1] = [0];
/// Calls itself for ever, round and round.
const ENDLESS: [u8; 8] = [0x03, 0x40, 0x0c, 0x00, 0x0b, 0x42, 0x00, 0x0f];
/// Answers with all squares, those taken included.
const ALL: [u8; 2] = [0x42, 0x7f];

fn with_module(bytes: Vec<u8>) -> TestFiles {
    TestFiles { extra: Vec::new(), modules: vec![("eurostep".to_owned(), bytes)] }
}

/// Code and function of everything that is wrong with the plugins, and the text.
fn wrong(files: &TestFiles, name: &str) -> Vec<(&'static str, String)> {
    let compiled = compile(files, name).expect("the text is right");
    let Err(errors) = load_plugins(&compiled) else { return Vec::new() };
    for error in &errors {
        assert_eq!(error.plugin, "eurostep");
        assert!(error.text.contains("eurostep") && !error.text.ends_with('.'), "{}", error.text);
    }
    errors.into_iter().map(|error| (error.code, error.function.unwrap_or_default())).collect()
}

fn one(code: &'static str, function: &str) -> Vec<(&'static str, String)> {
    vec![(code, function.to_owned())]
}

#[test]
fn the_shipped_ones_fit() {
    assert!(wrong(&TestFiles::default(), "pickup-chess").is_empty());
}

#[test]
fn no_module_at_all() {
    assert_eq!(wrong(&with_module(b"these are no modules".to_vec()), "pickup-chess"), one("plugin-invalid", ""));
    assert_eq!(wrong(&with_module(Vec::new()), "pickup-chess"), one("plugin-invalid", ""));
}

#[test]
fn a_function_is_missing() {
    let empty = b"\0asm\x01\0\0\0".to_vec();
    assert_eq!(wrong(&with_module(empty), "pickup-chess"), one("plugin-missing-function", "eurostep"));
    let other = module("eurostop", &RIGHT, I64, &UNREACHABLE);
    assert_eq!(wrong(&with_module(other), "pickup-chess"), one("plugin-missing-function", "eurostep"));
}

#[test]
fn another_signature() {
    let fewer = module("eurostep", &RIGHT[..3], I64, &UNREACHABLE);
    assert_eq!(wrong(&with_module(fewer), "pickup-chess"), one("plugin-signature", "eurostep"));
    let result = module("eurostep", &RIGHT, I32, &UNREACHABLE);
    assert_eq!(wrong(&with_module(result), "pickup-chess"), one("plugin-signature", "eurostep"));
    // The same seen from the ruleset: it declares what the shipped module is not.
    let edit = edited(
        "replace plugin eurostep { eurostep(square, squares, number): squares }\n\
        replace define bends(from: square) = if option.eurostep is on then eurostep(from, occupied, width) else nowhere",
    );
    assert_eq!(wrong(&edit, "edited"), one("plugin-signature", "eurostep"));
}

#[test]
fn imports_are_refused() {
    let mut bytes = b"\0asm\x01\0\0\0".to_vec();
    bytes.extend(section(1, &[1, 0x60, 0, 0]));
    bytes.extend(section(2, &[1, 3, b'e', b'n', b'v', 1, b'f', 0, 0]));
    let found = wrong(&with_module(bytes), "pickup-chess");
    assert!(found.contains(&("plugin-imports", String::new())), "{found:?}");
}

/// A game in which White's Pawn has the ball.
fn with_pawn(rules: &Loaded) -> Box<dyn Session> {
    let mut play = rules.game(&[], &Setup::default());
    Scene::offense(&*play, "white", "Pd4* Rh4 | ka8").var("across", true).set(&mut *play);
    play
}

#[test]
fn a_trap_and_a_hang_are_faults_that_change_nothing() {
    for (code, expected) in [(&UNREACHABLE[..], "plugin-trap"), (&ENDLESS[..], "plugin-fuel")] {
        let rules = load(&with_module(module("eurostep", &RIGHT, I64, code)), "pickup-chess");
        let mut play = with_pawn(&rules);
        let before = (play.state(), play.hashes());
        let fault = play.legal().expect_err("the plugin does not answer");
        assert_eq!(fault.code, expected);
        assert!(fault.text.contains("eurostep") && !fault.rule.is_empty(), "{fault:?}");
        let origin = rules.compiled.sources.slice(fullcourt_compiler::span_of(fault.origin));
        assert!(origin.contains("eurostep("), "the fault points at `{origin}`");
        // What does not ask the plugin can still be played.
        assert_eq!((play.state(), play.hashes()), before);
        assert_eq!(say(&mut *play, "hold"), "");
    }
}

#[test]
fn values_are_squares_of_the_board() {
    let rules = load(&with_module(module("eurostep", &RIGHT, I64, &ALL)), "pickup-chess");
    // On the board of 64 squares each bit is a square; a taken one is no target all the same.
    let play = with_pawn(&rules);
    let all: Vec<String> = texts(&*play).into_iter().filter(|text| text.starts_with("P* ")).collect();
    assert_eq!(all.len(), 64 - 3);
}

#[test]
fn the_content_of_a_plugin_is_part_of_the_rulesets_hash() {
    let other =
        compile(&with_module(module("eurostep", &RIGHT, I64, &ALL)), "pickup-chess").expect("the text is right");
    assert_ne!(other.hash, pickup().compiled.hash);
    let again = compile(&TestFiles::default(), "pickup-chess").expect("the text is right");
    assert_eq!(again.hash, pickup().compiled.hash);
    assert_eq!(again.hash.len(), 64);
}

#[test]
fn a_game_without_pawns_never_asks_the_bent_reach() {
    let rules = load(&with_module(module("eurostep", &RIGHT, I64, &UNREACHABLE)), "pickup-chess");
    let mut play = rules.game(&[], &setup("QRBNK+K", "QRBNK+K", "white", 1));
    fullcourt_tests::play::play_random(&mut *play, 1, 60, |_, _, _| {});
    assert!(play.plies() == 60 || play.is_over());
}

/// Counts the calls of plugins.
struct Counted(Arc<dyn HostCall>, AtomicUsize);

impl HostCall for Counted {
    fn call(&self, id: HostFnId, args: &[HostValue]) -> Result<HostValue, HostFault> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.call(id, args)
    }
}

/// A module is compiled at its first call, which takes longer than all else up to the first legal actions.
#[test]
fn the_first_legal_actions_call_no_plugin() {
    let Loaded { compiled, host } = load(&TestFiles::default(), "pickup-chess");
    let counted = Arc::new(Counted(host, AtomicUsize::new(0)));
    let mut play = Loaded { compiled, host: counted.clone() }.game(&[], &Setup::default());
    assert!(!texts(&*play).is_empty());
    assert_eq!(counted.1.load(Ordering::Relaxed), 0);
    fullcourt_tests::play::play_random(&mut *play, 1, 60, |_, _, _| {});
    assert_ne!(counted.1.load(Ordering::Relaxed), 0);
}
