//! The program does what the walker does: legal actions in their order, positions, histories, at every step of random games
//! with random options.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use fullcourt_compiler::compile;
use fullcourt_engine::rng::{Rng, mix};
use fullcourt_engine::session::Setup;
use fullcourt_tests::play::random_setup;
use fullcourt_tests::{Loaded, TestFiles, host, load, show};

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

/// Two thousand games of each ruleset, with random options: `cargo test --release --workspace --test program -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn two_thousand_games_each() {
    for name in ["pickup-chess", "exoplanet-chess", "chess", "soccer-chess"] {
        let decisions = games(&shipped(name), 1_000..3_000, 2_000);
        println!("{name}: {decisions} decisions agree");
    }
}

#[test]
fn small_rulesets_and_edits() {
    let edited = |base: &str, lines: &str| {
        load(&TestFiles::with("edited", &format!("language 1\nruleset \"E\"\nextends {base}\n{lines}\n")), "edited")
    };
    let all = [
        load(&TestFiles::with("race", fullcourt_tests::hostile::RACE), "race"),
        edited("pickup-chess", "replace board 10 x 8  §2"),
        edited("pickup-chess", "replace board 18 x 16  §2\nset cap = 40"),
        edited("pickup-chess", "set energy = turn\nset steal_spot = lane\nset lob = safe"),
        // A guarded piece that may be put down, a geometry that faces, riders, a law of another shape, two laws.
        edited(
            "exoplanet-chess",
            "replace start fen \"4k3/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1\"\nreplace piece Knight \"N\" { moves = betza \"NNfF\"  heir  royal }\nwithout invariant one_king",
        ),
        edited(
            "chess",
            "replace piece Bishop \"B\" { moves = betza \"fsNB2\"  heir }\nadd law calm in play = count me > 1",
        ),
        edited("chess", "replace law king_safe in play = not checked(me) or count me < 5  \"not yet\""),
        edited("chess", "replace piece Rook \"R\" { moves = slide straight through (not Pawn)  heir }"),
    ];
    for (index, rules) in all.iter().enumerate() {
        assert!(games(rules, 0..2 * SCALE, 120) > 20, "ruleset {index}");
    }
}

/// What a run of drawn rulesets came to.
#[derive(Debug, Default)]
struct Tally {
    played: usize,
    refused: usize,
    slow: usize,
    faults: usize,
    decisions: usize,
}

/// A few games of a drawn ruleset, compared.
fn drawn(seed: u64, tally: &mut Tally) {
    let text = fullcourt_tests::drawn::ruleset(seed);
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
        let mut game = rules.game(&options, &Setup { seed, ..Setup::default() });
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

#[test]
fn drawn_rulesets() {
    let mut tally = Tally::default();
    // The last three were drawn once and disagreed, or spent the budget.
    (0..60 * SCALE).chain([10_198, 14_425, 20_229]).for_each(|seed| drawn(seed, &mut tally));
    println!("{tally:?}");
    assert!(tally.refused * 4 < tally.played, "{tally:?}");
    assert!(tally.slow * 20 < tally.played, "{tally:?}");
    assert!(tally.decisions > 10 * tally.played, "{tally:?}");
}

/// Twenty thousand rulesets: `cargo test --release --workspace --test program -- --ignored drawn --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_drawn_rulesets() {
    let mut tally = Tally::default();
    (10_000..30_000).for_each(|seed| drawn(seed, &mut tally));
    println!("{tally:?}");
    assert!(tally.played > 18_000, "{tally:?}");
}

#[test]
fn the_games_leave_nothing_to_the_walker() {
    for name in ["pickup-chess", "exoplanet-chess", "chess", "soccer-chess"] {
        let rules = shipped(name);
        let program = rules.program(&rules.compiled.defaults).unwrap();
        let listing = program.listing(&rules.compiled.rules);
        let first = listing.lines().next().unwrap_or_default();
        assert!(first.ends_with(" operations, 0 fragments left to the walker"), "{first}");
    }
}
