//! `perft`: how many chains of decisions there are.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use fullcourt_playtest::look_up::texts;
use serde_json::{Map, Value as Json, json};

use super::code;
use crate::args::{Extra, GameArgs};
use crate::error::CliError;
use crate::game::start;
use crate::interrupt;
use crate::out::{self, Format};

/// Counts the chains of `depth` decisions, for each first decision if asked to.
pub(super) fn perft(
    args: &GameArgs,
    extras: &[Extra],
    (depth, divide): (u32, bool),
    format: Format,
) -> Result<ExitCode, CliError> {
    let mut started = start(args, extras, "perft", false, format)?;
    interrupt::watch();
    let begun = Instant::now();
    let mut nodes: u64 = u64::from(depth == 0);
    let mut complete = true;
    let mut parts: Vec<(String, u64)> = Vec::new();
    if depth > 0 {
        let legal = texts(&*started.game).map_err(|fault| started.fault(&fault))?;
        let total = legal.len();
        for (index, (action, text)) in legal.into_iter().enumerate() {
            started.game.play(action).map_err(|fault| CliError::fault(&fault, &started.loaded.compiled.sources))?;
            let below = started.game.perft(depth - 1, &interrupt::asked);
            let below = below.map_err(|fault| started.fault(&fault))?;
            started.game.undo();
            nodes += below;
            // A branch that was broken off has no number of its own.
            if interrupt::asked() {
                complete = false;
                break;
            }
            parts.push((text, below));
            out::progress(&format!("{} of {total} branches, {nodes} so far", index + 1));
        }
        out::progress("");
    }
    let seconds = begun.elapsed().as_secs_f64();
    let mut out = out::stdout();
    match format {
        Format::Json => {
            let mut json = json!({"depth": depth, "nodes": nodes, "complete": complete, "seconds": seconds});
            if let Some(object) = json.as_object_mut().filter(|_| divide) {
                let parts: Map<String, Json> = parts.into_iter().map(|(text, count)| (text, count.into())).collect();
                object.insert("divide".into(), parts.into());
            }
            writeln!(out, "{json}")?;
        }
        Format::Text => {
            for (text, count) in parts.iter().filter(|_| divide) {
                writeln!(out, "{text}: {count}")?;
            }
            let broken = if complete { "" } else { " (broken off)" };
            writeln!(out, "depth {depth}: {nodes}{broken}, {seconds:.3} s")?;
        }
    }
    out.flush()?;
    Ok(code(complete))
}
