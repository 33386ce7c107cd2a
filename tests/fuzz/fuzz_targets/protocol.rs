//! Any lines: each gets one answer of JSON, and a refused one leaves the game as it was.

#![no_main]

use std::cell::RefCell;

use fullcourt_cli::load::Loaded;
use fullcourt_cli::protocol::Engine;
use libfuzzer_sys::fuzz_target;
use serde_json::Value as Json;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(
        Engine::new(Loaded::find("pickup-chess").expect("it is shipped")).expect("it starts"),
    );
}

fuzz_target!(|text: &str| {
    ENGINE.with_borrow_mut(|engine| {
        engine.handle(r#"{"do":"new","seed":1}"#);
        text.lines().take(40).for_each(|line| answer(engine, line));
    });
});

fn answer(engine: &mut Engine, line: &str) {
    let before = (engine.game().state(), engine.game().plies());
    let answer: Json = serde_json::from_str(&engine.handle(line)).expect("an answer is JSON");
    if answer.get("error").is_some() {
        assert!(before == (engine.game().state(), engine.game().plies()), "{line}");
    }
    let (kept, anew) = engine.game().hashes();
    assert_eq!(kept, anew);
}
