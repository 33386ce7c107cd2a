//! What the engine says of itself, and of what happened.

use fullcourt_engine::text::{EventText, EventValue};
use serde_json::{Map, Value as Json, json};

use super::{Engine, PROTOCOL, fields};
use crate::commands::options::{options_json, setups_json};

impl Engine {
    /// Versions, hashes, sides, options, setup parameters.
    pub(super) fn hello(&self) -> Map<String, Json> {
        let compiled = &self.loaded.compiled;
        let rules = &compiled.rules;
        let plugins: Vec<Json> =
            compiled.modules.iter().map(|module| json!({"name": module.name, "hash": module.hash})).collect();
        fields([
            ("ok", true.into()),
            ("protocol", PROTOCOL.into()),
            ("engine", env!("CARGO_PKG_VERSION").into()),
            ("ruleset", self.loaded.name.clone().into()),
            ("title", rules.title.clone().into()),
            ("hash", compiled.hash.clone().into()),
            ("plugins", plugins.into()),
            ("sides", rules.sides.iter().map(|side| side.key.clone()).collect()),
            ("options", options_json(rules, self.game.options())),
            ("setup", setups_json(rules)),
            ("notations", rules.notation_names().into()),
        ])
    }
}

/// An event: its name, its values, and what a record says of it.
pub(super) fn event(event: &EventText) -> Json {
    let value = |value: &EventValue| match value {
        EventValue::Number(number) => Json::from(*number),
        EventValue::Test(test) => Json::from(*test),
        EventValue::Name(name) => Json::from(name.clone()),
        EventValue::None => Json::Null,
    };
    let values: Map<String, Json> = event.values.iter().map(|(name, v)| (name.clone(), value(v))).collect();
    json!({"event": event.event, "values": values, "notation": event.notation})
}
