//! From a game to its record.

use std::fmt::Write;

use fullcourt_engine::ir::{RecordDef, Rules};
use fullcourt_engine::session::Session;
use serde_json::Value as Json;

use super::{Decision, Header, OWN, Turn};

/// The result in a line: the winner (or `draw`), the rule that decided it and its paragraph; `unfinished` while there is
/// none.
#[must_use]
pub fn result_text(result: &Json) -> String {
    let text = |name: &str| result.get(name).and_then(Json::as_str).unwrap_or_default();
    if result.is_null() {
        return "unfinished".to_owned();
    }
    let winner = if text("winner").is_empty() { "draw" } else { text("winner") };
    format!("{winner} {} {}", text("rule"), text("cite")).trim_end().to_owned()
}

/// What a game in play can say of itself; ruleset, hash, engine, seed, players and state are left to the caller.
#[must_use]
pub fn header_of(game: &dyn Session) -> Header {
    let rules = game.rules();
    let values = rules.options.iter().zip(game.options());
    Header {
        title: rules.title.clone(),
        options: values.map(|(def, value)| (def.name.clone(), def.show(*value))).collect(),
        setup: game.setup().to_vec(),
        result: result_text(&game.result()),
        score: game.score(),
        ..Header::default()
    }
}

/// The text of a record.
#[must_use]
pub fn write(header: &Header, rules: &Rules, turns: &[Turn]) -> String {
    let mut out = String::new();
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(out, "[{key} {}]", quoted(value));
    };
    line("Ruleset", &header.ruleset);
    line("Title", &header.title);
    line("Hash", &header.hash);
    line("Engine", &header.engine);
    line("Seed", &header.seed.to_string());
    let options: Vec<String> = header.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    line("Options", &options.join(" "));
    for (name, side, value) in &header.setup {
        let key = capitalised(name);
        let key =
            if OWN.contains(&key.as_str()) || uncapitalised(&key) != *name { format!("Setup {name}") } else { key };
        line(format!("{key} {side}").trim_end(), value);
    }
    for (side, player) in &header.players {
        line(&format!("Player {side}"), player);
    }
    if let Some(state) = &header.state {
        line("State", &state.to_string());
    }
    if let Some(position) = &header.position {
        line("Position", position);
    }
    if let Some(def) = rules.records.first() {
        line("Notation", &def.name);
    }
    line("Result", &header.result);
    let score: Vec<String> = header.score.iter().map(ToString::to_string).collect();
    line("Score", &score.join(" "));
    line("Decisions", &header.decisions.to_string());
    out.push('\n');
    if let Some(def) = rules.records.first() {
        let lines = told(def, turns);
        for line in lines.iter().map(String::as_str).chain(result_word(def, rules, header)) {
            out.push_str(line);
            out.push('\n');
        }
        return out;
    }
    for (index, turn) in turns.iter().enumerate() {
        let _ = writeln!(out, "{}", turn_text(rules, index + 1, turn));
    }
    out
}

/// Turns as the ruleset's template has them. A turn without a head goes on in the line of the one before.
#[must_use]
pub fn told(def: &RecordDef, turns: &[Turn]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for turn in turns {
        let text = told_turn(def, turn);
        match lines.last_mut().filter(|_| turn.head.is_empty()) {
            Some(line) => {
                line.push(' ');
                line.push_str(&text);
            }
            None => lines.push(text),
        }
    }
    lines
}

/// The word of a record for a result.
fn result_word<'d>(def: &'d RecordDef, rules: &Rules, header: &Header) -> Option<&'d str> {
    let result = header.result.split(' ').next().unwrap_or_default();
    let index = match result {
        "draw" => Some(rules.sides.len()),
        "unfinished" => Some(rules.sides.len() + 1),
        winner => rules.sides.iter().position(|side| side.key == winner),
    };
    index.and_then(|index| def.results.get(index)).map(String::as_str)
}

/// A turn as the ruleset's template has it.
#[must_use]
pub fn told_turn(def: &RecordDef, turn: &Turn) -> String {
    let decisions: Vec<String> = turn.decisions.iter().map(|d| format!("{}{}", d.written, d.outcome)).collect();
    format!("{}{}", turn.head, decisions.join(&def.between))
}

/// A turn as a line.
#[must_use]
pub fn turn_text(rules: &Rules, number: usize, turn: &Turn) -> String {
    let side = rules.sides.get(turn.side).map_or("?", |side| side.name.as_str());
    let decisions: Vec<String> = turn.decisions.iter().map(shown).collect();
    format!("{number}. {side}: {}", decisions.join(", "))
}

fn shown(decision: &Decision) -> String {
    token(&format!("{}{}", decision.written, decision.outcome))
}

fn token(text: &str) -> String {
    let plain = !text.is_empty()
        && text.trim() == text
        && !text.contains([',', '{', '}', '"', '\n', '\r', '\\'])
        && !text.contains("//");
    if plain { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    format!("\"{escaped}\"")
}

/// The name with its first letter large.
pub(super) fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// The name with its first letter small.
pub(super) fn uncapitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
