//! Texts of positions, notations and records as text.
//!
//! In: `ast::Item` of those kinds. Out: text that reads back as the same tree.

use super::ast::{FieldKind, Item, ItemKind, NotationBlock, NotationStepKind, Text};
use super::print::Printer;

impl Printer {
    /// A position, a start, a notation or a record.
    pub(super) fn texts(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Position { name, phase, fields } => {
                self.push(&format!("position {}", name.text));
                self.maybe(" in ", phase.as_ref());
                self.push(" ");
                self.braces(|printer| {
                    for field in fields {
                        printer.line();
                        printer.field(&field.kind);
                    }
                });
            }
            ItemKind::Start { name, text } => self.push(&format!("start {} {}", name.text, quoted(text))),
            ItemKind::Notation { name, action, block } => {
                self.push(&format!("notation {} of {} ", name.text, action.text));
                self.notation_block(block);
            }
            ItemKind::Record { name, notation, between, block, results } => {
                self.push(&format!("record {} of {} between {} ", name.text, notation.text, quoted(between)));
                self.notation_block(block);
                if !results.is_empty() {
                    self.push(&format!(" results {}", joined(results)));
                }
            }
            _ => {}
        }
    }

    fn field(&mut self, field: &FieldKind) {
        match field {
            FieldKind::Text(text) => self.push(&quoted(text)),
            FieldKind::Men { down, between, empty } => {
                let way = if *down { "down" } else { "up" };
                let empty = empty.as_ref().map_or("count".to_owned(), quoted);
                self.push(&format!("men by ranks {way} between {} empty as {empty}", quoted(between)));
            }
            FieldKind::Value { name, words, flags, between, none } => {
                self.push(&name.text);
                if !words.is_empty() {
                    self.push(&format!(" as {}", joined(words)));
                }
                if !flags.is_empty() {
                    let flags: Vec<String> =
                        flags.iter().map(|(word, square)| format!("{} {}", quoted(word), square.text)).collect();
                    self.push(&format!(" as {}", flags.join(", ")));
                }
                for (word, text) in [("between", between), ("else", none)] {
                    if let Some(text) = text {
                        self.push(&format!(" {word} {}", quoted(text)));
                    }
                }
            }
        }
    }

    fn notation_block(&mut self, block: &NotationBlock) {
        if block.steps.is_empty() {
            return self.push("{ }");
        }
        self.braces(|printer| {
            for step in &block.steps {
                printer.line();
                printer.notation_step(&step.kind);
            }
        });
    }

    fn notation_step(&mut self, step: &NotationStepKind) {
        match step {
            NotationStepKind::Text(text) => self.push(&quoted(text)),
            NotationStepKind::Let { name, value } => self.words(&["let ", &name.text, " = "], value),
            NotationStepKind::After(block) => {
                self.push("after ");
                self.notation_block(block);
            }
            NotationStepKind::If { arms, otherwise } => {
                for (at, (test, block)) in arms.iter().enumerate() {
                    self.words(&[if at == 0 { "if " } else { " else if " }], test);
                    self.push(" ");
                    self.notation_block(block);
                }
                if let Some(block) = otherwise {
                    self.push(" else ");
                    self.notation_block(block);
                }
            }
        }
    }
}

fn quoted(text: &Text) -> String {
    format!("\"{}\"", text.text)
}

fn joined(words: &[Text]) -> String {
    words.iter().map(quoted).collect::<Vec<_>>().join(" | ")
}
