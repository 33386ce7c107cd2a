//! `check`: what is wrong with rulesets.

use std::io::Write;
use std::process::ExitCode;

use fullcourt_compiler::diagnostics::{Level, Problem, Sources};
use fullcourt_compiler::{Failure, span_of};
use fullcourt_engine::session::{Setup, StartError};
use serde_json::json;

use super::code;
use crate::error::{CliError, problems_json, say_problems};
use crate::load::{CourtFiles, Loaded};
use crate::out::{self, Format};

/// Checks rulesets: problems on standard error, a line for each on standard output; with JSON all on standard output.
pub(super) fn check(rulesets: &[String], format: Format) -> Result<ExitCode, CliError> {
    let mut out = out::stdout();
    let mut well = true;
    let mut files = Vec::new();
    // A wrong name is misuse, whatever else there is to say: so all names come first.
    let found = rulesets.iter().map(|name| CourtFiles::find(name)).collect::<Result<Vec<_>, _>>()?;
    for (name, found) in rulesets.iter().zip(&found) {
        let result = Loaded::load(found).and_then(starts);
        let (problems, sources, hash): (&Vec<Problem>, &Sources, _) = match &result {
            Ok(loaded) => (&loaded.compiled.warnings, &loaded.compiled.sources, Some(&loaded.compiled.hash)),
            Err(failure) => (&failure.problems, &failure.sources, None),
        };
        let count = |level: Level| problems.iter().filter(|problem| problem.level == level).count();
        let (errors, warnings) = (count(Level::Error), count(Level::Warning));
        well &= result.is_ok();
        match format {
            Format::Json => files.push(json!({
                "file": name,
                "ok": result.is_ok(),
                "hash": hash,
                "problems": problems_json(problems, sources),
            })),
            Format::Text => {
                out.flush()?;
                say_problems(problems, sources, format);
                let counts = [count_text(errors, "error"), count_text(warnings, "warning")];
                let counts: Vec<String> = counts.into_iter().flatten().collect();
                let verdict = if result.is_ok() { "ok" } else { "not ok" };
                writeln!(out, "{name}: {}", [&[verdict.to_owned()], &counts[..]].concat().join(", "))?;
            }
        }
    }
    if format == Format::Json {
        writeln!(out, "{}", json!({"ok": well, "files": files}))?;
    }
    out.flush()?;
    Ok(code(well))
}

/// A ruleset whose game cannot begin is not right.
fn starts(loaded: Loaded) -> Result<Loaded, Box<Failure>> {
    let Err(error) = loaded.start(&loaded.compiled.defaults, &Setup::default()) else { return Ok(loaded) };
    let rules = &loaded.compiled.rules;
    let position = rules.start.as_ref().and_then(|(index, _)| rules.positions.get(*index)).map(|def| def.origin);
    let (code, origin, text) = match error {
        StartError::Setup(text) => ("wrong-value", position.unwrap_or_default(), text),
        StartError::Fault(fault) => (fault.code, fault.origin, format!("the game cannot begin: {}", fault.text)),
    };
    let mut problems = loaded.compiled.warnings;
    problems.push(Problem::error(code, span_of(origin), text));
    Err(Box::new(Failure { sources: loaded.compiled.sources, problems }))
}

fn count_text(count: usize, what: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    }
}
