//! `graph`: how the rules hang together.

use std::io::Write;
use std::process::ExitCode;

use fullcourt_compiler::diagnostics::nearest;
use fullcourt_compiler::lower::{Shape, Shapes};

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

/// All shapes but those of these names.
fn shapes(without: &[String]) -> Result<Shapes, CliError> {
    without.iter().try_fold(Shapes::default(), |shapes, name| {
        let Some(shape) = Shape::by_name(name) else {
            let known = || Shape::ALL.iter().map(|shape| shape.name());
            let near = nearest(name, known()).map(|near| format!("; did you mean `{near}`?"));
            let list: Vec<String> =
                Shape::ALL.iter().map(|shape| format!("  {:<18}  {}", shape.name(), shape.what())).collect();
            let near = near.unwrap_or_default();
            return Err(CliError::Misuse(format!("there is no shape `{name}`{near}\nShapes are\n{}", list.join("\n"))));
        };
        Ok(shapes.without(shape))
    })
}

/// Prints the program that the rules are lowered to without some shapes, with the ruleset's own options.
pub(super) fn listing(ruleset: &str, without: &[String]) -> Result<ExitCode, CliError> {
    let shapes = shapes(without)?;
    let loaded = Loaded::find(ruleset)?;
    say_problems(&loaded.compiled.warnings, &loaded.compiled.sources, Format::Text);
    let Some(program) = loaded.program_with(&loaded.compiled.defaults, shapes) else {
        let text = format!("`{ruleset}` is too large to be lowered; the walker plays it");
        return Err(CliError::Finding(text));
    };
    let mut out = out::stdout();
    out.write_all(program.listing(&loaded.compiled.rules).as_bytes())?;
    out.flush()?;
    Ok(code(true))
}
