//! Players that are programs. They see what a person sees and know no game.

mod greedy;
mod random;

use fullcourt_engine::action::Action;
use fullcourt_engine::fault::Fault;
use fullcourt_engine::rng::mix;
use fullcourt_engine::session::Session;

pub use greedy::Greedy;
pub(crate) use greedy::nothing_legal;
pub use random::Random;

use crate::nearest::advice;

/// A player.
pub trait Bot: Send {
    /// Chooses one of the legal actions, of which there is at least one.
    ///
    /// # Errors
    /// A fault of the rules.
    fn choose(&mut self, game: &dyn Session, legal: &[Action]) -> Result<Action, Fault>;
}

/// An entry of the table of all bots.
pub struct BotDef {
    /// Its name on command lines and in records.
    pub name: &'static str,
    /// How it plays.
    pub text: &'static str,
    make: fn(u64) -> Box<dyn Bot>,
}

/// All bots.
pub const BOTS: &[BotDef] = &[
    BotDef { name: "random", text: "any legal action, all equally likely", make: |seed| Box::new(Random::new(seed)) },
    BotDef {
        name: "greedy",
        text: "the best score in sight, looking a little way into its own decisions",
        make: |seed| Box::new(Greedy::new(seed)),
    },
];

/// There is no bot of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no bot; there are: {known}{advice}")]
pub struct UnknownBot {
    /// The name.
    pub name: String,
    known: String,
    advice: String,
}

/// Makes a bot for one side of a game with that seed. Bots of different sides draw different numbers.
///
/// # Errors
/// No bot has that name.
pub fn bot(name: &str, seed: u64, side: usize) -> Result<Box<dyn Bot>, UnknownBot> {
    let names = || BOTS.iter().map(|def| def.name);
    match BOTS.iter().find(|def| def.name == name) {
        Some(def) => Ok((def.make)(mix(mix(seed) ^ mix(side as u64 + 1)))),
        None => Err(UnknownBot {
            name: name.to_owned(),
            known: names().collect::<Vec<_>>().join(", "),
            advice: advice(name, names()),
        }),
    }
}
