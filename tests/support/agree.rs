//! Program and walker, side by side.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use fullcourt_compiler::compile;
use fullcourt_compiler::lower::{Shape, Shapes};
use fullcourt_engine::rng::{Rng, mix};
use fullcourt_engine::session::Setup;

use crate::play::random_setup;
use crate::{Loaded, TestFiles, host, show};

/// Compares a program with these shapes and the walker at every decision of random games, with random options.
///
/// # Panics
/// When they do not agree, or a game cannot be played.
#[must_use]
pub fn games(shapes: Shapes, rules: &Loaded, seeds: std::ops::Range<u64>, most: usize) -> usize {
    let mut decisions = 0;
    for seed in seeds {
        let mut rng = Rng::new(mix(seed));
        let options = rules.random_options(&mut rng);
        let options: Vec<(&str, &str)> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let lineups = rules.compiled.rules.setups.iter().any(|setup| setup.name == "lineup");
        let setup = if lineups { random_setup(&mut rng) } else { Setup { seed, ..Setup::default() } };
        let mut game = rules.game_with(&options, &setup, shapes);
        assert!(game.is_fast(), "the rules are not lowered");
        for _ in 0..most {
            if game.is_over() {
                break;
            }
            let legal = game.legal().unwrap();
            if legal.is_empty() {
                break;
            }
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

/// Random play and counted positions, which put off what a phase is judged by: random play with these shapes comes to the
/// same as without putting it off, counted positions to what the walker counts. The number of decisions played.
///
/// # Panics
/// When they do not.
#[must_use]
pub fn totals(shapes: Shapes, rules: &Loaded, seeds: std::ops::Range<u64>, most: u64) -> u64 {
    let mut decisions = 0;
    for seed in seeds {
        let mut rng = Rng::new(mix(seed));
        let options = rules.random_options(&mut rng);
        let options: Vec<(&str, &str)> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let setup = Setup { seed, ..Setup::default() };
        let game = rules.game_with(&options, &setup, shapes);
        let at_once = rules.game_with(&options, &setup, shapes.without(Shape::JudgedLater));
        let played = game.playout(&mut rng.clone(), &|number| number < most);
        assert_eq!(played, at_once.playout(&mut rng.clone(), &|number| number < most), "seed {seed} {options:?}");
        let never = || false;
        assert_eq!(game.perft(2, true, &never), game.plain().perft(2, true, &never), "seed {seed} {options:?}");
        decisions += played.map_or(0, |played| played.0);
    }
    decisions
}

/// What a run of drawn rulesets came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// Rulesets that were played.
    pub played: usize,
    /// Rulesets that did not compile.
    pub refused: usize,
    /// Games without a program.
    pub slow: usize,
    /// Games that ended with a fault.
    pub faults: usize,
    /// Decisions that were compared.
    pub decisions: usize,
}

/// A few games of a drawn ruleset, compared.
///
/// # Panics
/// When program and walker do not agree.
pub fn drawn(shapes: Shapes, seed: u64, tally: &mut Tally) {
    let text = crate::drawn::ruleset(seed);
    let compiled = match compile(&TestFiles::with("drawn", &text), "drawn") {
        Ok(compiled) => compiled,
        Err(failure) => {
            tally.refused += 1;
            if std::env::var_os("SHOW_REFUSED").is_some() {
                println!("{seed}: {}", show(&failure));
            }
            return;
        }
    };
    let host = host(&compiled).unwrap();
    let rules = Loaded { compiled, host };
    tally.played += 1;
    for game in 0..3 {
        let mut rng = Rng::new(mix(seed * 3 + game));
        let options = rules.random_options(&mut rng);
        let options: Vec<(&str, &str)> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let mut game = rules.game_with(&options, &Setup { seed, ..Setup::default() }, shapes);
        tally.slow += usize::from(!game.is_fast());
        for _ in 0..80 {
            if game.is_over() {
                break;
            }
            let Ok(legal) = game.legal() else {
                tally.faults += 1;
                break;
            };
            if legal.is_empty() {
                break;
            }
            let action = legal[rng.below(legal.len())];
            let agree = game.compare(Some(action));
            // The walker spends more of a decision's budget than the program.
            if agree.as_ref().is_err_and(|text| text.contains("more steps than a decision may")) {
                tally.faults += 1;
                break;
            }
            assert!(agree.is_ok(), "ruleset {seed} {options:?}: {}\n{:?}\n{text}", agree.unwrap_err(), game.line());
            if game.play(action).is_err() {
                tally.faults += 1;
                break;
            }
            tally.decisions += 1;
        }
    }
}
