//! The program does what the walker does: legal actions in their order, positions, histories, at every step of random games
//! with random options.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use fullcourt_engine::rng::{Rng, mix};
use fullcourt_engine::session::Setup;
use fullcourt_tests::play::random_setup;
use fullcourt_tests::{Loaded, TestFiles, load};

/// A debug build is some ten times slower.
const SCALE: u64 = if cfg!(debug_assertions) { 1 } else { 10 };

fn shipped(name: &str) -> Loaded {
    load(&TestFiles::default(), name)
}

/// Compares program and walker at every decision of random games.
fn games(rules: &Loaded, seeds: std::ops::Range<u64>, most: usize) -> usize {
    let mut decisions = 0;
    for seed in seeds {
        let mut rng = Rng::new(mix(seed));
        let options = rules.random_options(&mut rng);
        let options: Vec<(&str, &str)> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let lineups = rules.compiled.rules.setups.iter().any(|setup| setup.name == "lineup");
        let setup = if lineups { random_setup(&mut rng) } else { Setup { seed, ..Setup::default() } };
        let mut game = rules.game(&options, &setup);
        assert!(game.is_fast(), "the rules are not lowered");
        for _ in 0..most {
            if game.is_over() {
                break;
            }
            let legal = game.legal().unwrap();
            let action = legal[rng.below(legal.len())];
            let agree = game.compare(Some(action));
            assert!(agree.is_ok(), "seed {seed} {options:?}: {}\n{:?}", agree.unwrap_err(), game.line());
            game.play(action).unwrap();
            if game.plies() >= 200 {
                game = game.branch();
            }
            decisions += 1;
        }
    }
    decisions
}

#[test]
fn pickup() {
    assert!(games(&shipped("pickup-chess"), 0..4 * SCALE, 600) > 1000);
}

#[test]
fn exoplanet() {
    assert!(games(&shipped("exoplanet-chess"), 0..3 * SCALE, 250) > 500);
}

#[test]
fn chess() {
    assert!(games(&shipped("chess"), 0..3 * SCALE, 250) > 500);
}

#[test]
fn soccer() {
    assert!(games(&shipped("soccer-chess"), 0..3 * SCALE, 400) > 500);
}
