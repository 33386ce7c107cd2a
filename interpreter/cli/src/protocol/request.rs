//! A request: an object with `do`, perhaps `id`, and the fields that its `do` has.

use fullcourt_playtest::nearest::advice;
use serde_json::{Map, Value as Json};

use super::Wrong;

/// All that can be asked for.
const KNOWN: &[&str] = &["hello", "new", "legal", "play", "undo", "state", "position", "set", "why"];

/// A request.
pub(super) struct Request(Map<String, Json>);

/// There is no such request.
pub(super) fn unknown_request(what: &str) -> Wrong {
    let shown: String = what.chars().take(100).collect();
    let near = advice(what, KNOWN.iter().copied());
    Wrong::new("unknown-request", format!("`{shown}` is no request; there are: {}{near}", KNOWN.join(", ")))
}

impl Request {
    /// The request of a line.
    pub(super) fn parse(line: &str) -> Result<Request, Wrong> {
        match serde_json::from_str(line) {
            Ok(Json::Object(fields)) => Ok(Request(fields)),
            Ok(other) => Err(Wrong::new("wrong-type", format!("a request is an object, not {}", kind(&other)))),
            Err(error) => Err(Wrong::new("parse", format!("the line is no JSON: {error}"))),
        }
    }

    /// The id to be echoed.
    pub(super) fn id(&self) -> Option<Json> {
        self.0.get("id").cloned()
    }

    /// What to do.
    pub(super) fn what(&self) -> Result<&str, Wrong> {
        self.text("do")
    }

    /// All fields but `do` and `id`.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &Json)> {
        let fields = self.0.iter().map(|(name, value)| (name.as_str(), value));
        fields.filter(|(name, _)| !matches!(*name, "do" | "id"))
    }

    /// A field that must be there.
    pub(super) fn field(&self, name: &str) -> Result<&Json, Wrong> {
        self.0.get(name).ok_or_else(|| Wrong::new("missing-field", format!("the field `{name}` is missing")))
    }

    /// A field that may be there.
    pub(super) fn optional(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }

    /// A field that must be there and be text.
    pub(super) fn text(&self, name: &str) -> Result<&str, Wrong> {
        let field = self.field(name)?;
        field.as_str().ok_or_else(|| wrong_type(name, "text", field))
    }

    /// That there are no other fields than these.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), Wrong> {
        let Some((name, _)) = self.fields().find(|(name, _)| !known.contains(name)) else {
            return Ok(());
        };
        let all: Vec<&str> = ["do", "id"].iter().chain(known).copied().collect();
        let shown: String = name.chars().take(100).collect();
        let near = advice(name, all.iter().copied());
        let message = format!("`{shown}` is no field of this request, which has {}{near}", all.join(", "));
        Err(Wrong::new("unknown-field", message))
    }
}

/// A field has a value of another type.
pub(super) fn wrong_type(name: &str, expected: &str, found: &Json) -> Wrong {
    Wrong::new("wrong-type", format!("`{name}` must be {expected}, not {}", kind(found)))
}

fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "true or false",
        Json::Number(_) => "a number",
        Json::String(_) => "text",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    }
}
