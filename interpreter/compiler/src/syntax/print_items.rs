//! Items as text.
//!
//! In: `ast::Item`. Out: text that reads back as the same tree.

use super::ast::{
    ActionBody, Attribute, DefineBody, Item, ItemKind, Name, OptionDomain, Param, RuleBody, Setup, SetupPart, Trigger,
    TriggerKind, Ty, When,
};
use super::print::{Printer, names};
use super::print_expr::{Tightness, comma, ends_in_keys};

impl Printer {
    /// Any item.
    pub(super) fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Language { version, .. } => self.push(&format!("language {version}")),
            ItemKind::Ruleset { title } => self.push(&format!("ruleset \"{title}\"")),
            ItemKind::Extends { path } => self.push(&format!("extends {}", path.text)),
            ItemKind::Use { path } => self.push(&format!("use {}", path.text)),
            ItemKind::Side { name, faces } => self.push(&format!("side {} faces {}", name.text, faces.text)),
            ItemKind::Board { files, ranks, beyond, cites } => {
                self.push(&format!("board {files} x {ranks}"));
                if !beyond.is_empty() {
                    self.push(&format!(" and {}", comma(beyond)));
                }
                self.cites(cites);
            }
            ItemKind::Zone { name, per_side, drawn, value, cites } => {
                self.push(&format!("zone {}{}", name.text, per(*per_side)));
                self.drawn(drawn.as_ref());
                self.words(&[" = "], value);
                self.cites(cites);
            }
            ItemKind::Option { name, domain, cites } => {
                let domain = match domain {
                    OptionDomain::Range { default, low, high, words, .. } => {
                        let words: String = words.iter().map(|word| format!(" | {}", word.text)).collect();
                        format!("{default} in {low}..{high}{words}")
                    }
                    OptionDomain::Words(words) => names(words, " | "),
                };
                self.push(&format!("option {} = {domain}", name.text));
                self.cites(cites);
            }
            ItemKind::SetOption { name, value } => self.push(&format!("set {} = {}", name.text, value.text)),
            ItemKind::Setup { name, what, cites } => {
                self.setup(name, what);
                self.cites(cites);
            }
            ItemKind::Reserve { name } => self.push(&format!("reserve {}", name.text)),
            ItemKind::Plugin { name, functions } => {
                self.push(&format!("plugin {} ", name.text));
                self.braces(|printer| {
                    for function in functions {
                        let params: Vec<&str> = function.params.iter().map(|ty| ty_text(*ty)).collect();
                        let params = params.join(", ");
                        printer.line();
                        printer.push(&format!("{}({params}): {}", function.name.text, ty_text(function.result)));
                    }
                });
            }
            ItemKind::Geometry { name, default } => {
                self.push(&format!("geometry {}", name.text));
                self.maybe(" = ", default.as_ref());
            }
            ItemKind::Trait { name } => self.push(&format!("trait {}", name.text)),
            ItemKind::Piece { name, letter, attributes, traits, cites } => {
                self.push(&format!("piece {} \"{letter}\" ", name.text));
                self.braces(|printer| {
                    for attribute in attributes {
                        printer.line();
                        printer.attribute(attribute);
                    }
                    for used in traits {
                        printer.line();
                        printer.push(&used.text);
                    }
                });
                self.cites(cites);
            }
            ItemKind::Show { name, value, guard } => {
                self.words(&["show ", &name.text, " = "], value);
                if let Some(guard) = guard {
                    self.words(&[" if "], guard);
                }
            }
            ItemKind::Invariant { name, value, cites } => {
                self.words(&["invariant ", &name.text, " = "], value);
                self.cites(cites);
            }
            ItemKind::Position { .. }
            | ItemKind::Start { .. }
            | ItemKind::Notation { .. }
            | ItemKind::Record { .. } => self.texts(item),
            ItemKind::Stat { per_piece, names, cites } => {
                let per = if *per_piece { "piece" } else { "side" };
                self.push(&format!("stat per {per} {}", comma(names)));
                self.cites(cites);
            }
            ItemKind::Recall { name } => self.push(&format!("recall {}", name.text)),
            ItemKind::Replace { item } => {
                self.push("replace ");
                self.item(item);
            }
            ItemKind::Add { item } => {
                self.push("add ");
                self.item(item);
            }
            ItemKind::Without { what, name } => {
                self.push("without");
                self.maybe(" ", what.as_ref());
                self.push(&format!(" {}", name.text));
            }
            _ => self.timed(item),
        }
    }

    /// Items of time, memory and rules.
    fn timed(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Span { name, owner, against, within } => {
                self.push(&format!("span {}", name.text));
                self.maybe(" of ", owner.as_ref());
                self.maybe(" against ", against.as_ref());
                self.maybe(" in ", Some(within));
            }
            ItemKind::Mark { name, one, within, drawn, cites } => {
                self.push(&format!("mark {}{}", name.text, if *one { " one" } else { "" }));
                self.maybe(" in ", within.as_ref());
                self.drawn(drawn.as_ref());
                self.cites(cites);
            }
            ItemKind::Counter { name, max, within, cites } => {
                self.push(&format!("counter {} up to {max} in {}", name.text, within.text));
                self.cites(cites);
            }
            ItemKind::Clock { name, start, within, runs, cites } => {
                self.push(&format!("clock {} = ", name.text));
                self.operand(start, Tightness::Lines);
                self.maybe(" in ", Some(within));
                if let Some(runs) = runs {
                    self.words(&[" while "], runs);
                }
                self.cites(cites);
            }
            ItemKind::Latch { name, within, when, cites } => {
                self.words(&["latch ", &name.text, " in ", &within.text, " when "], when);
                self.cites(cites);
            }
            ItemKind::Count { name, of, within, cites } => {
                self.push(&format!("count {} of {} in {}", name.text, of.text, within.text));
                self.cites(cites);
            }
            ItemKind::Var { name, per_side, per_piece, ty, range, init, within, drawn, cites } => {
                let per = if *per_piece { " per piece" } else { per(*per_side) };
                self.push(&format!("var {}{per}: {}", name.text, ty_text(*ty)));
                if let Some((low, high)) = range {
                    self.push(&format!(" {low}..{high}"));
                }
                if let Some(init) = init {
                    self.push(" = ");
                    self.operand(init, Tightness::Lines);
                }
                self.maybe(" in ", within.as_ref());
                self.drawn(drawn.as_ref());
                self.cites(cites);
            }
            ItemKind::Law { name, phases, test, cites } => {
                self.words(&["law ", &name.text, " in ", &comma(phases), " = "], test);
                self.cites(cites);
            }
            ItemKind::History { name, phase, parts, cites } => {
                self.push(&format!("history {} of {} = {}", name.text, phase.text, comma(parts)));
                self.cites(cites);
            }
            ItemKind::Event { name, params, notation, cites } => {
                self.push(&format!("event {}{}", name.text, params_text(params)));
                if let Some(notation) = notation {
                    self.push(&format!(" \"{}\"", notation.text));
                }
                self.cites(cites);
            }
            ItemKind::Phase { name, side, within, cites } => {
                self.push(&format!("phase {} of ", name.text));
                self.operand(side, Tightness::Lines);
                self.maybe(" in ", within.as_ref());
                self.cites(cites);
            }
            ItemKind::Define { name, params, body, cites } => {
                self.push(&format!("define {}{}", name.text, params_text(params)));
                match body {
                    DefineBody::Value(value) => self.words(&[" = "], value),
                    DefineBody::Effects(block) => {
                        self.push(" ");
                        self.block(block);
                    }
                }
                self.cites(cites);
            }
            ItemKind::DefineAction { name, params, notation, body, cites } => {
                self.push(&format!("define action {}{} \"{}\" ", name.text, params_text(params), notation.text));
                self.block(body);
                self.cites(cites);
            }
            ItemKind::DefineRule { name, params, when, cites } => {
                self.push(&format!("define rule {}{}", name.text, params_text(params)));
                self.when(when);
                self.cites(cites);
            }
            ItemKind::Action { name, otherwise, phases, body, cites } => {
                let otherwise = if *otherwise { "otherwise " } else { "" };
                self.push(&format!("{otherwise}action {} in {}", name.text, comma(phases)));
                match body {
                    ActionBody::Steps { notation, block } => {
                        self.push(&format!(" \"{}\" ", notation.text));
                        self.block(block);
                    }
                    ActionBody::Made { from, args } => self.made(from, args),
                }
                self.cites(cites);
            }
            ItemKind::Rule { name, after, before, body, cites } => {
                self.push(&format!("rule {}", name.text));
                for (word, list) in [("after", after), ("before", before)] {
                    if !list.is_empty() {
                        self.push(&format!(" {word} {}", comma(list)));
                    }
                }
                match body {
                    RuleBody::When(when) => self.when(when),
                    RuleBody::Made { from, args } => self.made(from, args),
                }
                self.cites(cites);
            }
            ItemKind::Tally { name, when, cites } => {
                self.push(&format!("tally {}", name.text));
                self.when(when);
                self.cites(cites);
            }
            _ => {}
        }
    }

    pub(super) fn maybe(&mut self, before: &str, name: Option<&Name>) {
        if let Some(name) = name {
            self.push(&format!("{before}{}", name.text));
        }
    }

    fn drawn(&mut self, drawn: Option<&String>) {
        if let Some(drawn) = drawn {
            self.push(&format!(" drawn \"{drawn}\""));
        }
    }

    fn made(&mut self, from: &Name, args: &[super::ast::Arg]) {
        self.push(&format!(" = {}", from.text));
        if !args.is_empty() {
            self.args(args);
        }
    }

    fn setup(&mut self, name: &Name, what: &Setup) {
        match what {
            Setup::Lineup { default, parts } => {
                self.push(&format!("setup {} per side = \"{}\" :", name.text, default.text));
                for part in parts {
                    match part {
                        SetupPart::Literal(text) => self.push(&format!(" \"{}\"", text.text)),
                        SetupPart::Pieces { count, reserve } => self.push(&format!(" {count} to {}", reserve.text)),
                    }
                }
            }
            Setup::Side { default } => {
                let default = default.as_ref().map_or("random", |name| &name.text);
                self.push(&format!("setup {}: side = {default}", name.text));
            }
        }
    }

    fn attribute(&mut self, attribute: &Attribute) {
        self.push(&attribute.name.text);
        attribute.others.iter().for_each(|other| self.push(&format!(", {}", other.text)));
        self.push(" = ");
        for (at, branch) in attribute.branches.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            let more = at + 1 < attribute.branches.len();
            if let Some(label) = &branch.label {
                self.push(&format!("{}: ", label.text));
            }
            self.guarded(&branch.value, more && branch.guard.is_none() && ends_in_keys(&branch.value));
            if let Some(guard) = &branch.guard {
                self.push(" if ");
                self.guarded(guard, more && ends_in_keys(guard));
            }
        }
    }

    fn when(&mut self, when: &When) {
        let triggers: Vec<String> = when.triggers.iter().map(trigger_text).collect();
        self.push(&format!(" when {}", triggers.join(", ")));
        if let Some(guard) = &when.guard {
            self.words(&[" if "], guard);
        }
        self.push(" ");
        self.block(&when.block);
    }
}

fn trigger_text(trigger: &Trigger) -> String {
    match &trigger.kind {
        TriggerKind::AtOnce => "at once".to_string(),
        TriggerKind::Event { name, binders } if binders.is_empty() => name.text.clone(),
        TriggerKind::Event { name, binders } => format!("{}({})", name.text, comma(binders)),
        TriggerKind::RunsOut { clock } => format!("{} runs out", clock.text),
        TriggerKind::Begins { span } => format!("{} begins", span.text),
        TriggerKind::Ends { span } => format!("{} ends", span.text),
        TriggerKind::Counted { count } => format!("{} counted", count.text),
        TriggerKind::Stuck { phase } => format!("{} stuck", phase.text),
        TriggerKind::Opens { phase } => format!("{} opens", phase.text),
    }
}

fn params_text(params: &[Param]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let params: Vec<String> = params
        .iter()
        .map(|param| {
            let kind = param.ty.map_or("effect", ty_text);
            let over = if param.over.is_empty() { String::new() } else { format!("({})", comma(&param.over)) };
            format!("{}: {kind}{over}", param.name.text)
        })
        .collect();
    format!("({})", params.join(", "))
}

fn per(side: bool) -> &'static str {
    if side { " per side" } else { "" }
}

fn ty_text(ty: Ty) -> &'static str {
    match ty {
        Ty::Square => "square",
        Ty::Squares => "squares",
        Ty::Side => "side",
        Ty::Kind => "kind",
        Ty::Number => "number",
        Ty::Test => "test",
    }
}
