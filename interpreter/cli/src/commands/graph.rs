//! `graph`: how the rules hang together.

use std::io::Write;
use std::process::ExitCode;

use super::code;
use crate::error::{CliError, say_problems};
use crate::load::Loaded;
use crate::out::{self, Format};

/// Prints the rule graph.
pub(super) fn graph(ruleset: &str, format: Format) -> Result<ExitCode, CliError> {
    let loaded = Loaded::find(ruleset)?;
    say_problems(&loaded.compiled.warnings, &loaded.compiled.sources, format);
    let graph = &loaded.compiled.graph;
    let mut out = out::stdout();
    match format {
        Format::Text => out.write_all(graph.to_dot().as_bytes())?,
        Format::Json => writeln!(out, "{}", graph.to_json())?,
    }
    out.flush()?;
    Ok(code(true))
}

/// Prints the program that the rules are lowered to, with the ruleset's own options.
pub(super) fn listing(ruleset: &str) -> Result<ExitCode, CliError> {
    let loaded = Loaded::find(ruleset)?;
    say_problems(&loaded.compiled.warnings, &loaded.compiled.sources, Format::Text);
    let Some(program) = loaded.program(&loaded.compiled.defaults) else {
        let text = format!("`{ruleset}` is too large to be lowered; the walker plays it");
        return Err(CliError::Finding(text));
    };
    let mut out = out::stdout();
    out.write_all(program.listing(&loaded.compiled.rules).as_bytes())?;
    out.flush()?;
    Ok(code(true))
}
