//! `engine`: the protocol on standard input and output.

use std::io::{self, BufReader};
use std::process::ExitCode;

use super::code;
use crate::args::{Extra, GameArgs};
use crate::error::CliError;
use crate::game::start;
use crate::out::Format;
use crate::protocol::{Engine, serve};

/// Answers until the end of input.
pub(super) fn engine(args: &GameArgs, extras: &[Extra], format: Format) -> Result<ExitCode, CliError> {
    if args.state.as_deref().is_some_and(|path| path == std::path::Path::new("-")) {
        return Err(CliError::Misuse("requests come by standard input: --state needs a file here".to_owned()));
    }
    let started = start(args, extras, "engine", false, format)?;
    let mut engine = Engine::resume(started.loaded, started.options, started.setup, started.game);
    serve(&mut engine, &mut BufReader::new(io::stdin()), &mut io::stdout())?;
    Ok(code(true))
}
