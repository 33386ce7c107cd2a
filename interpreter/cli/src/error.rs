//! Why a command ends early.

use std::io;
use std::process::ExitCode;

use fullcourt_compiler::Failure;
use fullcourt_compiler::diagnostics::{Problem, Sources, render};
use fullcourt_engine::fault::Fault;
use fullcourt_engine::session::StartError;
use serde_json::{Value as Json, json};

use crate::out::{self, Format};

/// Why a command ends early.
#[derive(Debug)]
pub enum CliError {
    /// It was called in a wrong way: exit code 2.
    Misuse(String),
    /// It found something: exit code 1.
    Finding(String),
    /// A ruleset has errors: exit code 1.
    Problems(Box<Failure>),
    /// Reading or writing failed: exit code 2; a reader that went away is no failure.
    Io(io::Error),
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Io(error)
    }
}

impl From<Box<Failure>> for CliError {
    fn from(failure: Box<Failure>) -> CliError {
        CliError::Problems(failure)
    }
}

impl From<StartError> for CliError {
    fn from(error: StartError) -> CliError {
        match error {
            StartError::Setup(text) => CliError::Misuse(text),
            StartError::Fault(fault) => CliError::Finding(fault.text),
        }
    }
}

impl CliError {
    /// A fault of the rules, with its place.
    pub(crate) fn fault(fault: &Fault, sources: &Sources) -> CliError {
        let place = sources.place(fullcourt_compiler::span_of(fault.origin));
        CliError::Finding(format!("{}: {} (`{}`, {place})", fault.code, fault.text, fault.rule))
    }

    /// Says it on standard error and gives the exit code.
    pub(crate) fn report(&self, format: Format) -> ExitCode {
        let (text, code) = match self {
            CliError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            CliError::Io(error) => (error.to_string(), 2),
            CliError::Misuse(text) => (text.clone(), 2),
            CliError::Finding(text) => (text.clone(), 1),
            CliError::Problems(failure) => {
                say_problems(&failure.problems, &failure.sources, format);
                return ExitCode::from(1);
            }
        };
        match format {
            Format::Text => out::complain(&format!("error: {text}")),
            Format::Json => out::complain(&json!({"error": {"message": text}}).to_string()),
        }
        ExitCode::from(code)
    }
}

/// Problems on standard error.
pub(crate) fn say_problems(problems: &[Problem], sources: &Sources, format: Format) {
    if problems.is_empty() {
        return;
    }
    match format {
        Format::Text => out::complain(&render::all_to_text(problems, sources, out::stderr_coloured())),
        Format::Json => out::complain(&json!({"problems": problems_json(problems, sources)}).to_string()),
    }
}

/// Problems as JSON.
pub(crate) fn problems_json(problems: &[Problem], sources: &Sources) -> Json {
    problems.iter().map(|problem| render::to_json(problem, sources)).collect()
}
