//! The commands. Each reads its arguments, works, prints, and gives an exit code.

mod bench;
mod check;
mod engine;
mod graph;
mod legal;
pub(crate) mod options;
mod perft;
mod play;
mod replay;
mod report;
mod run;

use std::process::ExitCode;

use crate::args::{AnyFormat, Cli, Command, Extra};
use crate::error::CliError;

/// Runs a command.
pub(crate) fn run(cli: Cli, extras: &[Extra]) -> Result<ExitCode, CliError> {
    let format = cli.format.plain();
    if matches!(cli.format, AnyFormat::Dot | AnyFormat::Program) && !matches!(cli.command, Command::Graph { .. }) {
        let text = "only `graph` prints `--format dot` and `--format program`; here it is text or json";
        return Err(CliError::Misuse(text.to_owned()));
    }
    let listing = cli.format == AnyFormat::Program;
    match cli.command {
        Command::Check { rulesets } => check::check(&rulesets, format),
        Command::Options { ruleset } => options::options(&ruleset, format),
        Command::Run { game, record, boards } => run::run(&game, extras, record.as_deref(), boards, format),
        Command::Play { game, record } => play::play(&game, extras, record.as_deref(), format),
        Command::Legal { game, notation } => legal::legal(&game, extras, notation.as_deref(), format),
        Command::Perft { game, depth, divide, bulk, threads } => {
            perft::perft(&game, extras, &perft::Count { depth, divide, bulk, threads }, format)
        }
        Command::Replay { record, ruleset, option } => replay::replay(&record, ruleset.as_deref(), &option, format),
        Command::Graph { ruleset, without_shape } if listing => graph::listing(&ruleset, &without_shape),
        Command::Graph { ruleset, without_shape } if without_shape.is_empty() => graph::graph(&ruleset, format),
        Command::Graph { .. } => {
            Err(CliError::Misuse("`--without-shape` is for `graph --format program` only".to_owned()))
        }
        Command::Bench { game, seconds, way, operations } => {
            bench::bench(&game, extras, &bench::Wanted { seconds, ways: way, operations }, format)
        }
        Command::Engine { game } => engine::engine(&game, extras, format),
    }
}

/// Exit code 0 when all is well, else 1.
fn code(well: bool) -> ExitCode {
    if well { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
