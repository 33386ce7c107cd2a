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
