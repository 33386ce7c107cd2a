//! What `run`, `play` and `replay` say of a game.

use std::io::Write;
use std::path::Path;

use fullcourt_engine::fault::Refusal;
use fullcourt_engine::ir::Rules;
use fullcourt_engine::session::Session;
use fullcourt_playtest::boxscore;
use fullcourt_playtest::play::Log;
use fullcourt_playtest::record::Turn;
use serde_json::{Value as Json, json};

use crate::error::CliError;
use crate::game::Started;

/// The result in a sentence: who won, by which rule, with its paragraph and words, at which score.
pub(super) fn result(game: &dyn Session) -> String {
    let result = game.result();
    let text = |name: &str| result.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let score: Vec<String> = game.score().iter().map(ToString::to_string).collect();
    let score = score.join("–");
    if result.is_null() {
        return format!("unfinished at {score}");
    }
    let winner = game.winner().and_then(|side| game.rules().sides.get(side));
    let winner = winner.map_or("draw".to_owned(), |side| format!("{} wins", side.name));
    let rule = [text("cite"), text("text")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let rule = if rule.is_empty() { String::new() } else { format!(", {rule}") };
    format!("{winner} {score} by `{}`{rule}", text("rule"))
}

/// The box score, or nothing when the ruleset counts nothing.
pub(super) fn box_score(game: &dyn Session) -> String {
    boxscore::to_text(game.rules(), game.tally(), &game.score())
}

/// Turns as JSON.
pub(super) fn turns_json(rules: &Rules, turns: &[Turn]) -> Json {
    let turn = |(number, turn): (usize, &Turn)| {
        let decision =
            |d: &fullcourt_playtest::record::Decision| json!({"action": d.text, "outcome": d.outcome.trim()});
        json!({
            "turn": number,
            "side": rules.sides.get(turn.side).map(|side| &side.key),
            "decisions": turn.decisions.iter().map(decision).collect::<Vec<_>>(),
        })
    };
    (1..).zip(turns).map(turn).collect()
}

/// A game as JSON.
pub(super) fn game_json(started: &Started, log: &Log, players: &[String]) -> Json {
    let game = &*started.game;
    let rules = game.rules();
    let options =
        rules.options.iter().zip(game.options()).map(|(def, value)| (def.name.clone(), def.show(*value).into()));
    let setup = |(name, side, value): &(String, String, String)| json!({"name": name, "side": side, "value": value});
    let sides = rules.sides.iter().map(|side| side.key.clone());
    json!({
        "ruleset": started.loaded.name,
        "title": rules.title,
        "hash": started.loaded.compiled.hash,
        "engine": env!("CARGO_PKG_VERSION"),
        "seed": started.setup.seed,
        "options": Json::Object(options.collect()),
        "setup": game.setup().iter().map(setup).collect::<Vec<_>>(),
        "players": Json::Object(sides.zip(players.iter().map(|player| player.clone().into())).collect()),
        "turns": turns_json(rules, &log.turns),
        "score": game.score(),
        "result": game.result(),
        "box": boxscore::to_json(rules, game.tally()),
        "state": game.state(),
    })
}

/// Writes a record.
pub(super) fn write_record(path: &Path, text: &str) -> Result<(), CliError> {
    let written = std::fs::File::create(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|why| CliError::Misuse(format!("the record `{}` cannot be written: {why}", path.display())))
}

/// Why a rule refuses something, each reason in a line.
pub(super) fn refusals(refusals: &[Refusal], started: &Started) -> Vec<String> {
    let sources = &started.loaded.compiled.sources;
    let line = |refusal: &Refusal| {
        let place = sources.place(fullcourt_compiler::span_of(refusal.origin));
        let cite = if refusal.cite.is_empty() { String::new() } else { format!(" {}", refusal.cite) };
        format!("`{}`{cite}: {} ({place})", refusal.rule, refusal.text)
    };
    refusals.iter().map(line).collect()
}
