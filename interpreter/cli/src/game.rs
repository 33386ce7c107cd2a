//! Starting a game as the arguments say: options, setup parameters, seed, a given state, players.

use std::io::Read;
use std::path::Path;

use fullcourt_engine::ir::{Rules, SetupKind};
use fullcourt_engine::session::{Session, Setup, StartError};
use fullcourt_playtest::nearest::advice;
use fullcourt_playtest::play::Log;
use fullcourt_playtest::record::{Header, header_of, write};
use serde_json::Value as Json;

use crate::args::{Extra, GameArgs, long_names};
use crate::error::{CliError, say_problems};
use crate::load::{Loaded, read_file};
use crate::out::Format;

/// The largest state, in bytes.
const STATE_BYTES: u64 = 1 << 20;

/// A game that has been started.
pub(crate) struct Started {
    /// Its ruleset.
    pub loaded: Loaded,
    /// The game.
    pub game: Box<dyn Session>,
    /// The values of its options.
    pub options: Vec<i32>,
    /// Its setup as it was given.
    pub setup: Setup,
    /// The state it was started from.
    pub state: Option<Json>,
    /// The position it was started from, in one line.
    pub position: Option<String>,
    /// The player of each side, if given.
    pub players: Vec<Option<String>>,
}

/// Starts a game; `command` has players if it lets somebody play.
pub(crate) fn start(
    args: &GameArgs,
    extras: &[Extra],
    command: &str,
    has_players: bool,
    format: Format,
) -> Result<Started, CliError> {
    let loaded = Loaded::find(&args.ruleset)?;
    say_problems(&loaded.compiled.warnings, &loaded.compiled.sources, format);
    let rules = loaded.compiled.rules.clone();
    let mut options = loaded.compiled.defaults.clone();
    set_options(&rules, &mut options, &args.option)?;
    let mut setup = Setup { values: Vec::new(), seed: args.seed };
    let mut players = vec![None; rules.sides.len()];
    for pair in &args.set {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| CliError::Misuse(format!("--set `{pair}` should be written as PARAMETER=[SIDE=]VALUE")))?;
        if !rules.setups.iter().any(|def| def.name == name) {
            return Err(CliError::Misuse(unknown_setup(&rules, name)));
        }
        add_setup(&rules, &mut setup, name, value);
    }
    for extra in extras {
        let name = extra.name.as_str();
        let is_setup = rules.setups.iter().any(|def| def.name == name);
        let side = rules.side_by_name(name).filter(|_| has_players);
        if !is_setup && side.is_none() {
            return Err(CliError::Misuse(unknown_argument(&rules, name, command, has_players)));
        }
        let Some(value) = &extra.value else {
            return Err(CliError::Misuse(format!("--{name} needs a value")));
        };
        match side.filter(|_| !is_setup) {
            Some(side) => players[side] = Some(value.clone()),
            None => add_setup(&rules, &mut setup, name, value),
        }
    }
    let sources = &loaded.compiled.sources;
    let mut game = loaded.start(&options, &setup).map_err(|error| match error {
        StartError::Fault(fault) => CliError::fault(&fault, sources),
        other => other.into(),
    })?;
    let state = args.state.as_deref().map(read_state).transpose()?;
    if let Some(state) = &state {
        game.set_state(state).map_err(|wrong| CliError::Misuse(format!("--state: {wrong}")))?;
    }
    if let Some(text) = &args.position {
        game.set_line(text).map_err(|wrong| CliError::Misuse(format!("--position: {wrong}")))?;
    }
    let position = args.position.as_ref().and_then(|_| game.line());
    Ok(Started { loaded, game, options, setup, state, position, players })
}

impl Started {
    /// A fault of the rules, with its place.
    pub(crate) fn fault(&self, fault: &fullcourt_engine::fault::Fault) -> CliError {
        CliError::fault(fault, &self.loaded.compiled.sources)
    }

    /// The record of the game so far.
    pub(crate) fn record(&self, log: &Log, players: &[String]) -> String {
        let rules = &self.loaded.compiled.rules;
        let sides = rules.sides.iter().map(|side| side.key.clone());
        let header = Header {
            ruleset: self.loaded.name.clone(),
            hash: self.loaded.compiled.hash.clone(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            seed: self.setup.seed,
            players: sides.zip(players.iter().cloned()).collect(),
            state: self.state.clone(),
            position: self.position.clone(),
            decisions: log.decisions(),
            ..header_of(&*self.game)
        };
        write(&header, rules, &log.turns)
    }
}

/// What is wrong with an option.
#[derive(Debug)]
pub(crate) enum WrongOption {
    /// There is none of that name.
    Unknown(String),
    /// It cannot have that value.
    Value(String),
}

impl WrongOption {
    /// A sentence.
    pub(crate) fn text(self) -> String {
        match self {
            WrongOption::Unknown(text) | WrongOption::Value(text) => text,
        }
    }
}

/// Sets options as the command line gives them: `NAME=VALUE`.
pub(crate) fn set_options(rules: &Rules, options: &mut [i32], pairs: &[String]) -> Result<(), CliError> {
    for pair in pairs {
        let (name, value) = pair.split_once('=').ok_or_else(|| {
            CliError::Misuse(format!("--option `{pair}` should be written as NAME=VALUE, such as {}", example(rules)))
        })?;
        set_option(rules, options, name, value).map_err(|wrong| CliError::Misuse(wrong.text()))?;
    }
    Ok(())
}

/// Sets an option by the text of its value.
pub(crate) fn set_option(rules: &Rules, options: &mut [i32], name: &str, value: &str) -> Result<(), WrongOption> {
    let index = rules.options.iter().position(|def| def.name == name);
    let Some((def, slot)) = index.and_then(|index| Some((&rules.options[index], options.get_mut(index)?))) else {
        let names: Vec<_> = rules.options.iter().map(|def| def.name.as_str()).collect();
        let near = advice(name, names.iter().copied());
        let text = format!("`{name}` is no option of {}; there are: {}{near}", rules.title, names.join(", "));
        return Err(WrongOption::Unknown(text));
    };
    *slot = def.parse(value).map_err(|allowed| {
        let near = match &def.domain {
            fullcourt_engine::ir::OptionDomain::Words(words)
            | fullcourt_engine::ir::OptionDomain::RangeOr(_, words) => advice(value, words.iter().map(String::as_str)),
            fullcourt_engine::ir::OptionDomain::Range(_) => String::new(),
        };
        let cite = if def.cite.is_empty() { String::new() } else { format!(" ({})", def.cite) };
        WrongOption::Value(format!("option `{name}`{cite} is {allowed}, not `{value}`{near}"))
    })?;
    Ok(())
}

/// Says so when a ruleset has no notation of a name.
pub(crate) fn known_notation(rules: &Rules, name: &str) -> Result<(), CliError> {
    let names = rules.notation_names();
    if names.contains(&name) {
        return Ok(());
    }
    let near = advice(name, names.iter().copied());
    let known =
        if names.is_empty() { "it has none".to_owned() } else { format!("there are: {}{near}", names.join(", ")) };
    Err(CliError::Misuse(format!("`{name}` is no notation of {}; {known}", rules.title)))
}

fn example(rules: &Rules) -> String {
    rules.options.first().map_or("name=value".to_owned(), |def| format!("{}={}", def.name, def.show(def.default)))
}

/// There is no setup parameter of that name.
pub(crate) fn unknown_setup(rules: &Rules, name: &str) -> String {
    let names: Vec<_> = rules.setups.iter().map(|def| def.name.as_str()).collect();
    let near = advice(name, names.iter().copied());
    format!("`{name}` is no setup parameter of {}; there are: {}{near}", rules.title, names.join(", "))
}

fn unknown_argument(rules: &Rules, name: &str, command: &str, has_players: bool) -> String {
    let mut known = long_names(command);
    known.extend(rules.setups.iter().map(|def| def.name.clone()));
    if has_players {
        known.extend(rules.sides.iter().map(|side| side.key.clone()));
    }
    let known: Vec<String> = known.iter().map(|name| format!("--{name}")).collect();
    let near = advice(&format!("--{name}"), known.iter().map(String::as_str));
    format!("unexpected argument `--{name}`; {command} of {} knows {}{near}", rules.title, known.join(", "))
}

/// A value as `VALUE` or `SIDE=VALUE`; without a side it is that of all sides.
fn add_setup(rules: &Rules, setup: &mut Setup, name: &str, value: &str) {
    let per_side = rules.setups.iter().any(|def| def.name == name && matches!(def.kind, SetupKind::Lineup { .. }));
    let sided = value.split_once('=').filter(|_| per_side);
    match sided {
        Some((side, value)) => setup.values.push((name.to_owned(), side.to_lowercase(), value.to_owned())),
        None if per_side => {
            let all = rules.sides.iter().map(|side| (name.to_owned(), side.key.clone(), value.to_owned()));
            setup.values.extend(all);
        }
        None => setup.values.push((name.to_owned(), String::new(), value.to_owned())),
    }
}

fn read_state(path: &Path) -> Result<Json, CliError> {
    let shown = path.display();
    let content = if path == Path::new("-") {
        let mut content = Vec::new();
        std::io::stdin().take(STATE_BYTES + 1).read_to_end(&mut content)?;
        if content.len() as u64 > STATE_BYTES {
            return Err(CliError::Misuse(format!("the state is larger than {} KiB", STATE_BYTES >> 10)));
        }
        content
    } else {
        read_file(path, STATE_BYTES).map_err(|why| CliError::Misuse(format!("`{shown}` {why}")))?
    };
    let json: Json =
        serde_json::from_slice(&content).map_err(|why| CliError::Misuse(format!("`{shown}` is no JSON: {why}")))?;
    // What the protocol answers to `state` is welcome as it is.
    Ok(json.get("state").filter(|state| state.is_object()).cloned().unwrap_or(json))
}
