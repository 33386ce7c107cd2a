//! `replay`: a record, played again.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use fullcourt_engine::session::Setup;
use fullcourt_playtest::record::{Difference, Script, TEXT_BYTES, read, replay as play_again};
use serde_json::{Value as Json, json};

use super::{code, report};
use crate::error::CliError;
use crate::game::{Started, set_option};
use crate::load::{CourtFiles, Loaded, is_plain, read_file};
use crate::out::{self, Format};

/// Replays a record.
pub(super) fn replay(path: &Path, ruleset: Option<&str>, format: Format) -> Result<ExitCode, CliError> {
    let shown = path.display().to_string();
    let bytes = read_file(path, TEXT_BYTES as u64).map_err(|why| CliError::Misuse(format!("`{shown}` {why}")))?;
    let finding =
        |line: usize, column: usize, text: &str| CliError::Finding(format!("{shown}:{line}:{column}: {text}"));
    let text = String::from_utf8(bytes).map_err(|_| finding(1, 1, "the record is no text in UTF-8"))?;
    let script = read(&text).map_err(|wrong| finding(wrong.line, wrong.column, &wrong.text))?;
    let files = match ruleset {
        Some(name) => CourtFiles::find(name)?,
        None => named(&script, path).map_err(|text| finding(script.line_of("Ruleset"), 1, &text))?,
    };
    let loaded = Loaded::load(&files)?;
    let same_rules = loaded.compiled.hash == script.header.hash;
    let rules = loaded.compiled.rules.clone();
    let mut options = loaded.compiled.defaults.clone();
    for (name, value) in &script.header.options {
        set_option(&rules, &mut options, name, value)
            .map_err(|wrong| finding(script.line_of("Options"), 1, &wrong.text()))?;
    }
    let setup = Setup { values: script.header.setup.clone(), seed: script.header.seed };
    let game = loaded.start(&options, &setup).map_err(|wrong| finding(1, 1, &wrong.to_string()))?;
    let state = script.header.state.clone();
    let players = vec![None; rules.sides.len()];
    let mut started = Started { loaded, game, options, setup, state, players };
    if let Some(state) = &script.header.state {
        started.game.set_state(state).map_err(|wrong| finding(script.line_of("State"), 1, &wrong))?;
    }
    let warning = "the record was made by other rules: the hash of ruleset, libraries and plugins differs";
    if !same_rules && format == Format::Text {
        out::complain(&format!("warning: {warning}"));
    }
    let replayed = play_again(&script, &mut *started.game);
    let mut out = out::stdout();
    match format {
        Format::Json => {
            let difference = replayed.difference.as_ref().map(|difference| difference_json(difference, &started));
            let json = json!({
                "ok": replayed.difference.is_none(),
                "same_rules": same_rules,
                "decisions": replayed.decisions,
                "result": started.game.result(),
                "score": started.game.score(),
                "difference": difference,
            });
            writeln!(out, "{json}")?;
        }
        Format::Text => match &replayed.difference {
            None => {
                let turns = script.turns.len();
                let result = report::result(&*started.game);
                writeln!(out, "{shown}: {} decisions in {turns} turns agree; {result}", replayed.decisions)?;
            }
            Some(difference) => {
                let Difference { line, column, what, expected, found, .. } = difference;
                let place = match difference.turn {
                    0 => String::new(),
                    turn => format!("turn {turn}, decision {}: ", difference.decision),
                };
                writeln!(out, "{shown}:{line}:{column}: {place}{what} differs")?;
                writeln!(out, "  the record: {expected}\n  the game:   {found}")?;
                for reason in report::refusals(&difference.refusals, &started) {
                    writeln!(out, "  {reason}")?;
                }
                writeln!(out, "{} decisions before it agree", replayed.decisions)?;
            }
        },
    }
    out.flush()?;
    Ok(code(replayed.difference.is_none()))
}

/// The ruleset that a record names. A record may be somebody else's: the name leads to no other folder.
fn named(script: &Script, path: &Path) -> Result<CourtFiles, String> {
    let name = &script.header.ruleset;
    if !is_plain(name) {
        return Err(format!("`{name}` is no plain name of a ruleset; say with --ruleset where it is"));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = [folder.join(format!("{name}.court")), Path::new(&format!("{name}.court")).to_owned()];
    let found = match beside.iter().find(|path| path.is_file()) {
        Some(path) => CourtFiles::file(path),
        None => CourtFiles::shipped(name),
    };
    found.map_err(|error| match error {
        CliError::Misuse(text) | CliError::Finding(text) => text,
        CliError::Problems(_) | CliError::Io(_) => format!("the ruleset `{name}` cannot be read"),
    })
}

fn difference_json(difference: &Difference, started: &Started) -> Json {
    json!({
        "line": difference.line,
        "column": difference.column,
        "turn": difference.turn,
        "decision": difference.decision,
        "what": difference.what,
        "expected": difference.expected,
        "found": difference.found,
        "reasons": report::refusals(&difference.refusals, started),
    })
}
