//! The Eurostep said in the language: a ruleset with this twin in place of the plugin plays the same games.

use std::sync::LazyLock;

use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::play::{play_random, random_setup, texts};
use fullcourt_tests::scene::Scene;
use fullcourt_tests::{Loaded, edited, load, pickup};

/// Two steps that turn, and end further than one step away.
const TWIN: &str = "replace define bends(from: square) = if option.eurostep is on \
    then (step any then turning step any from from) and empty and not near(from, 1) else nowhere\n\
    without plugin eurostep";

static TWINS: LazyLock<Loaded> = LazyLock::new(|| load(&edited(TWIN), "edited"));

/// A game by the plugin and one by another ruleset.
struct Pair(Box<dyn Session>, Box<dyn Session>);

impl Pair {
    fn new(other: &Loaded) -> Pair {
        Pair(pickup().game(&[], &Setup::default()), other.game(&[], &Setup::default()))
    }

    /// What a Pawn with the ball may do among others, by the one and by the other.
    fn ask(&mut self, pawn: usize, others: &[usize]) -> (Vec<String>, Vec<String>) {
        let board = &pickup().compiled.rules.board;
        let mut pieces = format!("P{}*", board.name(pawn));
        for (index, place) in others.iter().enumerate() {
            pieces += &format!(" {}{}", if index % 2 == 0 { 'r' } else { 'N' }, board.name(*place));
        }
        let ask = |play: &mut dyn Session| -> Vec<String> {
            Scene::offense(play, "white", &pieces).var("across", true).set(play);
            texts(play).into_iter().filter(|text| text.starts_with("P* ")).collect()
        };
        (ask(&mut *self.0), ask(&mut *self.1))
    }
}

fn neighbors(place: usize) -> Vec<usize> {
    let board = &pickup().compiled.rules.board;
    (0..8).filter_map(|direction| board.step(place, direction)).collect()
}

#[test]
fn on_every_square_and_neighborhood() {
    assert!(TWINS.compiled.modules.iter().all(|module| module.name != "eurostep"));
    let mut pair = Pair::new(&TWINS);
    let mut bent = 0;
    for place in 0..pickup().compiled.rules.board.places() {
        let around = neighbors(place);
        for pattern in 0..1usize << around.len() {
            let taken: Vec<usize> =
                around.iter().enumerate().filter(|(bit, _)| pattern >> bit & 1 == 1).map(|(_, &place)| place).collect();
            let (plugin, twin) = pair.ask(place, &taken);
            assert_eq!(plugin, twin, "place {place}, around it {taken:?}");
            bent += usize::from(plugin.len() > 8);
        }
    }
    assert!(bent > 5_000, "only {bent} neighborhoods let a Pawn burst");
}

#[test]
fn among_pieces_further_away() {
    let mut pair = Pair::new(&TWINS);
    let mut rng = Rng::new(4);
    for _ in 0..400 {
        let place = rng.below(64);
        let mut others: Vec<usize> = (0..9).map(|_| rng.below(64)).filter(|&other| other != place).collect();
        others.sort_unstable();
        others.dedup();
        let (plugin, twin) = pair.ask(place, &others);
        assert_eq!(plugin, twin, "place {place}, others {others:?}");
    }
}

#[test]
fn in_random_games() {
    for seed in 1..=12 {
        let setup = random_setup(&mut Rng::new(seed));
        let (mut one, mut other) = (pickup().game(&[], &setup), TWINS.game(&[], &setup));
        play_random(&mut *one, seed, 400, |one, _, action| {
            let all = texts(one);
            assert_eq!(all, texts(&*other), "seed {seed}");
            let found = other.find(&one.text(action)).expect("the rules do not fault").expect("legal in both");
            other.play(found).expect("a legal action can be played");
        });
        assert_eq!(one.state(), other.state());
    }
}

#[test]
fn another_twin_is_told_apart() {
    // Bends that begin straight only: on some neighborhood the comparison above would see it.
    let wrong = load(&edited(&TWIN.replace("(step any then", "(step straight then")), "edited");
    let mut pair = Pair::new(&wrong);
    let (plugin, other) = pair.ask(27, &[18, 19, 20, 26, 28]);
    assert_ne!(plugin, other);
}
