//! `bench`: how fast games are played.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fullcourt_engine::rng::{Rng, mix};
use serde_json::json;

use super::code;
use crate::args::{Extra, GameArgs};
use crate::error::CliError;
use crate::game::{Started, start};
use crate::interrupt;
use crate::out::{self, Format};

#[derive(Default)]
struct Counts {
    decisions: u64,
    actions: u64,
    games: u64,
}

/// Plays random games for some seconds, all legal actions listed at each decision.
pub(super) fn bench(args: &GameArgs, extras: &[Extra], seconds: f64, format: Format) -> Result<ExitCode, CliError> {
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && time.as_secs() <= 86_400);
    let time =
        time.ok_or_else(|| CliError::Misuse(format!("--seconds is more than 0 and at most 86400, not {seconds}")))?;
    let started = start(args, extras, "bench", false, format)?;
    interrupt::watch();
    let begun = Instant::now();
    let mut counts = Counts::default();
    while begun.elapsed() < time && !interrupt::asked() {
        let going = || begun.elapsed() < time && !interrupt::asked();
        if !play(&started, &mut counts, &going)? {
            return Err(CliError::Finding("the game has no decision: there is nothing to measure".to_owned()));
        }
        out::progress(&format!("{:.0} s, {} decisions", begun.elapsed().as_secs_f64(), counts.decisions));
    }
    out::progress("");
    let seconds = begun.elapsed().as_secs_f64();
    let per_second = counts.decisions as f64 / seconds.max(1e-9);
    let branching = counts.actions as f64 / (counts.decisions as f64).max(1.0);
    let mut out = out::stdout();
    match format {
        Format::Json => {
            let reference = json!({
                "decisions_per_second": per_second.round(),
                "decisions": counts.decisions,
                "games": counts.games,
                "seconds": seconds,
                "actions_per_decision": branching,
            });
            writeln!(out, "{}", json!({"reference": reference}))?;
        }
        Format::Text => writeln!(
            out,
            "reference: {per_second:.0} decisions a second ({} decisions, {} games ended, {seconds:.2} s, {branching:.1} \
             legal actions each)",
            counts.decisions, counts.games
        )?,
    }
    out.flush()?;
    Ok(code(true))
}

/// One random game; `false` when it had no decision.
fn play(started: &Started, counts: &mut Counts, going: &dyn Fn() -> bool) -> Result<bool, CliError> {
    let mut game = started.game.branch();
    let mut rng = Rng::new(mix(started.setup.seed ^ counts.games));
    let before = counts.decisions;
    while !game.is_over() {
        if game.plies() >= 256 {
            game = game.branch();
        }
        let legal = game.legal().map_err(|fault| started.fault(&fault))?;
        let Some(&action) = legal.get(rng.below(legal.len())) else {
            break;
        };
        game.play(action).map_err(|fault| started.fault(&fault))?;
        counts.decisions += 1;
        counts.actions += legal.len() as u64;
        if counts.decisions.is_multiple_of(64) && !going() {
            return Ok(true);
        }
    }
    counts.games += 1;
    Ok(counts.decisions > before)
}
