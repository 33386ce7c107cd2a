//! `new`: another game.

use fullcourt_engine::ir::{OptionDomain, SetupDef, SetupKind};
use fullcourt_engine::session::{Setup, StartError};
use fullcourt_playtest::nearest::advice;
use serde_json::Value as Json;

use super::request::{Request, wrong_type};
use super::{Answer, Engine, Wrong};
use crate::game::{WrongOption, set_option};

impl Engine {
    /// Starts a game. What the request does not say is as on the command line, else as the ruleset has it.
    pub(super) fn start(&mut self, request: &Request) -> Answer {
        let mut options = self.options.clone();
        let mut setup = self.setup.clone();
        for (name, value) in request.fields() {
            match name {
                "options" => self.options(value, &mut options)?,
                "seed" => {
                    setup.seed =
                        value.as_u64().ok_or_else(|| wrong_type(name, "a whole number from 0 to 2^64 - 1", value))?;
                }
                _ => match self.parameter(name) {
                    Some(def) => self.setup(def, name, value, &mut setup)?,
                    None => return Err(self.unknown_field(name)),
                },
            }
        }
        let game = self.loaded.start(&options, &setup).map_err(|error| match error {
            StartError::Setup(text) => Wrong::new("wrong-value", text),
            StartError::Fault(fault) => self.fault(&fault),
        })?;
        self.game = game;
        Ok(self.ok_state())
    }

    fn options(&self, json: &Json, options: &mut [i32]) -> Result<(), Wrong> {
        let rules = &self.loaded.compiled.rules;
        let object = json.as_object().ok_or_else(|| wrong_type("options", "an object", json))?;
        for (name, value) in object {
            let domain = rules.options.iter().find(|def| def.name == *name).map(|def| &def.domain);
            let text = match (value, domain) {
                (Json::String(text), _) => text.clone(),
                (Json::Number(number), _) => number.to_string(),
                (Json::Bool(truth), Some(OptionDomain::Words(words) | OptionDomain::RangeOr(_, words))) => {
                    let meant: &[&str] = if *truth { &["yes", "on", "true"] } else { &["no", "off", "false"] };
                    let word = meant.iter().find(|word| words.iter().any(|known| known == *word));
                    word.map_or_else(|| truth.to_string(), |word| (*word).to_owned())
                }
                (Json::Bool(truth), _) => truth.to_string(),
                (other, _) => return Err(wrong_type(name, "text, a number, or true or false", other)),
            };
            set_option(rules, options, name, &text).map_err(|wrong| match wrong {
                WrongOption::Unknown(text) => Wrong::new("unknown-option", text),
                WrongOption::Value(text) => Wrong::new("wrong-value", text),
            })?;
        }
        Ok(())
    }

    /// The setup parameter of that name, or whose plural it is.
    fn parameter(&self, name: &str) -> Option<&SetupDef> {
        let setups = &self.loaded.compiled.rules.setups;
        let plural = |def: &&SetupDef| per_side(def) && name.strip_suffix('s') == Some(def.name.as_str());
        setups.iter().find(|def| def.name == name).or_else(|| setups.iter().find(plural))
    }

    fn setup(&self, def: &SetupDef, name: &str, json: &Json, setup: &mut Setup) -> Result<(), Wrong> {
        let rules = &self.loaded.compiled.rules;
        let mut put = |side: &str, value: &Json, what: &str| {
            let value = value.as_str().ok_or_else(|| wrong_type(what, "text", value))?;
            setup.values.push((def.name.clone(), side.to_owned(), value.to_owned()));
            Ok(())
        };
        if !per_side(def) {
            return put("", json, name);
        }
        let Json::Object(object) = json else {
            if json.is_string() {
                return rules.sides.iter().try_for_each(|side| put(&side.key, json, name));
            }
            return Err(wrong_type(name, "an object with a text for each side", json));
        };
        for (side, value) in object {
            if !rules.sides.iter().any(|def| def.key == *side) {
                let sides: Vec<_> = rules.sides.iter().map(|side| side.key.as_str()).collect();
                let near = advice(side, sides.iter().copied());
                let text = format!("`{side}` in `{name}` is no side; there are: {}{near}", sides.join(", "));
                return Err(Wrong::new("wrong-value", text));
            }
            put(side, value, &format!("{name}.{side}"))?;
        }
        Ok(())
    }

    fn unknown_field(&self, name: &str) -> Wrong {
        let setups = self.loaded.compiled.rules.setups.iter();
        let setups = setups.map(|def| if per_side(def) { format!("{}s", def.name) } else { def.name.clone() });
        let known: Vec<String> =
            ["do", "id", "options", "seed"].iter().map(|s| (*s).to_owned()).chain(setups).collect();
        let shown: String = name.chars().take(100).collect();
        let near = advice(name, known.iter().map(String::as_str));
        let text = format!(
            "`{shown}` is neither a setup parameter nor a field of `new`, which has {}{near}",
            known.join(", ")
        );
        Wrong::new("unknown-setup", text)
    }
}

fn per_side(def: &SetupDef) -> bool {
    matches!(def.kind, SetupKind::Lineup { .. })
}
