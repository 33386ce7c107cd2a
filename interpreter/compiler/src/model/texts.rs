//! Histories, texts of positions, notations and records.

use std::ops::Range;

use fullcourt_engine::ir::{
    Expr, Field, Gaps, HistoryDef, Local, NotationDef, Plane, PositionDef, RecordDef, Slot, SlotTy, Ty, Write,
};
use fullcourt_engine::line;

use super::scope::{Binding, Body, BodyKind, Check, Sym};
use super::types::origin;
use crate::diagnostics::{Problem, Span};
use crate::syntax::ast::{self, FieldKind, Item, ItemKind, Name, NotationBlock, NotationStepKind, Text};

/// What a name of the position stands for: its sets and its numbers.
type Parts = (Vec<Plane>, Vec<Slot>);

impl<'a> Check<'a> {
    /// What is said of whole positions and of actions in other words; all else is known.
    pub(super) fn texts(&mut self) {
        let items: &'a [Item] = &self.merged.items;
        for item in items {
            match &item.kind {
                ItemKind::History { name, phase, parts, cites } => {
                    self.history(item.span, name, phase, parts, &cites.cite);
                }
                ItemKind::Position { name, phase, fields } => {
                    if self.fresh("position", name, items, item) {
                        self.position(item.span, name, phase.as_ref(), fields);
                    }
                }
                ItemKind::Notation { name, action, block } => self.notation(item.span, name, action, block),
                _ => {}
            }
        }
        for item in items {
            match &item.kind {
                ItemKind::Start { name, text } => self.start(name, text),
                ItemKind::Record { name, notation, between, block, results } => {
                    if self.fresh("record", name, items, item) {
                        self.record(item.span, (name, notation), between, block, results);
                    }
                }
                _ => {}
            }
        }
    }

    fn history(&mut self, span: Span, name: &Name, phase: &Name, parts: &[Name], cite: &str) {
        let phase = self.phase(phase);
        let (mut planes, mut slots) = (Vec::new(), Vec::new());
        for part in parts {
            if let Some((more_planes, more_slots)) = self.parts_named(part) {
                planes.extend(more_planes);
                slots.extend(more_slots);
            }
        }
        let known = matches!(self.symbols.get(&name.text), Some((Sym::History(_), place)) if *place == name.span);
        if let (true, Some(phase)) = (known, phase) {
            let (name, cite) = (name.text.clone(), cite.to_owned());
            self.rules.histories.push(HistoryDef { name, phase, planes, slots, cite, origin: origin(span) });
        }
    }

    /// The sets and numbers of a position that a name stands for.
    fn parts_named(&mut self, name: &Name) -> Option<Parts> {
        let many = |first: Plane, count: u32| (0..count).map(|more| first.plus(more)).collect::<Vec<_>>();
        let run = |first: Slot, count: usize| (0..count).map(|more| first.plus(more)).collect::<Vec<_>>();
        let (sides, kinds) = (self.rules.sides.len(), self.rules.kinds.len());
        if name.text == "men" {
            return Some((many(Plane(0), u32::try_from(sides + kinds).unwrap_or(0)), Vec::new()));
        }
        match self.symbols.get(&name.text).map(|(sym, _)| *sym) {
            Some(Sym::Mark(plane) | Sym::SetVar(plane)) => Some((vec![plane], Vec::new())),
            Some(Sym::Scalar { slot, per_side, .. }) => Some((Vec::new(), run(slot, if per_side { sides } else { 1 }))),
            Some(Sym::Clock(clock)) => Some((Vec::new(), vec![self.rules.clocks[clock.ix()].slot])),
            Some(Sym::Counter(id) | Sym::PieceSquare(id)) => {
                let def = &self.rules.counters[id.ix()];
                Some((many(def.first, def.bits), Vec::new()))
            }
            Some(Sym::Reserve(id)) => Some((Vec::new(), run(self.rules.reserves[id.ix()].first, sides * kinds))),
            Some(Sym::Owner(span)) => Some((Vec::new(), vec![self.rules.spans[span.ix()].owner])),
            Some(_) => {
                let problem =
                    Problem::error("wrong-type", name.span, format!("`{}` is no part of a position", name.text));
                let help = "parts are `men`, marks, variables, counters, clocks, counts, reserves and owners of spans";
                self.report(problem.help(help));
                None
            }
            None => {
                let known = self.part_names();
                self.unknown("part of a position", name, known.iter().map(String::as_str).chain(["men"]));
                None
            }
        }
    }

    fn part_names(&self) -> Vec<String> {
        let is_part = |sym: &Sym| {
            matches!(
                sym,
                Sym::Mark(_)
                    | Sym::SetVar(_)
                    | Sym::Scalar { .. }
                    | Sym::Clock(_)
                    | Sym::Counter(_)
                    | Sym::PieceSquare(_)
                    | Sym::Reserve(_)
                    | Sym::Owner(_)
            )
        };
        self.symbols.iter().filter(|(_, (sym, _))| is_part(sym)).map(|(name, _)| name.clone()).collect()
    }

    fn position(&mut self, span: Span, name: &Name, phase: Option<&Name>, fields: &'a [ast::Field]) {
        let given = phase.map(|phase| self.phase(phase));
        let out: Vec<Option<Field>> = fields.iter().map(|field| self.field_of_position(field)).collect();
        let says_phase = out.iter().flatten().any(|field| matches!(field, Field::Phase));
        let phase_wrong = given.is_none() != says_phase;
        if phase_wrong && out.iter().all(Option::is_some) {
            let message = if says_phase {
                format!("`{}` says its phase twice", name.text)
            } else {
                format!("`{}` does not say in which phase the game goes on", name.text)
            };
            let help = format!("write `position {} in PHASE {{ … }}`, or let a field be `phase`, not both", name.text);
            self.report(Problem::error("wrong-notation", name.span, message).help(help));
        }
        self.run_together(fields, &out);
        let shows_men = out.iter().flatten().any(|field| matches!(field, Field::Men { .. } | Field::Reserve(_)));
        if shows_men {
            self.letters_differ(name);
        }
        if let Some(fields) = out.into_iter().collect::<Option<Vec<_>>>().filter(|_| !phase_wrong) {
            let phase = given.flatten();
            self.rules.positions.push(PositionDef { name: name.text.clone(), phase, fields, origin: origin(span) });
        }
    }

    /// Says so when two fields could be read as one: something must stand between them.
    fn run_together(&mut self, fields: &[ast::Field], out: &[Option<Field>]) {
        for (pair, at) in out.windows(2).zip(fields.iter().skip(1)) {
            let [Some(first), Some(second)] = pair else { continue };
            let number = matches!(first, Field::Slot { slot, .. } if matches!(self.rules.slots[slot.ix()].ty, SlotTy::Number(_)));
            let open = number
                || matches!(
                    first,
                    Field::Plane { .. } | Field::Counter { .. } | Field::Reserve(_) | Field::Slot { .. }
                );
            let clear = match second {
                Field::Text(text) if number => !text.starts_with(|c: char| c.is_ascii_digit()) && !text.is_empty(),
                Field::Text(text) => !text.starts_with(|c: char| c.is_ascii_alphanumeric()) && !text.is_empty(),
                _ => false,
            };
            if open && !clear {
                let problem =
                    Problem::error("wrong-notation", at.span, "this could be read as a part of the field before");
                self.report(problem.help("put a text between them, such as `\" \"`"));
            }
        }
    }

    /// Large and small letters tell two sides apart, so there are two sides, and letters differ in more than that.
    fn letters_differ(&mut self, name: &Name) {
        if self.rules.sides.len() > 2 {
            let message = "large and small letters tell only two sides apart".to_owned();
            self.error("wrong-notation", name.span, message);
        }
        let kinds: Vec<(String, String)> =
            self.rules.kinds.iter().map(|kind| (kind.name.clone(), kind.letter.clone())).collect();
        for (at, (kind, letter)) in kinds.iter().enumerate() {
            let (large, small) = (letter.to_uppercase(), letter.to_lowercase());
            if large == small || letter.chars().any(|c| !c.is_alphabetic()) {
                let message = format!("`{letter}` of `{kind}` cannot be written large and small");
                self.error("wrong-notation", name.span, message);
            }
            let begins = |other: &str| other.starts_with(&small) || small.starts_with(other);
            if let Some((other, _)) = kinds[..at].iter().find(|(_, other)| begins(&other.to_lowercase())) {
                let message = format!("the letters of `{kind}` and `{other}` begin alike when written small");
                self.error("wrong-notation", name.span, message);
            }
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each kind of value that a field may show")]
    fn field_of_position(&mut self, field: &'a ast::Field) -> Option<Field> {
        let (name, words, flags, between, none) = match &field.kind {
            FieldKind::Text(text) => return Some(Field::Text(text.text.clone())),
            FieldKind::Men { down, between, empty } => {
                let empty = empty.as_ref().map(|sign| sign.text.clone());
                if empty.as_ref().is_some_and(String::is_empty)
                    || between.text == empty.clone().unwrap_or_default() && empty.is_some()
                {
                    self.error("wrong-notation", field.span, "the sign of an empty square must be one of its own");
                    return None;
                }
                let gaps = empty.map_or(Gaps::Count, Gaps::Sign);
                return Some(Field::Men { down: *down, between: between.text.clone(), gaps });
            }
            FieldKind::Value { name, words, flags, between, none } => (name, words, flags, between, none),
        };
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        let none_text = none.as_ref().map(|none| none.text.clone());
        let or_dash = || none_text.clone().unwrap_or_else(|| "-".to_owned());
        if name.text == "phase" {
            self.no_more(field, &["as", "between", "else"]);
            return Some(Field::Phase);
        }
        for (at, word) in words.iter().enumerate() {
            if word.text.is_empty() || words[..at].iter().any(|other| other.text == word.text) {
                self.error("wrong-notation", word.span, "every value needs a word of its own");
            }
        }
        match self.symbols.get(&name.text).map(|(sym, _)| *sym) {
            Some(Sym::Mark(plane) | Sym::SetVar(plane)) if !flags.is_empty() => {
                let mut out = Vec::new();
                for (word, square) in flags {
                    let place = self.rules.board.parse(&square.text);
                    if place.is_none() {
                        self.error("off-board", square.span, format!("`{}` is not on the board", square.text));
                    }
                    out.push((word.text.clone(), place?));
                }
                self.no_more(field, &["between"]);
                Some(Field::Flags { plane, flags: out, none: or_dash() })
            }
            _ if !flags.is_empty() => {
                self.error("wrong-notation", field.span, format!("`{}` is no set of squares", name.text));
                None
            }
            Some(Sym::Mark(plane) | Sym::SetVar(plane)) => {
                self.no_more(field, &["as", "between"]);
                Some(Field::Plane { plane, none: or_dash() })
            }
            Some(Sym::Scalar { slot, ty, per_side }) => {
                let count = if per_side { self.rules.sides.len() } else { 1 };
                let wanted = match (ty, self.rules.slots[slot.ix()].ty) {
                    (Ty::Test, _) => 2..3,
                    (Ty::Side, _) => self.rules.sides.len()..self.rules.sides.len() + 1,
                    (Ty::Kind, _) => self.rules.kinds.len()..self.rules.kinds.len() + 1,
                    (
                        _,
                        SlotTy::Number(_) | SlotTy::Square | SlotTy::Piece | SlotTy::Test | SlotTy::Side | SlotTy::Kind,
                    ) => 0..1,
                };
                self.count_words(name, words, &wanted)?;
                if none.is_some() && matches!(ty, Ty::Number | Ty::Test) {
                    self.error(
                        "wrong-notation",
                        field.span,
                        format!("`{}` always has a value, so `else` says nothing", name.text),
                    );
                }
                if between.is_some() && !per_side {
                    self.error(
                        "wrong-notation",
                        field.span,
                        format!("there is only one `{}`, so nothing stands between", name.text),
                    );
                }
                let between = between.as_ref().map_or(" ".to_owned(), |text| text.text.clone());
                Some(Field::Slot { slot, count, words: texts, between, none: none_text })
            }
            Some(Sym::Counter(counter) | Sym::PieceSquare(counter)) => {
                self.no_more(field, &["as", "between"]);
                Some(Field::Counter { counter, none: or_dash() })
            }
            Some(Sym::Clock(clock)) => {
                self.no_more(field, &["as", "between", "else"]);
                let slot = self.rules.clocks[clock.ix()].slot;
                Some(Field::Slot { slot, count: 1, words: Vec::new(), between: String::new(), none: None })
            }
            Some(Sym::Reserve(id)) => {
                self.no_more(field, &["as", "between", "else"]);
                Some(Field::Reserve(id))
            }
            Some(Sym::Owner(span)) => {
                let sides = self.rules.sides.len();
                self.count_words(name, words, &(sides..sides + 1))?;
                self.no_more(field, &["between"]);
                Some(Field::Owner { span, words: texts, none: or_dash() })
            }
            Some(_) => {
                let message = format!("`{}` cannot be read back from a text", name.text);
                let help = "fields are `men`, marks, variables, counters, clocks, counts, reserves, owners of spans, and `phase`";
                self.report(Problem::error("wrong-notation", name.span, message).help(help));
                None
            }
            None => {
                let known = self.part_names();
                self.unknown("part of a position", name, known.iter().map(String::as_str).chain(["men", "phase"]));
                None
            }
        }
    }

    /// Words for the values of a field: as many as it has values, or none.
    fn count_words(&mut self, name: &Name, words: &[Text], wanted: &Range<usize>) -> Option<()> {
        if words.is_empty() || wanted.contains(&words.len()) {
            return Some(());
        }
        let message = match wanted.start {
            0 => format!("`{}` is written as it is: there are no words for it", name.text),
            count => format!("`{}` has {count} values, and here are {} words", name.text, words.len()),
        };
        self.error("wrong-notation", name.span, message);
        None
    }

    /// Says so when a field has a part that means nothing there.
    fn no_more(&mut self, field: &ast::Field, parts: &[&str]) {
        let FieldKind::Value { words, flags, between, none, .. } = &field.kind else { return };
        for part in parts {
            let there = match *part {
                "as" => !words.is_empty() || !flags.is_empty(),
                "between" => between.is_some(),
                _ => none.is_some(),
            };
            if there {
                self.error("wrong-notation", field.span, format!("`{part}` says nothing in this field"));
            }
        }
    }

    /// Whether there is an item of that kind and name, right or not.
    fn is_item(&self, kind: &str, name: &Name) -> bool {
        let mut keys = self.merged.items.iter().filter_map(|item| super::load::key(&item.kind));
        keys.any(|(k, n, _)| k == kind && n == name.text)
    }

    fn start(&mut self, name: &Name, text: &Text) {
        let Some(index) = self.rules.positions.iter().position(|def| def.name == name.text) else {
            if self.is_item("position", name) {
                return; // What is wrong with it has been said.
            }
            let known: Vec<String> = self.rules.positions.iter().map(|def| def.name.clone()).collect();
            return self.unknown("position", name, known.iter().map(String::as_str));
        };
        if self.rules.start.is_some() {
            return self.error("duplicate", name.span, "a game begins in one way only");
        }
        match line::read(&self.rules, &self.rules.positions[index], &text.text) {
            Ok(_) => self.rules.start = Some((index, text.text.clone())),
            Err(wrong) => {
                let before: usize = text.text.chars().take(wrong.at - 1).map(char::len_utf8).sum();
                let start = text.span.start as usize + before;
                let at = Span::new(text.span.file, start, (text.span.end as usize).max(start));
                self.error("wrong-value", at, format!("this is no `{}`: {}", name.text, wrong.text));
            }
        }
    }

    fn notation(&mut self, span: Span, name: &'a Name, action: &Name, block: &'a NotationBlock) {
        let Some(index) = self.rules.actions.iter().position(|def| def.name == action.text) else {
            if self.is_item("action", action) {
                return;
            }
            let known: Vec<String> = self.rules.actions.iter().map(|def| def.name.clone()).collect();
            return self.unknown("action", action, known.iter().map(String::as_str));
        };
        if let Some(old) = self.rules.notations.iter().find(|def| def.name == name.text && def.action == index) {
            let problem =
                Problem::error("duplicate", name.span, format!("`{}` of `{}` is given twice", name.text, action.text));
            let old = super::types::span(old.origin);
            return self.report(problem.label(old, "the first one"));
        }
        let mut body = Body::new(BodyKind::Rule);
        for (aim, ty) in self.aim_names.get(index).cloned().unwrap_or_default() {
            let local = body.local();
            body.bind(&aim, local, ty);
        }
        let (mut steps, mut after) = (Vec::new(), None);
        self.write_steps(block, &mut body, &mut steps, Some(&mut after));
        self.rules.notations.push(NotationDef {
            name: name.text.clone(),
            action: index,
            steps,
            after: after.unwrap_or_default(),
            locals: body.locals as usize,
            origin: origin(span),
        });
    }

    fn record(
        &mut self,
        span: Span,
        (name, notation): (&Name, &Name),
        between: &Text,
        block: &'a NotationBlock,
        results: &[Text],
    ) {
        if !self.rules.notations.iter().any(|def| def.name == notation.text) && !self.is_item("notation", notation) {
            let known: Vec<String> = self.rules.notations.iter().map(|def| def.name.clone()).collect();
            self.unknown("notation", notation, known.iter().map(String::as_str));
        }
        if between.text.trim().is_empty() && !between.text.starts_with(' ') {
            self.error("wrong-notation", between.span, "something must stand between two decisions, a blank at least");
        }
        for (at, word) in results.iter().enumerate() {
            if word.text.is_empty() || results[..at].iter().any(|other| other.text == word.text) {
                self.error("wrong-notation", word.span, "every result needs a word of its own");
            }
        }
        let wanted = self.rules.sides.len() + 2;
        if !results.is_empty() && results.len() != wanted {
            let message = format!("a record has {wanted} words for results, not {}", results.len());
            let help = "one for a win of each side, one for no winner, one for a game that is not over";
            let at = results.first().map_or(name.span, |first| first.span);
            self.report(Problem::error("wrong-notation", at, message).help(help));
        }
        let mut body = Body::new(BodyKind::Rule);
        let mut head = Vec::new();
        self.write_steps(block, &mut body, &mut head, None);
        self.rules.records.push(RecordDef {
            name: name.text.clone(),
            notation: notation.text.clone(),
            between: between.text.clone(),
            head,
            results: results.iter().map(|word| word.text.clone()).collect(),
            locals: body.locals as usize,
            origin: origin(span),
        });
    }

    /// What a notation writes; `after` takes what stands in `after { … }`, where that may stand.
    fn write_steps(
        &mut self,
        block: &'a NotationBlock,
        body: &mut Body<'a>,
        out: &mut Vec<Write>,
        mut after: Option<&mut Option<Vec<Write>>>,
    ) {
        let names = body.scope.len();
        for step in &block.steps {
            body.depth += 1;
            if !self.within_limits(step.span, body.depth / 4) {
                return;
            }
            match &step.kind {
                NotationStepKind::Text(text) => self.write_text(text, body, out),
                NotationStepKind::Let { name, value } => {
                    let value = self.expr(value, body);
                    self.check_hiding(name, body);
                    let local = body.local();
                    match value {
                        Some(value) => {
                            body.bind(&name.text, local, value.ty);
                            out.push(Write::Let(local, value.id));
                        }
                        None => body.scope.push((name.text.clone(), Binding::Unknown)),
                    }
                }
                NotationStepKind::If { arms, otherwise } => {
                    let mut made = Vec::new();
                    for (test, block) in arms {
                        let test = self.want(test, body, Ty::Test);
                        let mut steps = Vec::new();
                        self.write_steps(block, body, &mut steps, None);
                        made.extend(test.map(|test| (test, steps)));
                    }
                    let mut rest = Vec::new();
                    if let Some(block) = otherwise {
                        self.write_steps(block, body, &mut rest, None);
                    }
                    out.push(Write::If(made, rest));
                }
                NotationStepKind::After(block) => match after.as_deref_mut() {
                    Some(place @ None) => {
                        let mut steps = Vec::new();
                        self.write_steps(block, body, &mut steps, None);
                        *place = Some(steps);
                    }
                    _ => self.error("wrong-place", step.span, "`after` stands once, and not within anything else"),
                },
            }
            body.depth -= 1;
        }
        body.scope.truncate(names);
    }

    /// A text with fields. A field may also be the name of a number, side, kind or square of the position.
    fn write_text(&mut self, text: &Text, body: &mut Body<'a>, out: &mut Vec<Write>) {
        let mut names: Vec<(String, Local, Ty)> = Vec::new();
        for (name, binding) in &body.scope {
            if let Binding::Local(local, ty) = binding {
                names.push((name.clone(), *local, *ty));
            }
        }
        let fields = text.text.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let words: Vec<&str> = fields.flat_map(str::split_whitespace).collect();
        for word in words {
            let value = match self.symbols.get(word).map(|(sym, _)| *sym) {
                _ if body.find(word).is_some() || names.iter().any(|(name, ..)| name == word) => continue,
                Some(Sym::Scalar { slot, ty, per_side: false }) => (Expr::Slot(slot), ty),
                Some(Sym::Clock(clock)) => (Expr::Slot(self.rules.clocks[clock.ix()].slot), Ty::Number),
                Some(Sym::Owner(span)) => (Expr::SpanOwner(span), Ty::Side),
                _ => continue,
            };
            let local = body.local();
            let id = self.expr_at(value.0, text.span);
            out.push(Write::Let(local, id));
            names.push((word.to_owned(), local, value.1));
        }
        let template = self.template(text, &names);
        out.push(Write::Text(template));
    }
}
