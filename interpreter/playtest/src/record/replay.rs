//! Playing a record again, and the first place where the game goes another way.

use fullcourt_engine::fault::{Fault, Refusal};
use fullcourt_engine::session::Session;

use super::write::result_text;
use super::{Script, ScriptTurn, Token, replay_body};
use crate::look_up::{Found, look_up, texts};
use crate::play::outcome;

/// The first difference between a record and the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the record, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The turn, from 1; 0 for what stands in a header.
    pub turn: usize,
    /// The decision of the turn, from 1.
    pub decision: usize,
    /// What differs, in a few words.
    pub what: String,
    /// What the record says.
    pub expected: String,
    /// What the game says.
    pub found: String,
    /// Why the rules refuse the decision, if that is the difference.
    pub refusals: Vec<Refusal>,
}

/// How far a record was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How many decisions agree.
    pub decisions: usize,
    /// The first difference; `None` when there is none.
    pub difference: Option<Difference>,
}

/// Plays a record in a game that has just been started as its headers say.
#[must_use]
pub fn replay(script: &Script, game: &mut dyn Session) -> Replayed {
    let mut decisions = 0;
    let difference = play_all(script, game, &mut decisions).err().map(|difference| *difference);
    Replayed { decisions, difference }
}

type Outcome = Result<(), Box<Difference>>;

fn play_all(script: &Script, game: &mut dyn Session, decisions: &mut usize) -> Outcome {
    let header = |name: &str, what: &str, expected: String, found: String| {
        let line = script.line_of(name);
        let what = what.to_owned();
        let difference =
            Difference { line, column: 1, turn: 0, decision: 0, what, expected, found, refusals: Vec::new() };
        Err(Box::new(difference))
    };
    if let Some(name) = &script.header.notation {
        let rules = game.rules().clone();
        let Some(def) = rules.records.iter().find(|def| def.name == *name) else {
            let known: Vec<&str> = rules.records.iter().map(|def| def.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return header("Notation", "how turns are told", name.clone(), format!("the ruleset knows {known}"));
        };
        let replayed = replay_body(&script.body, def, game, true);
        *decisions = replayed.decisions;
        if let Some(difference) = replayed.difference {
            return Err(Box::new(difference));
        }
        if *decisions != script.header.decisions {
            let (expected, found) = (script.header.decisions.to_string(), decisions.to_string());
            return header("Decisions", "the number of decisions", expected, found);
        }
    }
    for (number, turn) in (1..).zip(&script.turns) {
        for (index, token) in (1..).zip(&turn.decisions) {
            let at = At { token, turn: number, decision: index };
            at.side(turn, game)?;
            at.play(game)?;
            *decisions += 1;
        }
    }
    let found = result_text(&game.result());
    if found != script.header.result {
        return header("Result", "the result", script.header.result.clone(), found);
    }
    if !script.header.score.is_empty() && script.header.score != game.score() {
        return header("Score", "the score", format!("{:?}", script.header.score), format!("{:?}", game.score()));
    }
    Ok(())
}

/// A decision of a record.
struct At<'a> {
    token: &'a Token,
    turn: usize,
    decision: usize,
}

impl At<'_> {
    fn differs<T>(
        &self,
        what: &str,
        expected: &str,
        found: String,
        refusals: Vec<Refusal>,
    ) -> Result<T, Box<Difference>> {
        Err(Box::new(Difference {
            line: self.token.line,
            column: self.token.column,
            turn: self.turn,
            decision: self.decision,
            what: what.to_owned(),
            expected: expected.to_owned(),
            found,
            refusals,
        }))
    }

    fn side(&self, turn: &ScriptTurn, game: &dyn Session) -> Outcome {
        let acting = game.to_act().and_then(|side| game.rules().sides.get(side));
        match acting {
            None => self.differs("who acts", &turn.side, "the game is over".to_owned(), Vec::new()),
            Some(side) if side.name != turn.side => self.differs("who acts", &turn.side, side.name.clone(), Vec::new()),
            Some(_) => Ok(()),
        }
    }

    fn play(&self, game: &mut dyn Session) -> Outcome {
        let text = self.token.text.as_str();
        let legal = texts(game).or_else(|fault| self.fault(&fault))?;
        let is_this =
            |legal: &str| text.strip_prefix(legal).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        let best = legal.iter().filter(|(_, legal)| is_this(legal)).max_by_key(|(_, legal)| legal.len());
        let Some((action, written)) = best else {
            return self.refused(game, text);
        };
        let expected = text.strip_prefix(written.as_str()).unwrap_or_default();
        let events = game.play(*action).or_else(|fault| self.fault(&fault))?;
        let found = outcome(&events);
        if found != expected {
            let show =
                |outcome: &str| if outcome.is_empty() { "nothing".to_owned() } else { outcome.trim().to_owned() };
            return self.differs(&format!("what comes of `{written}`"), &show(expected), show(&found), Vec::new());
        }
        Ok(())
    }

    /// Nothing legal is written like this; the outcome, if there is one, is not told apart.
    fn refused(&self, game: &dyn Session, text: &str) -> Outcome {
        let cuts = text.char_indices().rev().filter(|(_, c)| *c == ' ').map(|(at, _)| at).take(16);
        for cut in std::iter::once(text.len()).chain(cuts) {
            let part = text.get(..cut).unwrap_or_default();
            if let Found::Refused(refusals) = look_up(game, part).or_else(|fault| self.fault(&fault))? {
                return self.differs("the decision", part, "it is not legal".to_owned(), refusals);
            }
        }
        let found = match look_up(game, text).or_else(|fault| self.fault(&fault))? {
            Found::Unknown(near) if !near.is_empty() => {
                format!("no such action is legal; like it are {}", near.join(", "))
            }
            _ => "no such action is legal".to_owned(),
        };
        self.differs("the decision", text, found, Vec::new())
    }

    fn fault<T>(&self, fault: &Fault) -> Result<T, Box<Difference>> {
        self.differs("a rule could not be carried out", &self.token.text, fault.text.clone(), Vec::new())
    }
}
