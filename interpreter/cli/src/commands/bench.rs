//! `bench`: how fast games are played.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fullcourt_engine::rng::{Rng, mix};
use fullcourt_engine::session::Session;
use fullcourt_plugin_host::MachineCode;
use serde_json::{Map, Value as Json, json};

use super::code;
use crate::args::{Extra, GameArgs, Way};
use crate::error::CliError;
use crate::game::{Started, start};
use crate::interrupt;
use crate::out::{self, Format};

/// What is measured.
pub(super) struct Wanted {
    /// For how long, each way.
    pub seconds: f64,
    /// Only these; none: all.
    pub ways: Vec<Way>,
    /// Operations are counted instead.
    pub operations: bool,
}

#[derive(Default)]
struct Counts {
    decisions: u64,
    actions: u64,
    games: u64,
    seconds: f64,
    /// How long it took to make what runs.
    made: Option<Duration>,
}

/// The most decisions of a random game: some rulesets have games that do not end by themselves.
const LONGEST: u64 = 100_000;
/// How many games are played to see how many decisions a turn has, and for how long at most.
const TURN_GAMES: u64 = 20;
const TURN_TIME: Duration = Duration::from_millis(300);

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Reference => "reference",
            Way::Program => "program",
            Way::MachineCode => "machine code",
        }
    }
}

/// Plays random games for some seconds in each way, all legal actions counted at each decision.
pub(super) fn bench(args: &GameArgs, extras: &[Extra], wanted: &Wanted, format: Format) -> Result<ExitCode, CliError> {
    let seconds = wanted.seconds;
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && time.as_secs() <= 86_400);
    let time =
        time.ok_or_else(|| CliError::Misuse(format!("--seconds is more than 0 and at most 86400, not {seconds}")))?;
    let started = start(args, extras, "bench", false, format)?;
    interrupt::watch();
    if wanted.operations {
        return operations(&started, time, format);
    }
    let turn = decisions_a_turn(&started)?;
    let mut ways = Vec::new();
    for way in [Way::Reference, Way::Program, Way::MachineCode] {
        let is_wanted = wanted.ways.is_empty() || wanted.ways.contains(&way);
        if !is_wanted || interrupt::asked() {
            continue;
        }
        let begun = Instant::now();
        let mut game = started.game.fork();
        match way {
            Way::Reference => game = game.plain(),
            Way::Program if !game.is_fast() => continue,
            Way::Program => {}
            Way::MachineCode => {
                if !game.compile(&MachineCode) {
                    continue;
                }
            }
        }
        let made = (way == Way::MachineCode).then(|| begun.elapsed());
        ways.push((way.name(), Counts { made, ..measure(&started, &*game, time)? }));
    }
    if ways.is_empty() && !interrupt::asked() {
        return Err(CliError::Finding("the rules cannot be run that way: they are too large for it".to_owned()));
    }
    let mut out = out::stdout();
    match format {
        Format::Json => {
            let ways: Map<String, Json> =
                ways.iter().map(|(name, counts)| ((*name).to_owned(), counts.json(turn))).collect();
            writeln!(out, "{}", Json::Object(ways))?;
        }
        Format::Text => {
            for (name, counts) in &ways {
                writeln!(
                    out,
                    "{name}: {:.0} decisions a second ({:.0} ns each), {:.0} plies a second, {:.0} playouts a second",
                    counts.a_second(),
                    1e9 / counts.a_second().max(1e-9),
                    counts.a_second() / turn,
                    counts.playouts(),
                )?;
                let made = counts.made.map_or(String::new(), |made| format!("; made in {:.2} s", made.as_secs_f64()));
                writeln!(
                    out,
                    "  {} decisions, {} games ended, {:.2} s, {:.1} legal actions each{made}",
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

    fn playouts(&self) -> f64 {
        self.games as f64 / self.seconds.max(1e-9)
    }

    fn branching(&self) -> f64 {
        self.actions as f64 / (self.decisions as f64).max(1.0)
    }

    fn json(&self, turn: f64) -> Json {
        let mut json = json!({
            "decisions_per_second": self.a_second().round(),
            "plies_per_second": (self.a_second() / turn).round(),
            "playouts_per_second": self.playouts().round(),
            "nanoseconds_per_decision": (1e9 / self.a_second().max(1e-9)).round(),
            "decisions": self.decisions,
            "games": self.games,
            "seconds": self.seconds,
            "actions_per_decision": self.branching(),
        });
        if let (Some(made), Some(object)) = (self.made, json.as_object_mut()) {
            object.insert("made_in_seconds".to_owned(), made.as_secs_f64().into());
        }
        json
    }
}

/// The number that starts the chance of a game.
fn seed(started: &Started, number: u64) -> Rng {
    Rng::new(mix(started.setup.seed ^ number))
}

/// How many decisions a side takes, on average, before another side does.
fn decisions_a_turn(started: &Started) -> Result<f64, CliError> {
    let begun = Instant::now();
    let (mut decisions, mut turns) = (0u64, 0u64);
    for number in 0..TURN_GAMES {
        let (mut game, mut rng) = (started.game.branch(), seed(started, number));
        let mut last = None;
        while !game.is_over() && (decisions == 0 || begun.elapsed() < TURN_TIME) && !interrupt::asked() {
            let legal = game.legal().map_err(|fault| started.fault(&fault))?;
            let Some(&action) = legal.get(rng.below(legal.len())) else { break };
            turns += u64::from(game.to_act() != last);
            last = game.to_act();
            game.play(action).map_err(|fault| started.fault(&fault))?;
            decisions += 1;
        }
    }
    Ok(decisions.max(1) as f64 / turns.max(1) as f64)
}

/// Random games from the position for so long.
fn measure(started: &Started, game: &dyn Session, time: Duration) -> Result<Counts, CliError> {
    let begun = Instant::now();
    let mut counts = Counts::default();
    while begun.elapsed() < time && !interrupt::asked() {
        let mut rng = seed(started, counts.games.wrapping_add(counts.decisions));
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

/// Counts the operations of the program over random games. What one kind costs cannot be timed by itself, as a clock takes
/// longer than an operation: the mean over all is told.
fn operations(started: &Started, time: Duration, format: Format) -> Result<ExitCode, CliError> {
    if !started.game.is_fast() {
        return Err(CliError::Finding("these rules have no program: they are too large for one".to_owned()));
    }
    let plain = measure(started, &*started.game, time)?;
    let begun = Instant::now();
    let (mut decisions, mut games) = (0, 0);
    let mut counts: indexmap::IndexMap<String, u64> = indexmap::IndexMap::new();
    while begun.elapsed() < time && !interrupt::asked() {
        let going =
            |decisions: u64| decisions < LONGEST && !interrupt::asked() && (decisions == 0 || begun.elapsed() < time);
        let counted = started.game.operations(&mut seed(started, games), &going);
        let Some((more, kinds)) = counted.map_err(|fault| started.fault(&fault))? else { break };
        decisions += more;
        games += 1;
        for (name, count) in kinds {
            *counts.entry(name).or_default() += count;
        }
        out::progress(&format!("{:.0} s, {decisions} decisions", begun.elapsed().as_secs_f64()));
    }
    out::progress("");
    if decisions == 0 {
        // Broken off before anything was counted.
        return Ok(code(false));
    }
    counts.sort_by(|_, a, _, b| b.cmp(a));
    let all: u64 = counts.values().sum();
    let each = all as f64 / (decisions as f64).max(1.0);
    let cost = 1e9 / plain.a_second().max(1e-9) / each.max(1e-9);
    let mut out = out::stdout();
    match format {
        Format::Json => {
            let kinds: Map<String, Json> = counts
                .iter()
                .map(|(name, &count)| (name.clone(), json!(count as f64 / (decisions as f64).max(1.0))))
                .collect();
            let json = json!({
                "decisions": decisions,
                "operations_per_decision": each,
                "nanoseconds_per_operation": cost,
                "operations": kinds,
            });
            writeln!(out, "{json}")?;
        }
        Format::Text => {
            writeln!(out, "{each:.1} operations a decision, {cost:.1} ns each on average, over {decisions} decisions")?;
            for (name, &count) in &counts {
                let here = count as f64 / (decisions as f64).max(1.0);
                let share = 100.0 * count as f64 / (all as f64).max(1.0);
                writeln!(out, "  {name:<14}{here:>9.2} a decision {share:>6.1} %")?;
            }
        }
    }
    out.flush()?;
    Ok(code(true))
}
