//! `bench`: how fast games are played.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fullcourt_engine::rng::{Rng, mix};
use fullcourt_engine::session::Session;
use serde_json::{Map, Value as Json, json};

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
    seconds: f64,
}

/// The most decisions of a random game: some rulesets have games that do not end by themselves.
const LONGEST: u64 = 100_000;

/// Plays random games for some seconds, by the reference and by the program, all legal actions counted at each decision.
pub(super) fn bench(args: &GameArgs, extras: &[Extra], seconds: f64, format: Format) -> Result<ExitCode, CliError> {
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && time.as_secs() <= 86_400);
    let time =
        time.ok_or_else(|| CliError::Misuse(format!("--seconds is more than 0 and at most 86400, not {seconds}")))?;
    let started = start(args, extras, "bench", false, format)?;
    interrupt::watch();
    let mut ways = vec![("reference", measure(&started, &*started.game.plain(), time)?)];
    if started.game.is_fast() && !interrupt::asked() {
        ways.push(("program", measure(&started, &*started.game, time)?));
        let begun = Instant::now();
        let mut native = started.game.fork();
        if native.compile(&fullcourt_plugin_host::MachineCode) {
            eprintln!("compiled in {:?}", begun.elapsed());
            ways.push(("machine code", measure(&started, &*native, time)?));
        }
    }
    let mut out = out::stdout();
    match format {
        Format::Json => {
            let ways: Map<String, Json> =
                ways.iter().map(|(name, counts)| ((*name).to_owned(), counts.json())).collect();
            writeln!(out, "{}", Json::Object(ways))?;
        }
        Format::Text => {
            for (name, counts) in &ways {
                writeln!(
                    out,
                    "{name}: {:.0} decisions a second ({} decisions, {} games ended, {:.2} s, {:.1} legal actions each)",
                    counts.a_second(),
                    counts.decisions,
                    counts.games,
                    counts.seconds,
                    counts.branching()
                )?;
            }
        }
    }
    out.flush()?;
    Ok(code(true))
}

impl Counts {
    fn a_second(&self) -> f64 {
        self.decisions as f64 / self.seconds.max(1e-9)
    }

    fn branching(&self) -> f64 {
        self.actions as f64 / (self.decisions as f64).max(1.0)
    }

    fn json(&self) -> Json {
        json!({
            "decisions_per_second": self.a_second().round(),
            "decisions": self.decisions,
            "games": self.games,
            "seconds": self.seconds,
            "actions_per_decision": self.branching(),
        })
    }
}

/// Random games from the position for so long.
fn measure(started: &Started, game: &dyn Session, time: Duration) -> Result<Counts, CliError> {
    let begun = Instant::now();
    let mut counts = Counts::default();
    while begun.elapsed() < time && !interrupt::asked() {
        let mut rng = Rng::new(mix(started.setup.seed ^ counts.games.wrapping_add(counts.decisions)));
        // Looking at the clock takes longer than a decision.
        let going = |decisions: u64| {
            decisions < LONGEST
                && (decisions == 0 || !decisions.is_multiple_of(64) || (begun.elapsed() < time && !interrupt::asked()))
        };
        let (decisions, actions, over) = game.playout(&mut rng, &going).map_err(|fault| started.fault(&fault))?;
        if decisions == 0 {
            return Err(CliError::Finding("the game has no decision: there is nothing to measure".to_owned()));
        }
        counts.decisions += decisions;
        counts.actions += actions;
        counts.games += u64::from(over);
        out::progress(&format!("{:.0} s, {} decisions", begun.elapsed().as_secs_f64(), counts.decisions));
    }
    out::progress("");
    counts.seconds = begun.elapsed().as_secs_f64();
    Ok(counts)
}
