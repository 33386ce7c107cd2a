//! The command line of Fullcourt, as a library, so that tests can reach its parts.
//!
//! In: arguments, files, lines. Out: text or JSON, and an exit code: 0 when all is well, 1 for a finding, 2 for misuse.
//! Here, and nowhere else, files are opened and terminals written to.

mod args;
mod commands;
pub mod draw;
mod embed;
mod error;
mod game;
mod interrupt;
mod lines;
pub mod load;
mod out;
pub mod protocol;

use std::process::ExitCode;

pub use error::CliError;

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let (cli, extras) = match args::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let format = cli.format.plain();
    match commands::run(cli, &extras) {
        Ok(code) => code,
        Err(error) => error.report(format),
    }
}
