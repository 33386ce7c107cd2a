//! The protocol: one JSON object a line in, one out.
//!
//! In: a line. Out: a line. A request says what to `do` and may have an `id`, which comes back. An error has a code and
//! leaves everything as it was.

mod describe;
mod new;
mod request;

use std::io::{self, BufRead, Write};

use fullcourt_engine::fault::{Fault, Refusal};
use fullcourt_engine::session::{Session, Setup, StartError};
use fullcourt_playtest::look_up::{Found, look_up, texts, texts_in};
use serde_json::{Map, Value as Json, json};

use crate::lines::{LINE_BYTES, Line, read_line};
use crate::load::Loaded;
use request::Request;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// An error of the protocol.
#[derive(Clone, Debug)]
struct Wrong {
    code: &'static str,
    message: String,
    more: Map<String, Json>,
}

impl Wrong {
    fn new(code: &'static str, message: impl Into<String>) -> Wrong {
        Wrong { code, message: message.into(), more: Map::new() }
    }

    fn with(mut self, name: &str, value: Json) -> Wrong {
        self.more.insert(name.to_owned(), value);
        self
    }

    fn json(self) -> Json {
        let mut error = Map::new();
        error.insert("code".into(), self.code.into());
        error.insert("message".into(), self.message.into());
        error.extend(self.more);
        Json::Object(error)
    }
}

type Answer = Result<Map<String, Json>, Wrong>;

/// A ruleset with a game in play.
pub struct Engine {
    loaded: Loaded,
    /// What `new` starts from: the ruleset's options, and those of the command line.
    options: Vec<i32>,
    setup: Setup,
    game: Box<dyn Session>,
}

impl Engine {
    /// An engine with a game with default options and setup, seed 0.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn new(loaded: Loaded) -> Result<Engine, StartError> {
        let options = loaded.compiled.defaults.clone();
        let setup = Setup::default();
        let game = loaded.start(&options, &setup)?;
        Ok(Engine { loaded, options, setup, game })
    }

    /// An engine with a game that was started by these options and this setup, which are the defaults of `new`.
    #[must_use]
    pub fn resume(loaded: Loaded, options: Vec<i32>, setup: Setup, game: Box<dyn Session>) -> Engine {
        Engine { loaded, options, setup, game }
    }

    /// The game in play.
    #[must_use]
    pub fn game(&self) -> &dyn Session {
        &*self.game
    }

    /// The answer to a line, without the end of line.
    pub fn handle(&mut self, line: &str) -> String {
        if line.len() > LINE_BYTES {
            return Engine::too_long();
        }
        let (id, answer) = match Request::parse(line) {
            Ok(request) => (request.id(), self.answer(&request)),
            Err(wrong) => (None, Err(wrong)),
        };
        let mut object = Map::new();
        if let Some(id) = id {
            object.insert("id".into(), id);
        }
        match answer {
            Ok(fields) => object.extend(fields),
            Err(wrong) => {
                object.insert("error".into(), wrong.json());
            }
        }
        Json::Object(object).to_string()
    }

    /// The answer to a line that was not read because it is too long.
    #[must_use]
    pub fn too_long() -> String {
        json!({"error": Wrong::new("too-long", "a line may have 1 MiB").json()}).to_string()
    }

    fn answer(&mut self, request: &Request) -> Answer {
        match request.what()? {
            "hello" => request.only(&[]).map(|()| self.hello()),
            "new" => self.start(request),
            "legal" => {
                request.only(&["notation"])?;
                let texts = match request.optional("notation") {
                    Some(_) => {
                        let name = request.text("notation")?;
                        if !self.game.rules().notation_names().contains(&name) {
                            return Err(self.unknown_notation(name));
                        }
                        texts_in(&*self.game, name)
                    }
                    None => texts(&*self.game),
                };
                let texts = texts.map_err(|fault| self.fault(&fault))?;
                let texts: Vec<Json> = texts.into_iter().map(|(_, text)| text.into()).collect();
                Ok(fields([("actions", texts.into())]))
            }
            "play" => self.play(request),
            "why" => self.why(request),
            "undo" => {
                request.only(&[])?;
                match self.game.undo() {
                    true => Ok(self.ok_state()),
                    false => Err(Wrong::new("nothing-to-undo", "there is nothing to take back")),
                }
            }
            "state" => request.only(&[]).map(|()| self.ok_state()),
            "position" => {
                request.only(&[])?;
                let none = || Wrong::new("no-position", "the ruleset has no text of positions");
                Ok(fields([("position", self.game.line().ok_or_else(none)?.into())]))
            }
            "set" => {
                request.only(&["state", "position"])?;
                match (request.optional("state"), request.optional("position")) {
                    (Some(_), Some(_)) => {
                        return Err(Wrong::new("unknown-field", "`set` takes a `state` or a `position`, not both"));
                    }
                    (None, Some(_)) => {
                        let text = request.text("position")?;
                        self.game.set_line(text).map_err(|wrong| Wrong::new("bad-position", wrong))?;
                    }
                    _ => {
                        let state = request.field("state")?;
                        self.game.set_state(state).map_err(|wrong| Wrong::new("bad-state", wrong))?;
                    }
                }
                Ok(self.ok_state())
            }
            other => Err(request::unknown_request(other)),
        }
    }

    fn play(&mut self, request: &Request) -> Answer {
        request.only(&["action"])?;
        let text = request.text("action")?;
        let action = match look_up(&*self.game, text).map_err(|fault| self.fault(&fault))? {
            Found::Legal(action) => action,
            Found::Refused(refusals) => {
                let first = refusals.first();
                let cite = first.map(|r| r.cite.as_str()).filter(|cite| !cite.is_empty());
                let cite = cite.map_or(String::new(), |cite| format!(" ({cite})"));
                let why = first.map_or(String::new(), |refusal| format!(": {}{cite}", refusal.text));
                let wrong = Wrong::new("illegal", format!("`{text}` is not legal{why}"));
                return Err(wrong.with("reasons", self.reasons(&refusals)));
            }
            Found::Unknown(near) => return Err(unknown_action(text, &near)),
        };
        let events = self.game.play(action).map_err(|fault| self.fault(&fault))?;
        let mut answer = self.ok_state();
        answer.insert("events".into(), events.iter().map(describe::event).collect());
        Ok(answer)
    }

    fn why(&self, request: &Request) -> Answer {
        request.only(&["action"])?;
        let text = request.text("action")?;
        let reasons = match look_up(&*self.game, text).map_err(|fault| self.fault(&fault))? {
            Found::Legal(_) => return Ok(fields([("legal", true.into()), ("reasons", Json::Array(Vec::new()))])),
            Found::Refused(refusals) => self.reasons(&refusals),
            Found::Unknown(near) => {
                // No rule has such a notation: the phase is what refuses it.
                let rules = self.game.rules();
                let phase = self.game.phase().and_then(|phase| rules.phases.get(phase));
                let text = unknown_action(text, &near).message;
                let rule = phase.map_or("over".to_owned(), |phase| phase.name.clone());
                let cite = phase.map_or(String::new(), |phase| phase.cite.clone());
                let origin = phase.map_or_else(Default::default, |phase| phase.origin);
                self.reasons(&[Refusal { rule, cite, origin, text }])
            }
        };
        Ok(fields([("legal", false.into()), ("reasons", reasons)]))
    }

    fn unknown_notation(&self, name: &str) -> Wrong {
        let names = self.game.rules().notation_names();
        let shown: String = name.chars().take(100).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Wrong::new("unknown-notation", format!("`{shown}` is no notation of the ruleset, which has {known}"))
    }

    fn reasons(&self, refusals: &[Refusal]) -> Json {
        let reason = |refusal: &Refusal| {
            let span = self.loaded.compiled.sources.place(fullcourt_compiler::span_of(refusal.origin));
            json!({"rule": refusal.rule, "cite": refusal.cite, "span": span, "text": refusal.text})
        };
        refusals.iter().map(reason).collect()
    }

    fn ok_state(&self) -> Map<String, Json> {
        fields([("ok", true.into()), ("state", self.game.state())])
    }

    fn fault(&self, fault: &Fault) -> Wrong {
        let span = self.loaded.compiled.sources.place(fullcourt_compiler::span_of(fault.origin));
        let wrong = Wrong::new("fault", format!("{}: {}", fault.code, fault.text));
        wrong.with("rule", fault.rule.clone().into()).with("span", span.into())
    }
}

fn fields<const N: usize>(fields: [(&str, Json); N]) -> Map<String, Json> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn unknown_action(text: &str, near: &[String]) -> Wrong {
    let shown: String = text.chars().take(100).collect();
    let advice = if near.is_empty() { String::new() } else { format!("; like it are {}", near.join(", ")) };
    let near: Vec<Json> = near.iter().map(|text| text.clone().into()).collect();
    Wrong::new("unknown-action", format!("no action is written `{shown}`{advice}")).with("nearest", near.into())
}

/// Answers lines until there are no more.
///
/// # Errors
/// Reading or writing fails.
pub fn serve(engine: &mut Engine, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    loop {
        let mut answer = match read_line(input)? {
            Line::End => return Ok(()),
            Line::TooLong => Engine::too_long(),
            Line::Text(line) => match std::str::from_utf8(&line) {
                Ok(line) => engine.handle(line),
                Err(_) => json!({"error": Wrong::new("parse", "the line is no text in UTF-8").json()}).to_string(),
            },
        };
        answer.push('\n');
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
}

#[cfg(test)]
mod tests;
