//! Texts by name, and what a span looks like in them.
//!
//! In: names and texts. Out: lines, columns, slices. Every function takes any span, even one that lies outside its text
//! or inside a character, and answers with the nearest place that exists.

use super::span::{FileId, Span};

/// A text and the name people know it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name, as shown in messages.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// All texts of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// No texts.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a text. More than 65,535 of them share the last number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u16::try_from(self.files.len()).unwrap_or(u16::MAX));
        self.files.push(Source { name: name.into(), text: text.into() });
        id
    }

    /// The text with this number.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(usize::from(file.0))
    }

    /// All texts with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        (0..=u16::MAX).map(FileId).zip(&self.files)
    }

    /// The number of the text with this name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.iter().find(|(_, source)| source.name == name).map(|(id, _)| id)
    }

    /// The whole text of a file; empty if there is no such file.
    pub fn text(&self, file: FileId) -> &str {
        self.get(file).map_or("", |source| &source.text)
    }

    /// Line and column of a span's start, both from 1, the column in characters.
    pub fn line_col(&self, span: Span) -> (usize, usize) {
        line_col(self.text(span.file), self.range(span).0)
    }

    /// Line and column of a span's end.
    pub fn end_line_col(&self, span: Span) -> (usize, usize) {
        line_col(self.text(span.file), self.range(span).1)
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &str {
        let (start, end) = self.range(span);
        self.text(span.file).get(start..end).unwrap_or("")
    }

    /// `yard.court:210:5`
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.line_col(span);
        let name = self.get(span.file).map_or("?", |source| &source.name);
        format!("{name}:{line}:{column}")
    }

    /// The span's bytes, moved into the text and onto the borders of characters.
    pub fn range(&self, span: Span) -> (usize, usize) {
        let text = self.text(span.file);
        let start = text.floor_char_boundary(span.start as usize);
        let end = text.ceil_char_boundary(span.end as usize);
        (start, end.max(start))
    }
}

fn line_col(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
    (line, column)
}
