//! `replay`: a record, played again.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use fullcourt_engine::session::Setup;
use fullcourt_playtest::record::{
    Difference, Foreign, Replayed, Script, TEXT_BYTES, is_foreign, read, read_foreign, replay as play_again,
    replay_body,
};
use serde_json::{Value as Json, json};

use super::{code, report};
use crate::error::CliError;
use crate::game::{Started, set_option, set_options};
use crate::load::{CourtFiles, Loaded, is_plain, read_file};
use crate::out::{self, Format};

/// Replays a record.
pub(super) fn replay(
    path: &Path,
    ruleset: Option<&str>,
    given: &[String],
    format: Format,
) -> Result<ExitCode, CliError> {
    let shown = path.display().to_string();
    let bytes = read_file(path, TEXT_BYTES as u64).map_err(|why| CliError::Misuse(format!("`{shown}` {why}")))?;
    let finding =
        |line: usize, column: usize, text: &str| CliError::Finding(format!("{shown}:{line}:{column}: {text}"));
    let text = String::from_utf8(bytes).map_err(|_| finding(1, 1, "the record is no text in UTF-8"))?;
    // A byte order mark is no part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
    if text.trim().is_empty() {
        return Err(finding(1, 1, "there is no game in it: the header `Ruleset` is missing"));
    }
    if is_foreign(&text)
        && !text.trim().is_empty()
        && let Some(name) = ruleset
    {
        let games = read_foreign(&text).map_err(|wrong| finding(wrong.line, wrong.column, &wrong.text))?;
        return foreign(&shown, (name, given), &games, format);
    }
    if is_foreign(&text) && !text.trim().is_empty() {
        let text = "this is none of our records (it names no ruleset); say with --ruleset by which rules it is played";
        return Err(finding(1, 1, text));
    }
    if !given.is_empty() {
        return Err(CliError::Misuse(format!("`{shown}` is a record of our own and says its options itself")));
    }
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
    let position = script.header.position.clone();
    let mut started = Started { loaded, game, options, setup, state, position, players };
    if let Some(state) = &script.header.state {
        started.game.set_state(state).map_err(|wrong| finding(script.line_of("State"), 1, &wrong))?;
    }
    if let Some(text) = &script.header.position {
        started.game.set_line(text).map_err(|wrong| finding(script.line_of("Position"), 1, &wrong))?;
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
                let turns = match script.turns.len() {
                    0 => String::new(),
                    turns => format!(" in {turns} turns"),
                };
                let result = report::result(&*started.game);
                writeln!(out, "{shown}: {}{turns} agree; {result}", decisions(replayed.decisions))?;
            }
            Some(difference) => tell(&mut out, &shown, difference, replayed.decisions, &started)?,
        },
    }
    out.flush()?;
    Ok(code(replayed.difference.is_none()))
}

/// So many decisions.
fn decisions(count: usize) -> String {
    format!("{count} decision{}", if count == 1 { "" } else { "s" })
}

/// Says where a record and the game differ.
fn tell(
    out: &mut impl Write,
    shown: &str,
    difference: &Difference,
    agree: usize,
    started: &Started,
) -> std::io::Result<()> {
    let Difference { line, column, what, expected, found, .. } = difference;
    let place = match difference.turn {
        0 => String::new(),
        turn => format!("turn {turn}, decision {}: ", difference.decision),
    };
    writeln!(out, "{shown}:{line}:{column}: {place}{what} differs")?;
    writeln!(out, "  the record: {expected}\n  the game:   {found}")?;
    for reason in report::refusals(&difference.refusals, started) {
        writeln!(out, "  {reason}")?;
    }
    writeln!(out, "{} before it agree", decisions(agree))
}

/// Replays games from elsewhere, by a ruleset that says how its games are told.
fn foreign(
    shown: &str,
    (name, given): (&str, &[String]),
    games: &[Foreign],
    format: Format,
) -> Result<ExitCode, CliError> {
    let loaded = Loaded::load(&CourtFiles::find(name)?)?;
    let rules = loaded.compiled.rules.clone();
    let Some(def) = rules.records.first() else {
        let text = format!(
            "{} does not say how its games are told (it has no `record`), and `{shown}` is none of our records",
            rules.title
        );
        return Err(CliError::Misuse(text));
    };
    let (mut options, setup) = (loaded.compiled.defaults.clone(), Setup::default());
    set_options(&rules, &mut options, given)?;
    let game = loaded.start(&options, &setup)?;
    let players = vec![None; rules.sides.len()];
    let mut started = Started { loaded, game, options, setup, state: None, position: None, players };
    let mut out = out::stdout();
    let mut found: Vec<(usize, Replayed, Json)> = Vec::new();
    for game in games {
        started.game = started.loaded.start(&started.options, &started.setup)?;
        // A game may begin elsewhere: the header is called like the ruleset's text of positions.
        let given = rules.positions.iter().find_map(|position| game.header(&position.name));
        if let Some((text, line)) = given {
            let wrong = |wrong| CliError::Finding(format!("{shown}:{line}:1: {wrong}"));
            started.game.set_line(text).map_err(wrong)?;
        }
        let replayed = replay_body(&game.body, def, &mut *started.game, false);
        if format == Format::Text {
            match &replayed.difference {
                None => {
                    let result = report::result(&*started.game);
                    writeln!(out, "{shown}:{}: {} agree; {result}", game.line, decisions(replayed.decisions))?;
                }
                Some(difference) => tell(&mut out, shown, difference, replayed.decisions, &started)?,
            }
        }
        found.push((game.line, replayed, started.game.result()));
    }
    let ok = found.iter().all(|(_, replayed, _)| replayed.difference.is_none());
    if format == Format::Json {
        let one = |(line, replayed, result): &(usize, Replayed, Json)| {
            let difference = replayed.difference.as_ref().map(|difference| difference_json(difference, &started));
            json!({
                "line": line,
                "ok": difference.is_none(),
                "decisions": replayed.decisions,
                "result": result,
                "difference": difference,
            })
        };
        writeln!(out, "{}", json!({"ok": ok, "games": found.iter().map(one).collect::<Vec<_>>()}))?;
    }
    out.flush()?;
    Ok(code(ok))
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
