#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Cursor;

use super::*;
use crate::load::CourtFiles;

fn engine() -> Engine {
    let files = CourtFiles::text("tiny", include_str!("../../tests/tiny.court"));
    let Ok(loaded) = Loaded::load(&files) else {
        panic!("the ruleset has errors");
    };
    let mut engine = Engine::new(loaded).unwrap();
    ask(&mut engine, r#"{"do":"new","opener":"first"}"#);
    engine
}

fn ask(engine: &mut Engine, line: &str) -> Json {
    serde_json::from_str(&engine.handle(line)).unwrap()
}

/// The request is refused with this code, and nothing has changed.
#[track_caller]
fn refused(engine: &mut Engine, line: &str, code: &str) -> Json {
    let before = (engine.game().state(), engine.game().plies());
    let answer = ask(engine, line);
    assert_eq!(answer["error"]["code"], code, "{line} {answer}");
    assert!(answer["error"]["message"].is_string());
    assert!(before == (engine.game().state(), engine.game().plies()), "{line}");
    answer["error"].clone()
}

#[test]
fn a_game_is_played_and_taken_back() {
    let mut engine = engine();
    let legal = ask(&mut engine, r#"{"do":"legal","id":[1,"x"]}"#);
    assert_eq!(legal["id"], json!([1, "x"]));
    assert_eq!(legal["actions"].as_array().unwrap().len(), 10);
    assert_eq!(legal["actions"][0], "drop S a1");
    let start = ask(&mut engine, r#"{"do":"state"}"#)["state"].clone();
    let played = ask(&mut engine, r#"{"do":"play","action":"drop S b2"}"#);
    assert_eq!((&played["ok"], &played["state"]["to_act"]), (&json!(true), &json!("second")));
    assert_eq!(played["events"], json!([{"event": "put_down", "values": {"who": "b2"}, "notation": " !"}]));
    let undone = ask(&mut engine, r#"{"do":"undo"}"#);
    assert_eq!(undone["state"], start);
    refused(&mut engine, r#"{"do":"undo"}"#, "nothing-to-undo");
    let set = ask(&mut engine, &json!({"do": "set", "state": played["state"]}).to_string());
    assert_eq!(set["state"], played["state"]);
    refused(&mut engine, r#"{"do":"undo"}"#, "nothing-to-undo");
}

#[test]
fn a_finished_game_has_no_actions() {
    let mut engine = engine();
    ask(&mut engine, r#"{"do":"new","opener":"first","options":{"target":1}}"#);
    let last = ask(&mut engine, r#"{"do":"play","action":"drop S a1"}"#);
    assert_eq!(last["state"]["result"]["rule"], "enough");
    assert_eq!(last["state"]["result"]["cite"], "§7");
    assert_eq!(ask(&mut engine, r#"{"do":"legal"}"#), json!({"actions": []}));
}

#[test]
fn options_are_text_numbers_or_truth() {
    let mut engine = engine();
    for (value, shown) in [("\"2\"", 2), ("2", 2), ("4", 4)] {
        let line = format!(r#"{{"do":"new","options":{{"target":{value}}}}}"#);
        assert_eq!(ask(&mut engine, &line)["ok"], true, "{line}");
        assert_eq!(ask(&mut engine, r#"{"do":"hello"}"#)["options"][0]["value"], shown);
    }
    for (value, shown) in [("\"no\"", "no"), ("false", "no"), ("true", "yes")] {
        let line = format!(r#"{{"do":"new","options":{{"pass":{value}}}}}"#);
        assert_eq!(ask(&mut engine, &line)["ok"], true, "{line}");
        assert_eq!(ask(&mut engine, r#"{"do":"hello"}"#)["options"][1]["value"], shown);
    }
}

#[test]
fn setups_go_by_their_name_and_by_the_plural() {
    let mut engine = engine();
    for name in ["stones", "stoness"] {
        let line = format!(r#"{{"do":"new","{name}":{{"second":"SSSS"}},"opener":"second","seed":3}}"#);
        assert_eq!(ask(&mut engine, &line)["state"]["to_act"], "second", "{line}");
    }
    refused(&mut engine, r#"{"do":"new","stones":{"second":"SSX"}}"#, "wrong-value");
    refused(&mut engine, r#"{"do":"new","stones":{"third":"SSSS"}}"#, "wrong-value");
    refused(&mut engine, r#"{"do":"new","stones":{"second":4}}"#, "wrong-type");
    refused(&mut engine, r#"{"do":"new","opener":"nobody"}"#, "wrong-value");
    refused(&mut engine, r#"{"do":"new","opner":"first"}"#, "unknown-setup");
    refused(&mut engine, r#"{"do":"new","seed":-1}"#, "wrong-type");
    refused(&mut engine, r#"{"do":"new","seed":1.5}"#, "wrong-type");
}

#[test]
fn refusals_say_why() {
    let mut engine = engine();
    ask(&mut engine, r#"{"do":"new","opener":"first","options":{"pass":"no"}}"#);
    ask(&mut engine, r#"{"do":"play","action":"drop S b2"}"#);
    let why = ask(&mut engine, r#"{"do":"why","action":"drop S b2"}"#);
    assert_eq!(why["legal"], false);
    let reason = &why["reasons"][0];
    assert_eq!((&reason["rule"], &reason["cite"]), (&json!("drop"), &json!("§5")));
    assert!(reason["span"].as_str().unwrap().starts_with("tiny.court:2"), "{reason}");
    let error = refused(&mut engine, r#"{"do":"play","action":"skip"}"#, "illegal");
    assert_eq!(error["reasons"][0]["text"], "nobody may pass");
    assert_eq!(ask(&mut engine, r#"{"do":"why","action":"drop S b3"}"#), json!({"legal": true, "reasons": []}));
    let error = refused(&mut engine, r#"{"do":"play","action":"drop S b33"}"#, "unknown-action");
    assert_eq!(error["nearest"][0], "drop S b3");
}

#[test]
fn wrong_lines_are_refused() {
    let mut engine = engine();
    ask(&mut engine, r#"{"do":"play","action":"drop S b2"}"#);
    let deep = "[".repeat(100_000);
    let many = format!(r#"{{"do":"play","action":"{}"}}"#, "x".repeat(500_000));
    let cases = [
        ("", "parse"),
        ("nonsense", "parse"),
        (&deep, "parse"),
        ("[]", "wrong-type"),
        ("{}", "missing-field"),
        (r#"{"do":1}"#, "wrong-type"),
        (r#"{"do":"fly"}"#, "unknown-request"),
        (r#"{"do":"play"}"#, "missing-field"),
        (r#"{"do":"play","action":7}"#, "wrong-type"),
        (r#"{"do":"play","action":""}"#, "unknown-action"),
        (&many, "unknown-action"),
        (r#"{"do":"play","action":"skip","then":"skip"}"#, "unknown-field"),
        (r#"{"do":"legal","all":true}"#, "unknown-field"),
        (r#"{"do":"new","options":[]}"#, "wrong-type"),
        (r#"{"do":"new","options":{"targt":3}}"#, "unknown-option"),
        (r#"{"do":"new","options":{"target":9}}"#, "wrong-value"),
        (r#"{"do":"new","options":{"target":2.0}}"#, "wrong-value"),
        (r#"{"do":"new","options":{"target":null}}"#, "wrong-type"),
        (r#"{"do":"set","state":{}}"#, "bad-state"),
        (r#"{"do":"set","state":7}"#, "bad-state"),
        (r#"{"do":"set"}"#, "missing-field"),
    ];
    for _ in 0..100 {
        for (line, code) in cases {
            if line.len() < 1000 {
                refused(&mut engine, line, code);
            }
        }
    }
    for (line, code) in cases {
        refused(&mut engine, line, code);
    }
    assert_eq!(ask(&mut engine, r#"{"id":null,"do":"fly"}"#)["id"], Json::Null);
    assert_eq!(ask(&mut engine, r#"{"id":"a","do":"fly"}"#)["id"], "a");
}

#[test]
fn states_that_cannot_be_are_refused() {
    let mut engine = engine();
    ask(&mut engine, r#"{"do":"play","action":"drop S b2"}"#);
    let state = engine.game().state();
    let fields: Vec<String> = state.as_object().unwrap().keys().cloned().collect();
    for name in &fields {
        for value in [json!(7), json!("x"), json!([[]]), json!({"x": 1})] {
            let mut state = state.clone();
            state[name] = value;
            let _ = ask(&mut engine, &json!({"do": "set", "state": state}).to_string());
            assert_eq!(engine.game().hashes().0, engine.game().hashes().1);
        }
    }
}

#[test]
fn lines_are_served_one_by_one() {
    let mut engine = engine();
    let long = format!("{{\"do\":\"legal\",\"id\":\"{}\"}}", "x".repeat(LINE_BYTES));
    let mut input = Vec::new();
    input.extend_from_slice(long.as_bytes());
    input.extend_from_slice(b"\n\xff\xfe\n{\"do\":\"legal\",\"id\":1}\r\n{\"do\":\"undo\"}");
    let mut output = Vec::new();
    serve(&mut engine, &mut Cursor::new(input), &mut output).unwrap();
    let answers: Vec<Json> =
        String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["error"]["code"], "too-long");
    assert_eq!(answers[1]["error"]["code"], "parse");
    assert_eq!(answers[2]["id"], 1);
    assert_eq!(answers[3]["error"]["code"], "nothing-to-undo");
}

/// A walk of one stone, with all that a ruleset may say of positions and actions.
const WALK: &str = r#"language 1
ruleset "Walk"
side First faces north
side Second faces south
board 3 x 3
geometry moves
piece Stone "S" { moves = step any }
var turn: side in game
rule opening when game begins { go walk }
phase walk of turn
action go_on in walk "{who}{to}" { choose who in me  choose to in moves of who and empty  move who to to  set turn to them }
action rest in walk "rest" { draw }
position line in walk { men by ranks down between "/" empty as count " " turn as "1" | "2" }
start line "2s/3/S2 1"
notation short of go_on { "{to}" }
invariant both = count First = 1 and count Second = 1  "each has one stone"
"#;

#[test]
fn positions_go_in_and_out_as_a_line() {
    let Ok(loaded) = Loaded::load(&CourtFiles::text("walk", WALK)) else {
        panic!("the ruleset has errors");
    };
    let mut engine = Engine::new(loaded).unwrap();
    assert_eq!(ask(&mut engine, r#"{"do":"hello"}"#)["notations"], json!(["short"]));
    assert_eq!(ask(&mut engine, r#"{"do":"position"}"#), json!({"position": "2s/3/S2 1"}));
    let legal = ask(&mut engine, r#"{"do":"legal","notation":"short"}"#);
    assert_eq!(legal["actions"], json!(["a2", "b1", "b2", "rest"]));
    refused(&mut engine, r#"{"do":"legal","notation":"long"}"#, "unknown-notation");
    let set = ask(&mut engine, r#"{"do":"set","position":"3/1s1/S2 2"}"#);
    assert_eq!((&set["ok"], &set["state"]["to_act"]), (&json!(true), &json!("second")));
    for text in ["", "3/1s1/S2 3", "3/1s1/S2 2 ", "3/1s1/SX1 2", "3/1s1/S3 2", "3/3/S2 2", "3/1s1/S2"] {
        let line = json!({"do": "set", "position": text}).to_string();
        if text.ends_with(' ') {
            assert_eq!(ask(&mut engine, &line)["ok"], true);
            continue;
        }
        refused(&mut engine, &line, "bad-position");
    }
    refused(&mut engine, r#"{"do":"set","position":7}"#, "wrong-type");
    refused(&mut engine, r#"{"do":"set","position":"3/1s1/S2 2","state":{}}"#, "unknown-field");
    refused(&mut engine, r#"{"do":"set"}"#, "missing-field");
    let played = ask(&mut engine, r#"{"do":"play","action":"c1"}"#);
    assert_eq!(played["ok"], true, "{played}");
    assert_eq!(ask(&mut engine, r#"{"do":"position"}"#), json!({"position": "3/3/S1s 1"}));
}

#[test]
fn a_ruleset_may_have_no_text_of_positions() {
    let mut engine = engine();
    refused(&mut engine, r#"{"do":"position"}"#, "no-position");
    refused(&mut engine, r#"{"do":"set","position":"3/3/3"}"#, "bad-position");
}
