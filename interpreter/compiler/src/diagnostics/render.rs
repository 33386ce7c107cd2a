//! Problems as text for people and as JSON for programs.
//!
//! In: a problem and the sources its spans point into. Out: a `String` or a `serde_json::Value`.

use super::problem::{Level, Problem};
use super::source::Sources;
use super::span::{FileId, Span};
use annotate_snippets::{AnnotationKind, Group, Patch, Renderer, Snippet};
use serde_json::{Value, json};
use std::ops::Range;

/// One problem as text; `coloured` for a terminal.
pub fn to_text(problem: &Problem, sources: &Sources, coloured: bool) -> String {
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&report(problem, sources))
}

/// Many problems as text, a blank line between them.
pub fn all_to_text(problems: &[Problem], sources: &Sources, coloured: bool) -> String {
    let texts: Vec<String> = problems.iter().map(|problem| to_text(problem, sources, coloured)).collect();
    texts.join("\n\n")
}

fn report<'a>(problem: &'a Problem, sources: &'a Sources) -> Vec<Group<'a>> {
    let level = match problem.level {
        Level::Error => annotate_snippets::Level::ERROR,
        Level::Warning => annotate_snippets::Level::WARNING,
    };
    let mut group = level.primary_title(&problem.message).id(problem.code).element(
        snippet(sources, problem.span.file)
            .annotation(AnnotationKind::Primary.span(range(sources, problem.span)))
            .annotations(
                problem
                    .labels
                    .iter()
                    .filter(|label| label.span.file == problem.span.file)
                    .map(|label| AnnotationKind::Context.span(range(sources, label.span)).label(&label.text)),
            ),
    );
    for label in problem.labels.iter().filter(|label| label.span.file != problem.span.file) {
        group = group.element(
            snippet(sources, label.span.file)
                .annotation(AnnotationKind::Context.span(range(sources, label.span)).label(&label.text)),
        );
    }
    let mut groups = Vec::new();
    match (&problem.help, &problem.fix) {
        (Some(help), None) => {
            group = group.element(annotate_snippets::Level::HELP.message(help));
        }
        (help, Some(fix)) => {
            let title = help.as_deref().unwrap_or("write this instead");
            let patch = Patch::new(range(sources, fix.span), &fix.replacement);
            groups.push(
                annotate_snippets::Level::HELP.secondary_title(title).element(
                    Snippet::source(sources.text(fix.span.file)).path(name(sources, fix.span.file)).patch(patch),
                ),
            );
        }
        (None, None) => {}
    }
    groups.insert(0, group);
    groups
}

fn snippet<T: Clone>(sources: &Sources, file: FileId) -> Snippet<'_, T> {
    Snippet::source(sources.text(file)).path(name(sources, file))
}

fn name(sources: &Sources, file: FileId) -> &str {
    sources.get(file).map_or("?", |source| &source.name)
}

fn range(sources: &Sources, span: Span) -> Range<usize> {
    let (start, end) = sources.range(span);
    start..end
}

/// One problem as JSON: code, level, message, place, the text underlined, labels, help, fix.
pub fn to_json(problem: &Problem, sources: &Sources) -> Value {
    let mut value = json!({
        "code": problem.code,
        "level": problem.level,
        "message": problem.message,
    });
    let Some(object) = value.as_object_mut() else {
        return value;
    };
    object.extend(place(problem.span, sources));
    let labels: Vec<Value> =
        problem.labels.iter().map(|label| with_place(label.span, sources, "message", &label.text)).collect();
    object.insert("labels".into(), Value::Array(labels));
    object.insert("help".into(), json!(problem.help));
    let fix = problem.fix.as_ref().map(|fix| with_place(fix.span, sources, "replacement", &fix.replacement));
    object.insert("fix".into(), fix.unwrap_or(Value::Null));
    value
}

fn with_place(span: Span, sources: &Sources, key: &str, text: &str) -> Value {
    let mut object = place(span, sources);
    object.insert(key.into(), json!(text));
    Value::Object(object)
}

fn place(span: Span, sources: &Sources) -> serde_json::Map<String, Value> {
    let (line, column) = sources.line_col(span);
    let (end_line, end_column) = sources.end_line_col(span);
    let mut object = serde_json::Map::new();
    object.insert("file".into(), json!(name(sources, span.file)));
    object.insert("line".into(), json!(line));
    object.insert("column".into(), json!(column));
    object.insert("end_line".into(), json!(end_line));
    object.insert("end_column".into(), json!(end_column));
    object.insert("text".into(), json!(sources.slice(span)));
    object
}
