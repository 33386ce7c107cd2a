//! What `run`, `play` and `replay` say of a game.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use fullcourt_engine::fault::Refusal;
use fullcourt_engine::ir::Rules;
use fullcourt_engine::session::Session;
use fullcourt_playtest::boxscore;
use fullcourt_playtest::play::Log;
use fullcourt_playtest::record::Turn;
use serde_json::{Value as Json, json};

use crate::draw;
use crate::error::CliError;
use crate::game::Started;

/// The result in a sentence: who won, by which rule, with its paragraph and words, at which score.
pub(super) fn result(game: &dyn Session) -> String {
    let result = game.result();
    let text = |name: &str| result.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let score: Vec<String> = game.score().iter().map(ToString::to_string).collect();
    let matters = draw::scores_matter(game.rules());
    let score = if matters { format!(" {}", score.join("–")) } else { String::new() };
    if result.is_null() {
        return format!("unfinished{}{score}", if matters { " at" } else { "" });
    }
    let winner = game.winner().and_then(|side| game.rules().sides.get(side));
    let winner = winner.map_or("draw".to_owned(), |side| format!("{} wins", side.name));
    let rule = [text("cite"), text("text")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let rule = if rule.is_empty() { String::new() } else { format!(", {rule}") };
    format!("{winner}{score} by `{}`{rule}", text("rule"))
}

/// The box score, or nothing when the ruleset counts nothing.
pub(super) fn box_score(game: &dyn Session) -> String {
    boxscore::to_text(game.rules(), game.tally(), &game.score())
}

/// Turns as JSON.
pub(super) fn turns_json(rules: &Rules, turns: &[Turn]) -> Json {
    let turn = |(number, turn): (usize, &Turn)| {
        let decision = |d: &fullcourt_playtest::record::Decision| json!({"action": d.text, "written": d.written, "outcome": d.outcome.trim()});
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

/// The file of a record. It is opened before the game, so that no game is lost for want of a place to write it to, and
/// keeps what was in it until then.
pub(super) struct RecordFile(Option<(PathBuf, File)>);

impl RecordFile {
    /// Opens the file, if there is to be a record.
    pub(super) fn open(path: Option<&Path>) -> Result<RecordFile, CliError> {
        let open = |path: &Path| -> Result<_, CliError> {
            let file = File::options().write(true).create(true).truncate(false).open(path);
            Ok((path.to_owned(), file.map_err(|why| cannot_write(path, &why))?))
        };
        Ok(RecordFile(path.map(open).transpose()?))
    }

    /// Writes the record in place of what was there.
    pub(super) fn write(self, text: impl FnOnce() -> String) -> Result<(), CliError> {
        let Some((path, mut file)) = self.0 else {
            return Ok(());
        };
        // What has no length, such as a terminal, needs no shortening.
        let _ = file.set_len(0);
        file.write_all(text().as_bytes()).map_err(|why| cannot_write(&path, &why))
    }
}

fn cannot_write(path: &Path, why: &std::io::Error) -> CliError {
    CliError::Misuse(format!("the record `{}` cannot be written: {why}", path.display()))
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
