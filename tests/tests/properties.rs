//! What holds in every game: seen in random games with random options and line-ups.

#![allow(clippy::panic, reason = "a test may fail")]

use std::collections::BTreeSet;

use fullcourt_engine::action::Action;
use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::play::{play_random, random_setup, texts};
use fullcourt_tests::{Loaded, edited, load, pickup};

const GAMES: u64 = 24;

/// A random game of random options, from its seed; short caps, so that ends are seen.
fn random_game(rules: &Loaded, seed: u64) -> Box<dyn Session> {
    let mut rng = Rng::new(seed ^ 0xA5A5);
    let mut options = rules.random_options(&mut rng);
    options.retain(|(name, _)| name != "cap");
    options.push(("cap".into(), (10 + 10 * seed % 50).to_string()));
    let options: Vec<(&str, &str)> = options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    rules.game(&options, &random_setup(&mut rng))
}

fn each_position(mut look: impl FnMut(u64, &mut dyn Session, &[Action], Action)) {
    for seed in 1..=GAMES {
        let mut play = random_game(pickup(), seed);
        play_random(&mut *play, seed, 20_000, |play, legal, action| look(seed, play, legal, action));
        assert!(play.is_over(), "seed {seed} has no end");
    }
}

#[test]
fn the_list_and_the_check_of_one_agree() {
    let mut rng = Rng::new(11);
    let mut before: Vec<Action> = Vec::new();
    let (mut yes, mut no) = (0, 0);
    each_position(|seed, play, legal, _| {
        let set: BTreeSet<Action> = legal.iter().copied().collect();
        assert_eq!(set.len(), legal.len(), "an action is listed twice, seed {seed}");
        for action in legal {
            assert!(play.is_legal(*action).expect("no fault"), "{} seed {seed}", play.text(*action));
        }
        let actions = play.rules().actions.len();
        let mut aim = || i32::try_from(rng.below(66)).unwrap_or(0) - 1;
        let strange: Vec<Action> = (0..16)
            .map(|_| [aim(), aim(), aim(), aim()])
            .enumerate()
            .map(|(n, aims)| Action::pack((n * 7 + legal.len()) % (actions + 2), &aims[..n % 4]))
            .collect();
        for action in before.iter().chain(&strange) {
            let alone = play.is_legal(*action).expect("no fault");
            assert_eq!(alone, set.contains(action), "{action:?} {} seed {seed}", play.text(*action));
            if alone { yes += 1 } else { no += 1 }
        }
        before = legal.iter().copied().take(40).collect();
    });
    assert!(yes > 100 && no > 100, "{yes} legal, {no} not");
}

#[test]
fn texts_are_unique_and_mean_their_action() {
    each_position(|seed, play, legal, _| {
        let shown: BTreeSet<String> = legal.iter().map(|action| play.text(*action)).collect();
        assert_eq!(shown.len(), legal.len(), "two actions are written alike, seed {seed}");
        for action in legal.iter().step_by(1 + legal.len() / 12) {
            let text = play.text(*action);
            assert_eq!(play.find(&text).expect("no fault"), Ok(*action), "{text} seed {seed}");
        }
    });
}

#[test]
fn a_state_restores_everything() {
    let mut rng = Rng::new(3);
    for seed in 1..=GAMES {
        let mut play = random_game(pickup(), seed);
        let mut copy = play.fork();
        play_random(&mut *play, seed, 20_000, |play, legal, _| {
            if rng.below(4) > 0 {
                return;
            }
            let state = play.state();
            copy.set_state(&state).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong} in {state}"));
            assert_eq!(copy.state(), state, "seed {seed}");
            assert_eq!(copy.legal().expect("no fault"), legal, "seed {seed}");
            assert_eq!(copy.hashes(), play.hashes(), "seed {seed} {state}");
            assert!(!copy.undo());
        });
        let end = play.state();
        copy.set_state(&end).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong} in {end}"));
        assert_eq!(copy.state(), end);
        assert!(copy.is_over() && copy.legal().expect("no fault").is_empty());
    }
}

#[test]
fn the_hash_is_kept_and_invariants_hold() {
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    let mut count = 0;
    each_position(|seed, play, _, _| {
        let (kept, anew) = play.hashes();
        assert_eq!(kept, anew, "seed {seed}");
        assert_eq!(play.check_invariants(), Ok(()), "seed {seed} {}", play.state());
        count += 1;
        seen.insert(kept);
    });
    assert!(seen.len() * 10 > count * 9, "{} hashes of {count} positions", seen.len());
}

#[test]
fn undo_restores_and_refusal_changes_nothing() {
    each_position(|seed, play, legal, action| {
        let (state, hashes, tally) = (play.state(), play.hashes(), play.tally().clone());
        let same = |play: &dyn Session| {
            assert_eq!(play.state(), state, "seed {seed}");
            assert_eq!((play.hashes(), play.tally()), (hashes, &tally), "seed {seed}");
        };
        play.play(action).expect("a legal action can be played");
        assert!(play.undo());
        same(play);
        for text in ["pass a1-a1", "place Q zz", "", "hold hold", "inbound a1-h8", "nonsense"] {
            if legal.iter().all(|action| play.text(*action) != text) {
                assert!(play.find(text).expect("no fault").is_err(), "`{text}` seed {seed}");
            }
        }
        let wrong = Action::pack(action.def(), &[63, 63, 63]);
        if !legal.contains(&wrong) {
            assert_eq!(play.play(wrong).expect_err("it is not legal").code, "refused");
        }
        assert!(play.set_state(&serde_json::json!({"pieces": []})).is_err());
        same(play);
    });
}

#[test]
fn at_the_start_nothing_is_taken_back() {
    let mut play = pickup().game(&[], &Setup::default());
    assert!(!play.undo());
    play_random(&mut *play, 1, 15, |_, _, _| {});
    assert_eq!(play.plies(), 15);
    let first = pickup().game(&[], &Setup::default()).state();
    while play.undo() {}
    assert_eq!(play.state(), first);
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let record = |seed: u64| {
        let mut log = Vec::new();
        let mut play = random_game(pickup(), seed);
        play_random(&mut *play, seed, 20_000, |play, _, action| log.push(play.text(action)));
        (log, play.state(), play.tally().clone())
    };
    let games: Vec<_> = (1..=6).map(record).collect();
    assert_eq!(games, (1..=6).map(record).collect::<Vec<_>>());
    assert!(games.windows(2).all(|pair| pair[0].0 != pair[1].0));
    let tips: BTreeSet<String> = (1..20)
        .map(|seed| pickup().game(&[], &Setup { values: Vec::new(), seed }).state()["vars"]["tip"].to_string())
        .collect();
    assert_eq!(tips.len(), 2, "the tip is drawn by the seed");
}

#[test]
fn a_branch_goes_its_own_way() {
    let mut play = random_game(pickup(), 2);
    play_random(&mut *play, 2, 40, |_, _, _| {});
    let state = play.state();
    for mut other in [play.fork(), play.branch()] {
        assert_eq!(other.state(), state);
        play_random(&mut *other, 9, 5, |_, _, _| {});
        assert_eq!(play.state(), state);
    }
    assert_eq!((play.fork().plies(), play.branch().plies()), (40, 0));
}

#[test]
fn wider_boards_keep_the_same_promises() {
    for (board, seed) in [("9 x 8", 1), ("12 x 12", 2), ("20 x 20", 3)] {
        let mut rows = String::new();
        // Nine files have no middle two: the zones of that board are said otherwise.
        if board.starts_with('9') {
            rows = "\nreplace zone rim per side drawn \"=\" = rank 1 and middle 1 files\n\
                replace zone paint per side drawn \":\" = ranks 1..2 and middle 3 files\n\
                replace zone center drawn \"+\" = middle 2 ranks and middle 1 files"
                .to_owned();
        }
        let rules = load(&edited(&format!("replace board {board}{rows}")), "edited");
        let mut play = rules.random(&[("cap", "6")], seed);
        let mut copy = play.fork();
        play_random(&mut *play, seed, 120, |play, legal, action| {
            let (kept, anew) = play.hashes();
            assert_eq!(kept, anew);
            assert!(play.is_legal(action).expect("no fault"));
            copy.set_state(&play.state()).expect("a state of the game");
            assert_eq!(copy.legal().expect("no fault"), legal);
            let text = play.text(action);
            assert_eq!(play.find(&text).expect("no fault"), Ok(action), "{text}");
        });
        assert!(!texts(&*copy).is_empty());
    }
}
