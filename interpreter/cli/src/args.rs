//! The arguments, as clap sees them, and those that only a ruleset can explain.
//!
//! A ruleset declares setup parameters, and it names its sides. `--PARAMETER VALUE` and `--SIDE PLAYER` are therefore
//! unknown until it is loaded: they are taken out before clap looks, and understood in [`crate::game`].

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::out::Format;

/// A rules language for chess-sport games, and the engine that plays them.
#[derive(Debug, Parser)]
#[command(
    name = "fullcourt",
    version,
    after_help = "A RULESET is the name of a shipped one or the path of a file; a \
    file wins.\nExit codes: 0 all is well, 1 a finding (a ruleset with errors, a record that differs), 2 misuse."
)]
pub(crate) struct Cli {
    /// How results are printed; `dot` and `program` are for `graph` only
    #[arg(long, value_enum, default_value_t, hide_default_value = true, global = true)]
    pub format: AnyFormat,
    #[command(subcommand)]
    pub command: Command,
}

const SETUP_HELP: &str = "Setup parameters:\n  \
    --PARAMETER [SIDE=]VALUE  A setup parameter that the ruleset declares, for one side or for all;\n  \
    \u{20}                         `fullcourt options RULESET` lists them";
const PLAYER_HELP: &str = "Setup parameters and players:\n  \
    --PARAMETER [SIDE=]VALUE  A setup parameter that the ruleset declares, for one side or for all;\n  \
    \u{20}                         `fullcourt options RULESET` lists them\n  \
    --SIDE PLAYER             Who plays a side of the ruleset: a bot (random, greedy); in `play` also human";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Checks rulesets and says what is wrong with them
    Check {
        /// Names or paths of rulesets
        #[arg(required = true, value_name = "RULESET")]
        rulesets: Vec<String>,
    },
    /// Lists the options and setup parameters of a ruleset
    Options {
        /// Name or path
        ruleset: String,
    },
    /// Plays one game between bots to its end
    #[command(after_help = PLAYER_HELP)]
    Run {
        #[command(flatten)]
        game: GameArgs,
        /// Writes the record of the game to this file
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
        /// Prints the board after every turn
        #[arg(long)]
        boards: bool,
    },
    /// Plays a game at the terminal: two people, or one against a bot
    #[command(after_help = PLAYER_HELP)]
    Play {
        #[command(flatten)]
        game: GameArgs,
        /// Writes the record of the game to this file
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
    },
    /// Lists the legal actions
    #[command(after_help = SETUP_HELP)]
    Legal {
        #[command(flatten)]
        game: GameArgs,
        /// Writes them in a notation of the ruleset
        #[arg(long, value_name = "NAME")]
        notation: Option<String>,
    },
    /// Counts the chains of so many decisions
    #[command(after_help = SETUP_HELP)]
    Perft {
        #[command(flatten)]
        game: GameArgs,
        /// How many decisions deep
        #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=64))]
        depth: u32,
        /// Counts for each first decision
        #[arg(long)]
        divide: bool,
        /// Counts the last decisions without playing them: the same number, sooner
        #[arg(long)]
        bulk: bool,
        /// How many threads count; as many as there are cores, unless said
        #[arg(long, value_name = "COUNT")]
        threads: Option<std::num::NonZeroUsize>,
    },
    /// Plays a record again and says where it differs
    Replay {
        /// The file
        record: PathBuf,
        /// The ruleset to play it by, instead of the one it names; a game from elsewhere names none
        #[arg(long)]
        ruleset: Option<String>,
        /// An option and its value, for games from elsewhere; may be repeated
        #[arg(long, value_name = "NAME=VALUE")]
        option: Vec<String>,
    },
    /// Prints the rule graph: for Graphviz with --format dot (the default), as JSON, or as the program it is lowered to
    Graph {
        /// Name or path
        ruleset: String,
        /// With --format program: lowers the rules without a shape; may be repeated
        #[arg(long, value_name = "SHAPE")]
        without_shape: Vec<String>,
    },
    /// Measures how many random decisions a second are played, with all legal actions listed at each
    #[command(after_help = SETUP_HELP)]
    Bench {
        #[command(flatten)]
        game: GameArgs,
        /// For how long
        #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
        seconds: f64,
        /// Only this way of running the rules; repeatable
        #[arg(long, value_enum)]
        way: Vec<Way>,
        /// Counts the operations of the program instead, kind by kind
        #[arg(long, conflicts_with = "way")]
        operations: bool,
    },
    /// Speaks the protocol: one JSON object a line on standard input and output
    #[command(after_help = SETUP_HELP)]
    Engine {
        #[command(flatten)]
        game: GameArgs,
    },
}

/// How something is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AnyFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// For Graphviz
    Dot,
    /// The operations that the rules are lowered to
    Program,
}

impl AnyFormat {
    /// How messages are printed.
    pub(crate) fn plain(self) -> Format {
        if self == AnyFormat::Json { Format::Json } else { Format::Text }
    }
}

/// What belongs to every command that starts a game.
#[derive(Debug, Args)]
pub(crate) struct GameArgs {
    /// Name or path
    pub ruleset: String,
    /// An option and its value; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// A setup parameter and its value, the same as --PARAMETER [SIDE=]VALUE; may be repeated
    #[arg(long, value_name = "PARAMETER=[SIDE=]VALUE")]
    pub set: Vec<String>,
    /// The seed of all chance
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Starts from a state as the protocol gives it, in JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Starts from a position in one line, as the ruleset writes it
    #[arg(long, value_name = "TEXT", conflicts_with = "state")]
    pub position: Option<String>,
}

/// An argument that only the ruleset can explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extra {
    /// Its name, without the dashes.
    pub name: String,
    /// Its value.
    pub value: Option<String>,
}

/// Reads the arguments of a process.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<(Cli, Vec<Extra>), clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    let (known, extras) = split(&args);
    let parsed = command().try_get_matches_from(known);
    match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => Ok((cli, extras)),
        // Something is missing, perhaps because an unknown argument took it: then that is what is wrong.
        Err(error) if extras.is_empty() || !error.use_stderr() => Err(error),
        Err(error) => Err(command().try_get_matches_from(args).err().unwrap_or(error)),
    }
}

fn command() -> clap::Command {
    Cli::command()
}

/// Takes out what clap does not know, for commands that start a game.
fn split(args: &[OsString]) -> (Vec<OsString>, Vec<Extra>) {
    let cli = command();
    let at = args.iter().skip(1).position(|arg| cli.find_subcommand(arg).is_some()).map(|at| at + 1);
    let sub = at.and_then(|at| cli.find_subcommand(&args[at]));
    let Some((at, sub)) = at.zip(sub.filter(|sub| sub.get_arguments().any(|arg| arg.get_long() == Some("seed"))))
    else {
        return (args.to_vec(), Vec::new());
    };
    let known =
        |name: &str| matches!(name, "help" | "format") || sub.get_arguments().any(|a| a.get_long() == Some(name));
    let mut kept = args[..=at].to_vec();
    let mut extras = Vec::new();
    let mut rest = args[at + 1..].iter().peekable();
    while let Some(arg) = rest.next() {
        let text = arg.to_str().unwrap_or_default();
        if text == "--" {
            kept.push(arg.clone());
            kept.extend(rest.cloned());
            break;
        }
        let Some(flag) = text.strip_prefix("--") else {
            kept.push(arg.clone());
            continue;
        };
        let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value.to_owned())));
        if known(name) {
            kept.push(arg.clone());
            continue;
        }
        let mut next = || rest.next_if(|next| next.to_str().is_some_and(|next| !next.starts_with("--")));
        let value = value.or_else(|| next().map(|next| next.to_string_lossy().into_owned()));
        extras.push(Extra { name: name.to_owned(), value });
    }
    (kept, extras)
}

/// The long names that a command with a game knows.
pub(crate) fn long_names(command_name: &str) -> Vec<String> {
    let cli = command();
    let sub = cli.find_subcommand(command_name);
    let names = sub.into_iter().flat_map(clap::Command::get_arguments).filter_map(clap::Arg::get_long);
    names.chain(["format"]).map(str::to_owned).collect()
}

/// A way of running rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Way {
    /// The walker over the rules as they are written
    Reference,
    /// The program of operations
    Program,
    /// Machine code of the program
    MachineCode,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn args(line: &str) -> Result<(Cli, Vec<Extra>), clap::Error> {
        parse(line.split(' ').map(OsString::from))
    }

    #[test]
    fn clap_is_content() {
        command().debug_assert();
    }

    #[test]
    fn what_the_ruleset_declares_is_kept_apart() {
        let (cli, extras) = args("fullcourt run x --stones first=A --opener=second --seed 3 --second greedy").unwrap();
        let extra = |name: &str, value: &str| Extra { name: name.to_owned(), value: Some(value.to_owned()) };
        assert_eq!(extras, [extra("stones", "first=A"), extra("opener", "second"), extra("second", "greedy")]);
        assert!(matches!(cli.command, Command::Run { game, .. } if game.seed == 3 && game.ruleset == "x"));
    }

    #[test]
    fn misspelt_flags_are_named() {
        let error = args("fullcourt perft --depht 3 x").unwrap_err().to_string();
        assert!(error.contains("--depht") && error.contains("--depth"), "{error}");
        assert!(args("fullcourt check x --first random").is_err());
    }
}
