//! Any lines: each gets one answer of JSON, and a refused one leaves the game as it was.

#![no_main]

use fullcourt_cli::load::Loaded;
use fullcourt_cli::protocol::Engine;
use libfuzzer_sys::fuzz_target;
use serde_json::Value as Json;

fuzz_target!(|text: &str| {
    let loaded = Loaded::find("pickup-chess").expect("it is shipped");
    let mut engine = Engine::new(loaded).expect("it starts");
    for line in text.lines().take(40) {
        let before = (engine.game().state(), engine.game().plies());
        let answer: Json = serde_json::from_str(&engine.handle(line)).expect("an answer is JSON");
        if answer.get("error").is_some() {
            assert!(before == (engine.game().state(), engine.game().plies()), "{line}");
        }
        let (kept, anew) = engine.game().hashes();
        assert_eq!(kept, anew);
    }
});
