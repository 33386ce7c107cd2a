//! From the text of an action to the action, or to why not.

use fullcourt_engine::action::Action;
use fullcourt_engine::fault::{Fault, Refusal};
use fullcourt_engine::session::Session;

use crate::nearest::nearest;

/// What a text means in a position.
#[derive(Clone, Debug)]
pub enum Found {
    /// A legal action.
    Legal(Action),
    /// An action that the rules refuse, and why.
    Refused(Vec<Refusal>),
    /// No action is written like this; the legal ones that look most like it.
    Unknown(Vec<String>),
}

/// Looks an action up by its text.
///
/// # Errors
/// A fault of the rules.
pub fn look_up(game: &dyn Session, text: &str) -> Result<Found, Fault> {
    let refusals = match game.find(text)? {
        Ok(action) => return Ok(Found::Legal(action)),
        Err(refusals) => refusals,
    };
    // A notation need not show every aim; then only the list can tell.
    let legal = texts(game)?;
    if let Some((action, _)) = legal.iter().find(|(_, legal)| legal == text) {
        return Ok(Found::Legal(*action));
    }
    let actions: Vec<Action> = legal.iter().map(|(action, _)| *action).collect();
    if let Some(action) = in_notations(game, &actions, text)? {
        return Ok(Found::Legal(action));
    }
    if !refusals.is_empty() {
        return Ok(Found::Refused(refusals));
    }
    let near = nearest(text, legal.iter().map(|(_, text)| text.as_str()), 3);
    Ok(Found::Unknown(near.into_iter().map(str::to_owned).collect()))
}

/// All legal actions in the notation of that name, sorted by text.
///
/// # Errors
/// A fault of the rules.
pub fn texts_in(game: &dyn Session, name: &str) -> Result<Vec<(Action, String)>, Fault> {
    let legal = game.legal()?;
    let notated = game.notated(name, &legal, &legal)?;
    let mut texts: Vec<_> = legal.into_iter().zip(notated).map(|(action, text)| (action, text.whole())).collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(texts)
}

/// The action that a text means in one of the further notations; signs that stand after it may be left out.
fn in_notations(game: &dyn Session, legal: &[Action], text: &str) -> Result<Option<Action>, Fault> {
    for name in game.rules().notation_names() {
        let notated = game.notated(name, legal, legal)?;
        let mut fits = legal.iter().zip(&notated).filter(|(_, n)| n.text == text || n.whole() == text);
        if let (Some((action, _)), None) = (fits.next(), fits.next()) {
            return Ok(Some(*action));
        }
    }
    Ok(None)
}

/// All legal actions with their texts, sorted by text.
///
/// # Errors
/// A fault of the rules.
pub fn texts(game: &dyn Session) -> Result<Vec<(Action, String)>, Fault> {
    let mut texts: Vec<_> = game.legal()?.into_iter().map(|action| (action, game.text(action))).collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(texts)
}
