//! Machine code does what the program and the walker do: legal actions, positions, games at random, counts of positions.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use fullcourt_compiler::compile;
use fullcourt_engine::rng::{Rng, mix};
use fullcourt_engine::session::{Session, Setup};
use fullcourt_plugin_host::MachineCode;
use fullcourt_tests::play::random_setup;
use fullcourt_tests::{Loaded, TestFiles, host, load};

const GAMES: [&str; 4] = ["pickup-chess", "exoplanet-chess", "chess", "soccer-chess"];
/// A debug build is some ten times slower.
const SCALE: u64 = if cfg!(debug_assertions) { 1 } else { 3 };

/// Games with random options in which all three are compared at every decision, and then games at random by program and by
/// machine code, which must take the same course.
fn games(rules: &Loaded, seeds: std::ops::Range<u64>, most: usize) -> usize {
    let mut decisions = 0;
    for seed in seeds {
        let mut rng = Rng::new(mix(seed ^ 0x5eed));
        let options = rules.random_options(&mut rng);
        let options: Vec<(&str, &str)> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let lineups = rules.compiled.rules.setups.iter().any(|setup| setup.name == "lineup");
        let setup = if lineups { random_setup(&mut rng) } else { Setup { seed, ..Setup::default() } };
        let slow = rules.game(&options, &setup);
        let mut game = slow.fork();
        assert!(game.compile(&MachineCode), "seed {seed} {options:?}: there is no machine code");
        same_course(&*slow, &*game, seed);
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

/// Random games take the same course, wherever they are cut.
fn same_course(slow: &dyn Session, fast: &dyn Session, seed: u64) {
    for (depth, bulk) in [(1, false), (2, false), (2, true), (3, true)] {
        let count = |game: &dyn Session| game.perft(depth, bulk, &|| false).unwrap();
        assert_eq!(count(slow), count(fast), "seed {seed}, depth {depth}, bulk {bulk}");
    }
    for round in 0..10 {
        let going = |most: u64| move |decisions: u64| decisions < most;
        // Machine code looks up every 256 decisions.
        let most = if round % 2 == 0 { 5_120 } else { 256 };
        let (mut one, mut two) = (Rng::new(mix(seed + round)), Rng::new(mix(seed + round)));
        let (program, machine) = (slow.playout(&mut one, &going(most)), fast.playout(&mut two, &going(most)));
        assert_eq!(program.unwrap(), machine.unwrap(), "seed {seed}, round {round}");
        assert_eq!(one, two, "seed {seed}, round {round}");
    }
}

#[test]
fn pickup() {
    assert!(games(&load(&TestFiles::default(), GAMES[0]), 0..SCALE, 400) > 100);
}

#[test]
fn exoplanet() {
    assert!(games(&load(&TestFiles::default(), GAMES[1]), 0..SCALE, 200) > 100);
}

#[test]
fn chess() {
    assert!(games(&load(&TestFiles::default(), GAMES[2]), 0..SCALE, 200) > 100);
}

#[test]
fn soccer() {
    assert!(games(&load(&TestFiles::default(), GAMES[3]), 0..SCALE, 300) > 100);
}

#[test]
fn edited() {
    let lines = [
        ("pickup-chess", "replace board 10 x 8  §2"),
        ("pickup-chess", "replace board 18 x 16  §2\nset cap = 40"),
        ("exoplanet-chess", "replace piece Knight \"N\" { moves = betza \"NNfF\"  heir }"),
        ("chess", "replace piece Bishop \"B\" { moves = betza \"fsNB2\"  heir }"),
        ("chess", "replace law king_safe in play = not checked(me) or count me < 5  \"not yet\""),
    ];
    for (base, lines) in lines {
        let text = format!("language 1\nruleset \"E\"\nextends {base}\n{lines}\n");
        let rules = load(&TestFiles::with("edited", &text), "edited");
        assert!(games(&rules, 0..1, 150) > 20, "{lines}");
    }
}

/// How many drawn rulesets were played, how many of them have machine code, and how many decisions agreed.
fn drawn(seeds: impl Iterator<Item = u64>) -> (usize, usize, usize) {
    let (mut played, mut native, mut decisions) = (0, 0, 0);
    for seed in seeds {
        let text = fullcourt_tests::drawn::ruleset(seed);
        let Ok(compiled) = compile(&TestFiles::with("drawn", &text), "drawn") else { continue };
        let host = host(&compiled).unwrap();
        let rules = Loaded { compiled, host };
        let mut rng = Rng::new(mix(seed));
        let options = rules.random_options(&mut rng);
        let options: Vec<(&str, &str)> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let slow = rules.game(&options, &Setup { seed, ..Setup::default() });
        let mut game = slow.fork();
        played += 1;
        if !game.compile(&MachineCode) {
            continue;
        }
        native += 1;
        // Also where the code gives up, or the rules fault.
        for round in 0..3 {
            let course = |game: &dyn Session| {
                let mut rng = Rng::new(mix(seed + round));
                (format!("{:?}", game.playout(&mut rng, &|decisions| decisions < 256)), rng)
            };
            assert_eq!(course(&*slow), course(&*game), "ruleset {seed}\n{text}");
        }
        for _ in 0..60 {
            if game.is_over() {
                break;
            }
            let Ok(legal) = game.legal() else { break };
            if legal.is_empty() {
                break;
            }
            let action = legal[rng.below(legal.len())];
            let agree = game.compare(Some(action));
            if agree.as_ref().is_err_and(|text| text.contains("more steps than a decision may")) {
                break;
            }
            assert!(agree.is_ok(), "ruleset {seed} {options:?}: {}\n{:?}\n{text}", agree.unwrap_err(), game.line());
            if game.play(action).is_err() {
                break;
            }
            decisions += 1;
        }
    }
    (played, native, decisions)
}

#[test]
fn drawn_rulesets() {
    let (played, native, decisions) = drawn(0..20 * SCALE);
    assert!(native * 10 > played * 9 && decisions > 10 * native, "{played} {native} {decisions}");
}

/// `cargo test --release --workspace --test machine_code -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_games() {
    for name in GAMES {
        let decisions = games(&load(&TestFiles::default(), name), 1_000..1_100, 2_000);
        println!("{name}: {decisions} decisions agree");
    }
    println!("drawn (played, with machine code, decisions): {:?}", drawn(10_000..11_000));
}
