//! Random games.

use fullcourt_engine::action::Action;
use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::{Session, Setup};

use crate::Loaded;

/// Plays random legal actions until the game is over or `limit` of them are played. Before each, `each` sees the game,
/// all its legal actions and the one that is played. The answer is how many were played.
///
/// # Panics
/// When the rules fault, or nothing is legal before the game is over.
#[allow(clippy::expect_used)]
pub fn play_random(
    play: &mut dyn Session,
    seed: u64,
    limit: usize,
    mut each: impl FnMut(&mut dyn Session, &[Action], Action),
) -> usize {
    let mut rng = Rng::new(seed);
    for played in 0..limit {
        if play.is_over() {
            return played;
        }
        let legal = play.legal().expect("the rules do not fault");
        assert!(!legal.is_empty(), "nothing is legal in {}", play.state());
        let action = legal[rng.below(legal.len())];
        each(play, &legal, action);
        play.play(action).expect("a legal action can be played");
    }
    limit
}

/// The texts of all legal actions, sorted.
///
/// # Panics
/// When the rules fault.
#[must_use]
#[allow(clippy::expect_used)]
pub fn texts(play: &dyn Session) -> Vec<String> {
    let mut texts: Vec<String> =
        play.legal().expect("the rules do not fault").into_iter().map(|action| play.text(action)).collect();
    texts.sort();
    texts
}

/// Plays the action of that text; the answer is what a record would append.
///
/// # Panics
/// When it is not legal.
#[allow(clippy::panic, clippy::expect_used)]
pub fn say(play: &mut dyn Session, text: &str) -> String {
    let found = play.find(text).expect("the rules do not fault");
    let action = found.unwrap_or_else(|why| panic!("`{text}` is refused: {why:?}; legal: {:?}", texts(play)));
    // Every game that a test plays compares the program with the walker; the program may give up, where plugins fail.
    if let Err(why) = play.compare(Some(action))
        && play.is_fast()
        && !why.contains("gave up")
    {
        panic!("`{text}`: {why}");
    }
    let events = play.play(action).expect("a legal action can be played");
    events.iter().map(|event| event.notation.as_str()).collect()
}

/// A setup with line-ups of two sides and who begins.
#[must_use]
pub fn setup(white: &str, black: &str, tip: &str, seed: u64) -> Setup {
    let value = |name: &str, side: &str, value: &str| (name.to_owned(), side.to_owned(), value.to_owned());
    Setup {
        values: vec![value("lineup", "white", white), value("lineup", "black", black), value("tip", "", tip)],
        seed,
    }
}

impl Loaded {
    /// A random game of these options with some line-ups, from a seed.
    #[must_use]
    pub fn random(&self, options: &[(&str, &str)], seed: u64) -> Box<dyn Session> {
        self.game(options, &random_setup(&mut Rng::new(seed)))
    }

    /// Random values for some of the options: each is changed in one game of three.
    #[must_use]
    pub fn random_options(&self, rng: &mut Rng) -> Vec<(String, String)> {
        use fullcourt_engine::ir::OptionDomain;
        let mut out = Vec::new();
        for option in &self.compiled.rules.options {
            if rng.below(3) > 0 {
                continue;
            }
            let value = match &option.domain {
                // Games with a high cap last long: most ranges are tried near their lower end.
                OptionDomain::Range(range) => {
                    let width = usize::try_from((range.high - range.low).min(8)).unwrap_or(0);
                    (range.low + i32::try_from(rng.below(width + 1)).unwrap_or(0)).to_string()
                }
                OptionDomain::RangeOr(range, words) => match rng.below(3) {
                    0 => words[rng.below(words.len())].clone(),
                    _ => (range.low + i32::try_from(rng.below(9)).unwrap_or(0)).min(range.high).to_string(),
                },
                OptionDomain::Words(words) => words[rng.below(words.len())].clone(),
            };
            out.push((option.name.clone(), value));
        }
        out
    }
}

/// Line-ups of five and a sixth man for both sides, and who begins.
#[must_use]
pub fn random_setup(rng: &mut Rng) -> Setup {
    let mut lineup = || -> String {
        let kinds: Vec<char> = "KQRBNP".chars().collect();
        let mut text: String = (0..5).map(|_| kinds[rng.below(6)]).collect();
        text.push('+');
        text.push(kinds[rng.below(6)]);
        text
    };
    let (white, black) = (lineup(), lineup());
    setup(&white, &black, ["white", "black"][rng.below(2)], rng.word())
}
