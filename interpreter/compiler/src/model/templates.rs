//! Text templates: how actions and events are written and read.

use fullcourt_engine::ir::{Local, Piece, Template, Ty};

use super::scope::Check;
use crate::diagnostics::{Problem, Span};
use crate::syntax::ast::{Name, Text};

/// What a field shows of a value.
#[derive(Clone, Copy)]
enum Shape {
    Plain,
    Kind,
    File,
    Rank,
    Small,
    Apart,
}

impl Check<'_> {
    /// A template over these names.
    pub(super) fn template(&mut self, text: &Text, names: &[(String, Local, Ty)]) -> Template {
        let mut pieces = Vec::new();
        let mut rest = text.text.as_str();
        let mut at = text.span.start as usize;
        while let Some(open) = rest.find('{') {
            if open > 0 {
                pieces.push(Piece::Text(rest[..open].to_owned()));
            }
            let Some(close) = rest[open..].find('}').map(|close| open + close) else {
                let span = Span::new(text.span.file, at + open, at + rest.len());
                self.error("wrong-notation", span, "a field begins here and does not end; fields are written `{name}`");
                return Template(pieces);
            };
            let inner = &rest[open + 1..close];
            let span = Span::new(text.span.file, at + open + 1, at + close);
            pieces.extend(self.field(inner, span, names));
            at += close + 1;
            rest = &rest[close + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Template(pieces)
    }

    fn field(&mut self, inner: &str, span: Span, names: &[(String, Local, Ty)]) -> Option<Piece> {
        let words: Vec<&str> = inner.split_whitespace().collect();
        let (shape, name, rivals) = match words.as_slice() {
            ["kind", "of", name] => (Shape::Kind, *name, None),
            ["file", "of", name] => (Shape::File, *name, None),
            ["rank", "of", name] => (Shape::Rank, *name, None),
            [name, "small"] => (Shape::Small, *name, None),
            [name, "apart", "by", "legal"] => (Shape::Apart, *name, None),
            [name, "apart", "from", rivals] => (Shape::Apart, *name, Some(*rivals)),
            [name] => (Shape::Plain, *name, None),
            _ => {
                let message = format!("`{{{inner}}}` is no field");
                let help = "a field is `{x}`, `{kind of x}`, `{file of x}`, `{rank of x}`, `{x small}`, `{x apart by legal}` or `{x apart from SET}`";
                self.report(Problem::error("wrong-notation", span, message).help(help));
                return None;
            }
        };
        let (local, ty) = self.field_name(name, span, names)?;
        let rivals = match rivals {
            Some(rivals) => match self.field_name(rivals, span, names)? {
                (set, Ty::Squares) => Some(set),
                (_, ty) => {
                    let message = format!("`{rivals}` should be a set of squares, and is {}", super::types::words(ty));
                    self.error("wrong-notation", span, message);
                    return None;
                }
            },
            None => None,
        };
        match (shape, ty) {
            (Shape::Kind, Ty::Square) => Some(Piece::KindOf(local)),
            (Shape::File, Ty::Square) => Some(Piece::FileOf(local)),
            (Shape::Rank, Ty::Square) => Some(Piece::RankOf(local)),
            (Shape::Apart, Ty::Square) => Some(Piece::Apart(local, rivals)),
            (Shape::Small, Ty::Kind) => Some(Piece::Small(local)),
            (Shape::Plain, Ty::Square | Ty::Side | Ty::Kind | Ty::Number | Ty::Test) => Some(Piece::Value(local, ty)),
            (Shape::Kind, _) => {
                self.error("wrong-notation", span, format!("`{name}` is no square, so it has no kind"));
                None
            }
            (Shape::Small, _) => {
                self.error("wrong-notation", span, format!("`{name}` is no kind, so it has no letter"));
                None
            }
            (Shape::File | Shape::Rank | Shape::Apart, _) => {
                self.error("wrong-notation", span, format!("`{name}` is no square"));
                None
            }
            (Shape::Plain, Ty::Squares | Ty::Kinds) => {
                self.error("wrong-notation", span, format!("`{name}` is a set and cannot be written"));
                None
            }
        }
    }

    fn field_name(&mut self, name: &str, span: Span, names: &[(String, Local, Ty)]) -> Option<(Local, Ty)> {
        // The name alone is underlined, not the words beside it.
        let text = self.sources.slice(span);
        let at = text.rfind(name).unwrap_or(0) + span.start as usize;
        let span = Span::new(span.file, at, at + name.len());
        let found = names.iter().rev().find(|(known, ..)| known == name).map(|(_, local, ty)| (*local, *ty));
        if found.is_none() {
            let name = Name { text: name.to_owned(), span };
            self.unknown("choice or value", &name, names.iter().map(|(name, ..)| name.as_str()));
        }
        found
    }

    /// Says so when a notation does not show a choice: two actions would be written alike.
    pub(super) fn check_notation(&mut self, text: &Text, template: &Template, aims: &[(String, Local, Ty)]) {
        let fields = template.0.iter().filter(|piece| !matches!(piece, Piece::Text(_))).count();
        if fields < text.text.matches('{').count() {
            return; // A field is wrong, and was probably meant to show the choice.
        }
        let foreign = |piece: &&Piece| matches!(piece, Piece::FileOf(_) | Piece::RankOf(_) | Piece::Apart(..));
        if template.0.iter().any(|piece| foreign(&piece)) {
            let message =
                "`file of`, `rank of` and `apart` stand in a `notation`: an action is read back from its own text";
            self.error("wrong-notation", text.span, message);
        }
        for (name, local, _) in aims {
            let shown =
                template.0.iter().any(|piece| matches!(piece, Piece::Value(l, _) | Piece::Small(l) if l == local));
            if !shown {
                let message =
                    format!("the notation does not show the choice `{name}`, so actions could be written alike");
                self.report(
                    Problem::error("wrong-notation", text.span, message).help(format!("write `{{{name}}}` into it")),
                );
            }
        }
    }
}
