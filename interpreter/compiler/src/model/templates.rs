//! Text templates: how actions and events are written and read.

use fullcourt_engine::ir::{Local, Piece, Template, Ty};

use super::scope::Check;
use crate::diagnostics::{Problem, Span};
use crate::syntax::ast::{Name, Text};

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
        let (kind_of, name) = match inner.trim().strip_prefix("kind of ") {
            Some(name) => (true, name.trim()),
            None => (false, inner.trim()),
        };
        let Some((_, local, ty)) = names.iter().find(|(known, ..)| known == name) else {
            let what = "choice or value";
            let name = Name { text: name.to_owned(), span };
            self.unknown(what, &name, names.iter().map(|(name, ..)| name.as_str()));
            return None;
        };
        match (kind_of, ty) {
            (true, Ty::Square) => Some(Piece::KindOf(*local)),
            (true, _) => {
                self.error("wrong-notation", span, format!("`{name}` is no square, so it has no kind"));
                None
            }
            (false, ty) => Some(Piece::Value(*local, *ty)),
        }
    }

    /// Says so when a notation does not show a choice: two actions would be written alike.
    pub(super) fn check_notation(&mut self, text: &Text, template: &Template, aims: &[(String, Local, Ty)]) {
        let fields = template.0.iter().filter(|piece| !matches!(piece, Piece::Text(_))).count();
        if fields < text.text.matches('{').count() {
            return; // A field is wrong, and was probably meant to show the choice.
        }
        for (name, local, _) in aims {
            let shown = template.0.iter().any(|piece| matches!(piece, Piece::Value(l, _) if l == local));
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
