//! Games played by an independent implementation of the same rulings (`tests/cases/pickup/games.jsonl.gz`): legal
//! actions by number and hash, and the state after every step, must agree.

use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use fullcourt_engine::session::Setup;
use fullcourt_tests::{TestFiles, load, root};
use serde_json::Value as Json;

/// FNV-1a with 64 bits.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn pairs(json: &Json) -> Vec<(String, String)> {
    json.as_object()
        .into_iter()
        .flatten()
        .map(|(k, v)| (k.clone(), v.as_str().unwrap_or_default().to_owned()))
        .collect()
}

#[test]
fn all_games_agree() {
    let loaded = load(&TestFiles::default(), "pickup-chess");
    let file = std::fs::File::open(root().join("tests/cases/pickup/games.jsonl.gz")).expect("the cases are there");
    let mut games = 0;
    let mut wrong = Vec::new();
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let game: Json = serde_json::from_str(&line.expect("a line")).expect("JSON");
        games += 1;
        if let Err(text) = replay(&loaded, &game) {
            wrong.push(format!("game {}: {text}", game["index"]));
        }
    }
    assert_eq!(games, 115);
    assert!(wrong.is_empty(), "{} games differ:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
}

fn replay(loaded: &fullcourt_tests::Loaded, game: &Json) -> Result<(), String> {
    let options = pairs(&game["options"]);
    let options: Vec<(&str, &str)> = options.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    let mut values: Vec<(String, String, String)> =
        pairs(&game["lineups"]).into_iter().map(|(side, text)| ("lineup".to_owned(), side, text)).collect();
    values.push(("tip".to_owned(), String::new(), game["tip"].as_str().unwrap_or_default().to_owned()));
    let mut play = loaded.game(&options, &Setup { values, seed: 1 });
    for (number, step) in game["steps"].as_array().into_iter().flatten().enumerate() {
        let legal = play.legal().map_err(|fault| format!("step {number}: {fault:?}"))?;
        let mut texts: Vec<String> = legal.iter().map(|action| play.text(*action)).collect();
        texts.sort();
        let hash = format!("{:016x}", fnv(&texts.join("\n")));
        if step["legal_hash"] != hash.as_str() {
            return Err(format!(
                "step {number}: {} legal, not {}, in {}: {texts:?} play {}",
                texts.len(),
                step["n"],
                play.state(),
                step["play"]
            ));
        }
        let text = step["play"].as_str().unwrap_or_default();
        let action =
            play.find(text).map_err(|f| format!("{f:?}"))?.map_err(|why| format!("step {number} {text}: {why:?}"))?;
        // What the walker does here, the program does.
        play.compare(Some(action)).map_err(|why| format!("step {number} {text}: {why}"))?;
        let events = play.play(action).map_err(|fault| format!("step {number} {text}: {fault:?}"))?;
        let outcome: String = events.iter().map(|event| event.notation.as_str()).collect();
        if step.get("outcome").and_then(Json::as_str).unwrap_or_default() != outcome {
            return Err(format!("step {number} {text}: outcome `{outcome}`, not {}", step["outcome"]));
        }
        let state = play.state();
        for (name, value) in step["after"].as_object().into_iter().flatten() {
            if state[name] != *value {
                return Err(format!("step {number} {text}: {name} is {}, not {value}; {state}", state[name]));
            }
        }
    }
    result(&*play, game)?;
    stats(&*play, game)
}

fn result(play: &dyn fullcourt_engine::session::Session, game: &Json) -> Result<(), String> {
    let (found, wanted) = (play.result(), &game["result"]);
    let failed = wanted["failed_audit"].is_string();
    let rule = if failed && found["rule"] == "audit" { "audit" } else { wanted["reason"].as_str().unwrap_or_default() };
    if found["winner"] != wanted["winner"] || found["rule"] != rule {
        return Err(format!("the result is {found}, not {wanted}"));
    }
    Ok(())
}

fn stats(play: &dyn fullcourt_engine::session::Session, game: &Json) -> Result<(), String> {
    let (rules, tally) = (play.rules(), play.tally());
    for (side, def) in rules.sides.iter().enumerate() {
        let wanted = &game["stats"][&def.key];
        let rows: Vec<_> = tally.rows.iter().filter(|row| row.side == side).collect();
        for (row, wanted) in rows.iter().zip(wanted["pieces"].as_array().into_iter().flatten()) {
            for (stat, def) in rules.stats.iter().enumerate().filter(|(_, def)| def.per_piece) {
                if wanted[&def.name] != row.values[stat] {
                    return Err(format!("{} of {wanted} is {}", def.name, row.values[stat]));
                }
            }
        }
        for (stat, def) in rules.stats.iter().enumerate().filter(|(_, def)| !def.per_piece) {
            if wanted[&def.name] != tally.sides[side][stat] {
                return Err(format!("{} is {}, not {}", def.name, tally.sides[side][stat], wanted[&def.name]));
            }
        }
    }
    Ok(())
}
