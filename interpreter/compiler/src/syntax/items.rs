//! Top-level items.
//!
//! In: pairs of `item` and its alternatives. Out: `ast::Item`. One function per rule.

use super::ast::{
    ActionBody, Attribute, Branch, DefineBody, Item, ItemKind, Name, OptionDomain, Param, PluginFn, RuleBody, Setup,
    SetupPart, Text, Trigger, TriggerKind, Ty, When,
};
use super::ast::{Arg, Block, Cites};
use super::rules::Rule;
use super::tree::{Kids, Reader};
use crate::diagnostics::Span;
use pest::iterators::Pair;

impl Reader<'_> {
    /// Any item.
    pub(super) fn item(&mut self, pair: Pair<'_, Rule>) -> Option<Item> {
        let span = self.span(&pair);
        let kid = Kids::of(pair).next()?;
        let rule = kid.as_rule();
        let kids = &mut Kids::of(kid);
        let kind = match rule {
            Rule::language => self.language(kids),
            Rule::ruleset => ItemKind::Ruleset { title: self.next_text(kids).text },
            Rule::extends => ItemKind::Extends { path: self.next_name(kids) },
            Rule::use_lib => ItemKind::Use { path: self.next_name(kids) },
            Rule::side => ItemKind::Side { name: self.next_name(kids), faces: self.next_name(kids) },
            Rule::board => self.board(kids),
            Rule::zone => ItemKind::Zone {
                name: self.next_name(kids),
                per_side: kids.has(Rule::per_side),
                drawn: self.drawn(kids),
                value: self.next_expr(kids, span),
                cites: self.cites(kids),
            },
            Rule::option => self.option(kids),
            Rule::set_option => ItemKind::SetOption { name: self.next_name(kids), value: self.next_name(kids) },
            Rule::setup => self.setup(kids),
            Rule::reserve => ItemKind::Reserve { name: self.next_name(kids) },
            Rule::plugin => ItemKind::Plugin {
                name: self.next_name(kids),
                functions: kids.map(|kid| self.plugin_fn(kid)).collect(),
            },
            Rule::geometry => ItemKind::Geometry { name: self.next_name(kids), default: self.maybe_name(kids) },
            Rule::trait_decl => ItemKind::Trait { name: self.next_name(kids) },
            Rule::piece => self.piece(kids),
            Rule::span => self.span_item(kids),
            Rule::mark => ItemKind::Mark {
                name: self.next_name(kids),
                one: kids.has(Rule::mark_one),
                within: self.maybe_in_span(kids),
                drawn: self.drawn(kids),
                cites: self.cites(kids),
            },
            Rule::counter => ItemKind::Counter {
                name: self.next_name(kids),
                max: self.next_number(kids),
                within: self.in_span(kids),
                cites: self.cites(kids),
            },
            Rule::clock => ItemKind::Clock {
                name: self.next_name(kids),
                start: self.next_expr(kids, span),
                within: self.in_span(kids),
                runs: kids.pick(Rule::expr).map(|kid| self.expr(kid)),
                cites: self.cites(kids),
            },
            Rule::latch => ItemKind::Latch {
                name: self.next_name(kids),
                within: self.in_span(kids),
                when: self.next_expr(kids, span),
                cites: self.cites(kids),
            },
            Rule::count => ItemKind::Count {
                name: self.next_name(kids),
                of: self.next_name(kids),
                within: self.in_span(kids),
                cites: self.cites(kids),
            },
            Rule::var => self.var(kids),
            Rule::event => ItemKind::Event {
                name: self.next_name(kids),
                params: self.params(kids),
                notation: self.maybe_text(kids),
                cites: self.cites(kids),
            },
            Rule::phase => ItemKind::Phase {
                name: self.next_name(kids),
                side: self.next_expr(kids, span),
                within: self.maybe_in_span(kids),
                cites: self.cites(kids),
            },
            Rule::define => self.define(kids, span),
            Rule::action => self.action(kids, span),
            Rule::rule_decl => self.rule(kids, span),
            Rule::stat => ItemKind::Stat {
                per_piece: kids.next().is_some_and(|kid| kid.as_rule() == Rule::stat_piece),
                names: self.names(kids),
                cites: self.cites(kids),
            },
            Rule::recall => ItemKind::Recall { name: self.next_name(kids) },
            Rule::tally => {
                let name = self.next_name(kids);
                let mut cites = Cites::default();
                let when = self.when(kids, span, &mut cites);
                self.more_cites(kids, &mut cites);
                ItemKind::Tally { name, when, cites }
            }
            Rule::law => {
                let name = self.next_name(kids);
                let phases = self.names(kids);
                ItemKind::Law { name, phases, test: self.next_expr(kids, span), cites: self.law_text(kids) }
            }
            Rule::history => ItemKind::History {
                name: self.next_name(kids),
                phase: self.next_name(kids),
                parts: std::iter::from_fn(|| kids.pick(Rule::history_part)).map(|part| self.name(&part)).collect(),
                cites: self.cites(kids),
            },
            Rule::position => self.position(kids),
            Rule::start => ItemKind::Start { name: self.next_name(kids), text: self.next_text(kids) },
            Rule::notation => ItemKind::Notation {
                name: self.next_name(kids),
                action: self.next_name(kids),
                block: self.notation_block(kids, span),
            },
            Rule::record => ItemKind::Record {
                name: self.next_name(kids),
                notation: self.next_name(kids),
                between: self.next_text(kids),
                block: self.notation_block(kids, span),
                results: self.results(kids),
            },
            Rule::show => ItemKind::Show {
                name: self.next_name(kids),
                value: self.next_expr(kids, span),
                guard: self.guard(kids),
            },
            Rule::invariant => ItemKind::Invariant {
                name: self.next_name(kids),
                value: self.next_expr(kids, span),
                cites: self.law_text(kids),
            },
            Rule::replace => ItemKind::Replace { item: Box::new(self.item(kids.next()?)?) },
            Rule::add => ItemKind::Add { item: Box::new(self.item(kids.next()?)?) },
            Rule::without => ItemKind::Without {
                what: kids.pick(Rule::without_what).map(|what| self.name(&what)),
                name: self.next_name(kids),
            },
            _ => return None,
        };
        Some(Item { span, kind })
    }

    fn language(&mut self, kids: &mut Kids<'_>) -> ItemKind {
        let Some(pair) = kids.next() else { return ItemKind::Language { version: 0, span: Span::default() } };
        ItemKind::Language { version: self.number(&pair), span: self.span(&pair) }
    }

    fn board(&mut self, kids: &mut Kids<'_>) -> ItemKind {
        let files = self.next_number(kids);
        let ranks = self.next_number(kids);
        let beyond = kids.pick(Rule::beyond).map(|beyond| Kids::of(beyond).map(|kid| self.name(&kid)).collect());
        ItemKind::Board { files, ranks, beyond: beyond.unwrap_or_default(), cites: self.cites(kids) }
    }

    /// Paragraphs with words, or words alone.
    pub(super) fn law_text(&mut self, kids: &mut Kids<'_>) -> Cites {
        let Some(pair) = kids.pick(Rule::law_text) else { return Cites::default() };
        let mut inner = Kids::of(pair);
        let mut cites = self.cites(&mut inner);
        if let Some(text) = self.maybe_text(&mut inner) {
            cites.text = text.text;
        }
        cites
    }

    fn drawn(&mut self, kids: &mut Kids<'_>) -> Option<String> {
        kids.pick(Rule::drawn).map(|drawn| self.next_text(&mut Kids::of(drawn)).text)
    }

    fn option(&mut self, kids: &mut Kids<'_>) -> ItemKind {
        let name = self.next_name(kids);
        let domain = match kids.next() {
            Some(range) if range.as_rule() == Rule::option_range => {
                let span = self.span(&range);
                let mut parts = Kids::of(range);
                OptionDomain::Range {
                    default: self.next_number(&mut parts),
                    low: self.next_number(&mut parts),
                    high: self.next_number(&mut parts),
                    words: parts.map(|word| self.name(&word)).collect(),
                    span,
                }
            }
            Some(words) => OptionDomain::Words(Kids::of(words).map(|word| self.name(&word)).collect()),
            None => OptionDomain::Words(Vec::new()),
        };
        ItemKind::Option { name, domain, cites: self.cites(kids) }
    }

    fn setup(&mut self, kids: &mut Kids<'_>) -> ItemKind {
        let name = self.next_name(kids);
        let what = match kids.next() {
            Some(lineup) if lineup.as_rule() == Rule::setup_lineup => self.setup_lineup(lineup),
            Some(side) => Setup::Side { default: self.maybe_name(&mut Kids::of(side)) },
            None => Setup::Side { default: None },
        };
        ItemKind::Setup { name, what, cites: self.cites(kids) }
    }

    fn setup_lineup(&mut self, pair: Pair<'_, Rule>) -> Setup {
        let mut kids = Kids::of(pair);
        kids.has(Rule::per_side);
        let default = self.next_text(&mut kids);
        let parts = kids.map(|part| self.setup_part(part)).collect();
        Setup::Lineup { default, parts }
    }

    fn setup_part(&mut self, pair: Pair<'_, Rule>) -> SetupPart {
        let mut kids = Kids::of(pair);
        match self.maybe_text(&mut kids) {
            Some(text) => SetupPart::Literal(text),
            None => SetupPart::Pieces { count: self.next_number(&mut kids), reserve: self.next_name(&mut kids) },
        }
    }

    fn plugin_fn(&mut self, pair: Pair<'_, Rule>) -> PluginFn {
        let mut kids = Kids::of(pair);
        let name = self.next_name(&mut kids);
        let mut params: Vec<Ty> = kids.map(|kid| ty(&kid)).collect();
        let result = params.pop().unwrap_or(Ty::Squares);
        PluginFn { name, params, result }
    }

    fn piece(&mut self, kids: &mut Kids<'_>) -> ItemKind {
        let name = self.next_name(kids);
        let letter = self.next_text(kids).text;
        let mut cites = self.cites(kids);
        let (mut attributes, mut traits) = (Vec::new(), Vec::new());
        loop {
            if let Some(attribute) = kids.pick(Rule::attribute) {
                attributes.push(self.attribute(attribute));
            } else if let Some(used) = kids.pick(Rule::trait_use) {
                traits.push(self.next_name(&mut Kids::of(used)));
            } else {
                break;
            }
        }
        self.more_cites(kids, &mut cites);
        ItemKind::Piece { name, letter, attributes, traits, cites }
    }

    fn attribute(&mut self, pair: Pair<'_, Rule>) -> Attribute {
        let mut kids = Kids::of(pair);
        let name = self.next_name(&mut kids);
        let others = self.names(&mut kids);
        Attribute { name, others, branches: kids.map(|branch| self.branch(branch)).collect() }
    }

    fn branch(&mut self, pair: Pair<'_, Rule>) -> Branch {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let label = kids.pick(Rule::branch_label).map(|label| self.next_name(&mut Kids::of(label)));
        let value = self.next_expr(&mut kids, span);
        let guard = kids.next().map(|kid| self.expr(kid));
        Branch { label, value, guard }
    }

    fn span_item(&mut self, kids: &mut Kids<'_>) -> ItemKind {
        let name = self.next_name(kids);
        let (mut owner, mut against) = (None, None);
        if let Some(pair) = kids.pick(Rule::span_owner) {
            let mut names = Kids::of(pair);
            owner = self.maybe_name(&mut names);
            against = self.maybe_name(&mut names);
        }
        ItemKind::Span { name, owner, against, within: self.in_span(kids) }
    }

    fn maybe_in_span(&mut self, kids: &mut Kids<'_>) -> Option<Name> {
        kids.pick(Rule::in_span).map(|pair| self.next_name(&mut Kids::of(pair)))
    }

    fn in_span(&mut self, kids: &mut Kids<'_>) -> Name {
        self.maybe_in_span(kids).unwrap_or_default()
    }

    fn var(&mut self, kids: &mut Kids<'_>) -> ItemKind {
        let name = self.next_name(kids);
        let per_side = kids.has(Rule::per_side);
        let per_piece = kids.has(Rule::per_piece);
        let mut parts = kids.next().map(Kids::of);
        let (mut kind, mut range) = (Ty::Number, None);
        if let Some(parts) = &mut parts {
            kind = parts.next().map_or(Ty::Number, |kid| ty(&kid));
            if let Some(low) = parts.next() {
                range = Some((self.number(&low), self.next_number(parts)));
            }
        }
        ItemKind::Var {
            name,
            per_side,
            per_piece,
            ty: kind,
            range,
            init: kids.pick(Rule::sum).map(|kid| self.expr(kid)),
            within: self.maybe_in_span(kids),
            drawn: self.drawn(kids),
            cites: self.cites(kids),
        }
    }

    fn params(&mut self, kids: &mut Kids<'_>) -> Vec<Param> {
        let Some(pair) = kids.pick(Rule::params) else { return Vec::new() };
        Kids::of(pair).map(|param| self.param(param)).collect()
    }

    fn param(&mut self, pair: Pair<'_, Rule>) -> Param {
        let mut kids = Kids::of(pair);
        let name = self.next_name(&mut kids);
        let mut kind = None;
        let mut over = Vec::new();
        if let Some(pair) = kids.next() {
            let mut parts = Kids::of(pair);
            kind = parts.next().filter(|kid| kid.as_rule() == Rule::ty).map(|kid| ty(&kid));
            over = self.names(&mut parts);
        }
        Param { name, ty: kind, over }
    }

    fn define(&mut self, kids: &mut Kids<'_>, span: Span) -> ItemKind {
        let Some(pair) = kids.next() else {
            let body = DefineBody::Effects(Block { span, statements: Vec::new() });
            return ItemKind::Define { name: Name::default(), params: Vec::new(), body, cites: Cites::default() };
        };
        let rule = pair.as_rule();
        let inner = &mut Kids::of(pair);
        let mut cites = Cites::default();
        let name = self.next_name(inner);
        let params = self.params(inner);
        let mut kind = match rule {
            Rule::define_action => {
                let notation = self.next_text(inner);
                let body = self.next_body(inner, span, &mut cites);
                ItemKind::DefineAction { name, params, notation, body, cites: Cites::default() }
            }
            Rule::define_rule => {
                let when = self.when(inner, span, &mut cites);
                ItemKind::DefineRule { name, params, when, cites: Cites::default() }
            }
            _ => {
                let body = match inner.pick(Rule::expr) {
                    Some(kid) => DefineBody::Value(self.expr(kid)),
                    None => DefineBody::Effects(self.next_body(inner, span, &mut cites)),
                };
                ItemKind::Define { name, params, body, cites: Cites::default() }
            }
        };
        self.more_cites(kids, &mut cites);
        if let ItemKind::Define { cites: place, .. }
        | ItemKind::DefineAction { cites: place, .. }
        | ItemKind::DefineRule { cites: place, .. } = &mut kind
        {
            *place = cites;
        }
        kind
    }

    fn next_body(&mut self, kids: &mut Kids<'_>, whole: Span, cites: &mut Cites) -> Block {
        match kids.next() {
            Some(kid) => self.body(kid, cites),
            None => Block { span: whole, statements: Vec::new() },
        }
    }

    fn made_from(&mut self, pair: Pair<'_, Rule>) -> (Name, Vec<Arg>) {
        let mut kids = Kids::of(pair);
        let from = self.next_name(&mut kids);
        let args = kids.pick(Rule::args).map(|args| self.args(args));
        (from, args.unwrap_or_default())
    }

    fn action(&mut self, kids: &mut Kids<'_>, span: Span) -> ItemKind {
        let otherwise = kids.has(Rule::otherwise);
        let name = self.next_name(kids);
        let phases = self.names(kids);
        // Not `cites`: the text behind them is the notation.
        let mut cites = Cites::default();
        while let Some(cite) = kids.pick(Rule::cite) {
            if !cites.cite.is_empty() {
                cites.cite.push(' ');
            }
            cites.cite.push_str(cite.as_str());
        }
        let body = match kids.pick(Rule::made_from) {
            Some(pair) => {
                let (from, args) = self.made_from(pair);
                ActionBody::Made { from, args }
            }
            None => {
                let notation: Text = self.next_text(kids);
                ActionBody::Steps { notation, block: self.next_body(kids, span, &mut cites) }
            }
        };
        self.more_cites(kids, &mut cites);
        ItemKind::Action { name, otherwise, phases, body, cites }
    }

    fn rule(&mut self, kids: &mut Kids<'_>, span: Span) -> ItemKind {
        let name = self.next_name(kids);
        let mut cites = self.cites(kids);
        let (mut after, mut before) = (Vec::new(), Vec::new());
        while let Some(pair) = kids.pick(Rule::ordering) {
            let mut inner = Kids::of(pair);
            let later = inner.next().is_some_and(|kid| kid.as_rule() == Rule::after);
            let names = self.names(&mut inner);
            if later { after.extend(names) } else { before.extend(names) }
        }
        let body = match kids.pick(Rule::made_from) {
            Some(pair) => {
                let (from, args) = self.made_from(pair);
                RuleBody::Made { from, args }
            }
            None => RuleBody::When(self.when(kids, span, &mut cites)),
        };
        self.more_cites(kids, &mut cites);
        ItemKind::Rule { name, after, before, body, cites }
    }

    /// Triggers, a guard and a body: the next two or three children.
    fn when(&mut self, kids: &mut Kids<'_>, whole: Span, cites: &mut Cites) -> When {
        let triggers = kids.pick(Rule::triggers).map(Kids::of);
        let triggers = triggers.into_iter().flatten().map(|trigger| self.trigger(trigger)).collect();
        let guard = self.guard(kids);
        When { triggers, guard, block: self.next_body(kids, whole, cites) }
    }

    fn guard(&mut self, kids: &mut Kids<'_>) -> Option<super::ast::Expr> {
        let pair = kids.pick(Rule::guard)?;
        Kids::of(pair).next().map(|kid| self.expr(kid))
    }

    fn trigger(&mut self, pair: Pair<'_, Rule>) -> Trigger {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        if kids.has(Rule::at_once) {
            return Trigger { span, kind: TriggerKind::AtOnce };
        }
        let name = self.next_name(&mut kids);
        let next = kids.next();
        let kind = match next.as_ref().map(|kid| kid.as_rule()) {
            Some(Rule::runs_out) => TriggerKind::RunsOut { clock: name },
            Some(Rule::begins) => TriggerKind::Begins { span: name },
            Some(Rule::ends) => TriggerKind::Ends { span: name },
            Some(Rule::counted) => TriggerKind::Counted { count: name },
            Some(Rule::stuck) => TriggerKind::Stuck { phase: name },
            Some(Rule::opens) => TriggerKind::Opens { phase: name },
            _ => {
                let binders = next.map(|kid| self.names(&mut Kids::of(kid)));
                TriggerKind::Event { name, binders: binders.unwrap_or_default() }
            }
        };
        Trigger { span, kind }
    }
}

fn ty(pair: &Pair<'_, Rule>) -> Ty {
    match pair.as_str() {
        "square" => Ty::Square,
        "squares" => Ty::Squares,
        "side" => Ty::Side,
        "kind" => Ty::Kind,
        "number" => Ty::Number,
        _ => Ty::Test,
    }
}
