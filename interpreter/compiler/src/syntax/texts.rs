//! Texts of positions, notations and records.
//!
//! In: pairs of `position`, `notation` and `record`. Out: `ast::Item` kinds. One function per rule.

use super::ast::{Field, FieldKind, ItemKind, NotationBlock, NotationStep, NotationStepKind, Text};
use super::rules::Rule;
use super::tree::{Kids, Reader};
use crate::diagnostics::Span;
use pest::iterators::Pair;

impl Reader<'_> {
    /// `position NAME in PHASE { … }`
    pub(super) fn position(&mut self, kids: &mut Kids<'_>) -> ItemKind {
        let name = self.next_name(kids);
        let phase = self.maybe_name(kids);
        let fields = std::iter::from_fn(|| kids.pick(Rule::field)).map(|field| self.position_field(field)).collect();
        ItemKind::Position { name, phase, fields }
    }

    fn position_field(&mut self, pair: Pair<'_, Rule>) -> Field {
        let span = self.span(&pair);
        let kind = match Kids::of(pair).next() {
            Some(kid) if kid.as_rule() == Rule::field_men => self.field_men(kid),
            Some(kid) if kid.as_rule() == Rule::field_value => self.field_value(kid),
            Some(kid) => FieldKind::Text(self.next_text(&mut Kids::of(kid))),
            None => FieldKind::Text(Text::default()),
        };
        Field { span, kind }
    }

    fn field_men(&mut self, pair: Pair<'_, Rule>) -> FieldKind {
        let mut kids = Kids::of(pair);
        let down = self.next_name(&mut kids).text == "down";
        let between = self.next_text(&mut kids);
        FieldKind::Men { down, between, empty: self.maybe_text(&mut kids) }
    }

    fn field_value(&mut self, pair: Pair<'_, Rule>) -> FieldKind {
        let mut kids = Kids::of(pair);
        let name = self.next_name(&mut kids);
        let (mut words, mut flags) = (Vec::new(), Vec::new());
        if let Some(list) = kids.pick(Rule::field_words) {
            words = Kids::of(list).map(|word| self.text(&word)).collect();
        } else if let Some(list) = kids.pick(Rule::field_flags) {
            for flag in Kids::of(list) {
                let mut parts = Kids::of(flag);
                flags.push((self.next_text(&mut parts), self.next_name(&mut parts)));
            }
        }
        let between = kids.pick(Rule::field_between).map(|pair| self.next_text(&mut Kids::of(pair)));
        let none = kids.pick(Rule::field_else).map(|pair| self.next_text(&mut Kids::of(pair)));
        FieldKind::Value { name, words, flags, between, none }
    }

    /// The next child as `{ … }` of a notation.
    pub(super) fn notation_block(&mut self, kids: &mut Kids<'_>, whole: Span) -> NotationBlock {
        let Some(pair) = kids.pick(Rule::n_block) else {
            return NotationBlock { span: whole, steps: Vec::new() };
        };
        let span = self.span(&pair);
        NotationBlock { span, steps: Kids::of(pair).map(|step| self.notation_step(step)).collect() }
    }

    fn notation_step(&mut self, pair: Pair<'_, Rule>) -> NotationStep {
        let span = self.span(&pair);
        let kind = match Kids::of(pair).next() {
            Some(kid) if kid.as_rule() == Rule::n_if => self.notation_if(kid),
            Some(kid) if kid.as_rule() == Rule::n_let => {
                let mut parts = Kids::of(kid);
                NotationStepKind::Let { name: self.next_name(&mut parts), value: self.next_expr(&mut parts, span) }
            }
            Some(kid) if kid.as_rule() == Rule::n_after => {
                NotationStepKind::After(self.notation_block(&mut Kids::of(kid), span))
            }
            Some(kid) => NotationStepKind::Text(self.text(&kid)),
            None => NotationStepKind::Text(Text::default()),
        };
        NotationStep { span, kind }
    }

    fn notation_if(&mut self, pair: Pair<'_, Rule>) -> NotationStepKind {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let test = self.next_expr(&mut kids, span);
        let mut arms = vec![(test, self.notation_block(&mut kids, span))];
        while let Some(elif) = kids.pick(Rule::n_elif) {
            let mut inner = Kids::of(elif);
            let test = self.next_expr(&mut inner, span);
            arms.push((test, self.notation_block(&mut inner, span)));
        }
        let otherwise = kids.pick(Rule::n_else).map(|els| self.notation_block(&mut Kids::of(els), span));
        NotationStepKind::If { arms, otherwise }
    }

    /// The words for results.
    pub(super) fn results(&mut self, kids: &mut Kids<'_>) -> Vec<Text> {
        let Some(pair) = kids.pick(Rule::record_results) else { return Vec::new() };
        Kids::of(pair).map(|word| self.text(&word)).collect()
    }
}
