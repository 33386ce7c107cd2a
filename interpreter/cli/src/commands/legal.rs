//! `legal`: what can be done.

use std::io::Write;
use std::process::ExitCode;

use fullcourt_playtest::look_up::{texts, texts_in};
use serde_json::json;

use super::code;
use crate::args::{Extra, GameArgs};
use crate::error::CliError;
use crate::game::{known_notation, start};
use crate::out::{self, Format};

/// Lists the legal actions, sorted by bytes.
pub(super) fn legal(
    args: &GameArgs,
    extras: &[Extra],
    notation: Option<&str>,
    format: Format,
) -> Result<ExitCode, CliError> {
    let started = start(args, extras, "legal", false, format)?;
    let legal = match notation {
        Some(name) => {
            known_notation(started.game.rules(), name)?;
            texts_in(&*started.game, name)
        }
        None => texts(&*started.game),
    };
    let legal = legal.map_err(|fault| started.fault(&fault))?;
    let legal: Vec<String> = legal.into_iter().map(|(_, text)| text).collect();
    let mut out = out::stdout();
    match format {
        Format::Json => writeln!(out, "{}", json!({"actions": legal}))?,
        Format::Text => {
            if started.game.is_over() {
                out::complain(&format!("the game is over: {}", super::report::result(&*started.game)));
            }
            for text in &legal {
                writeln!(out, "{text}")?;
            }
        }
    }
    out.flush()?;
    Ok(code(true))
}
