//! Tests of the syntax.

mod errors;
mod limits;
mod shipped;

use super::{ast::Ast, parse};
use crate::diagnostics::{FileId, Problem, Sources, render};

/// Reads a text and gives what is wrong in one line each: code, underlined text, message.
fn said(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("test.court", text);
    let (_, problems) = parse(text, file);
    problems.iter().map(|problem| line(problem, &sources)).collect()
}

fn line(problem: &Problem, sources: &Sources) -> String {
    // Rendering must be possible for any problem.
    assert!(!render::to_text(problem, sources, false).is_empty());
    format!("{} | {} | {}", problem.code, sources.slice(problem.span), problem.message)
}

/// Reads a text that is right.
fn good(text: &str) -> Ast {
    let (ast, problems) = parse(text, FileId(0));
    assert!(problems.is_empty(), "{text}\n{problems:#?}");
    ast
}
