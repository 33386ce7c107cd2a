//! Options: their values, and those that a ruleset sets.

use fullcourt_engine::ir::{OptId, OptionDef, OptionDomain, Range};

use super::scope::Check;
use crate::diagnostics::{Problem, nearest};
use crate::syntax::ast::{self, Item, ItemKind, Name};

impl Check<'_> {
    pub(super) fn option(&mut self, name: &Name, domain: &ast::OptionDomain, cites: &ast::Cites) {
        let (domain, default) = match domain {
            ast::OptionDomain::Range { default, low, high, words, span } => {
                let small = |n: i64| i32::try_from(n).unwrap_or(i32::MAX);
                self.words_differ(words);
                if low > high || !(low..=high).contains(&default) {
                    self.error("wrong-value", *span, format!("the default {default} does not lie in {low}..{high}"));
                }
                let range = Range { low: small(*low), high: small(*high) };
                if words.is_empty() {
                    (OptionDomain::Range(range), small(*default))
                } else {
                    if range.high > i32::MAX - 1_000_000 {
                        self.error("wrong-value", *span, "beside a word numbers go up to 2,146,483,647");
                    }
                    let words = words.iter().map(|word| word.text.clone()).collect();
                    (OptionDomain::RangeOr(range, words), small(*default))
                }
            }
            ast::OptionDomain::Words(words) => {
                self.words_differ(words);
                (OptionDomain::Words(words.iter().map(|word| word.text.clone()).collect()), 0)
            }
        };
        if let Some(&(_, old)) = self.options.get(&name.text) {
            return self.duplicate("option", name, old);
        }
        let id = OptId(u32::try_from(self.options.len()).unwrap_or(0));
        self.options.insert(name.text.clone(), (id, name.span));
        let (cite, text) = (cites.cite.clone(), cites.text.clone());
        self.rules.options.push(OptionDef { name: name.text.clone(), domain, default, cite, text });
        self.defaults.push(default);
    }

    fn words_differ(&mut self, words: &[Name]) {
        for (index, word) in words.iter().enumerate() {
            if words[..index].iter().any(|other| other.text == word.text) {
                self.error("duplicate", word.span, format!("the value `{}` is given twice", word.text));
            }
        }
    }

    /// `set option = value` of extending rulesets.
    pub(super) fn sets(&mut self) {
        for (index, (name, value)) in self.merged.sets.iter().enumerate() {
            let twin = |(other, _): &&(Name, Name)| other.text == name.text && other.span.file == name.span.file;
            if let Some((first, _)) = self.merged.sets[..index].iter().find(twin) {
                let message = format!("the option `{}` is set twice", name.text);
                let problem = Problem::error("duplicate", name.span, message);
                self.report(problem.label(first.span, "the first time"));
                continue;
            }
            let Some(&(id, _)) = self.options.get(&name.text) else {
                let is_setup =
                    |item: &Item| matches!(&item.kind, ItemKind::Setup { name: setup, .. } if setup.text == name.text);
                if self.merged.items.iter().any(is_setup) {
                    let message = format!("`{}` is no option but a setup parameter", name.text);
                    let help = format!("give it when a game starts, or write `replace setup {} …`", name.text);
                    self.report(Problem::error("unknown-name", name.span, message).help(help));
                    continue;
                }
                let known: Vec<String> = self.options.keys().cloned().collect();
                self.unknown("option", name, known.iter().map(String::as_str));
                continue;
            };
            match self.rules.options[id.ix()].parse(&value.text) {
                Ok(number) => {
                    self.defaults[id.ix()] = number;
                    self.rules.options[id.ix()].default = number;
                }
                Err(expected) => {
                    let message = format!("the option `{}` is {expected}, not `{}`", name.text, value.text);
                    let near = match &self.rules.options[id.ix()].domain {
                        OptionDomain::Words(words) | OptionDomain::RangeOr(_, words) => {
                            nearest(&value.text, words.iter().map(String::as_str))
                        }
                        OptionDomain::Range(_) => None,
                    };
                    let near = near.map(|near| format!("did you mean `{near}`?"));
                    self.report(Problem::error("wrong-value", value.span, message).help_maybe(near));
                }
            }
        }
    }
}
