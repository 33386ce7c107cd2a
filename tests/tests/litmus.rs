//! Each litmus edit of the design that concerns Pickup Chess: a line or two that extend it, and a game that shows the
//! change.

use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::play::{play_random, say, setup, texts};
use fullcourt_tests::scene::Scene;
use fullcourt_tests::{Loaded, edited, load, pickup};

/// Pickup Chess changed by these lines, of which there are at most two.
fn edit(lines: &str) -> Loaded {
    assert!((1..=2).contains(&lines.lines().count()), "{lines}");
    load(&edited(lines), "edited")
}

/// White's offense in a ruleset, with the ball across.
fn offense(rules: &Loaded, pieces: &str) -> Box<dyn Session> {
    scene(rules, pieces, |scene| scene)
}

fn scene(rules: &Loaded, pieces: &str, change: impl Fn(Scene) -> Scene) -> Box<dyn Session> {
    let mut play = rules.game(&[], &Setup::default());
    change(Scene::offense(&*play, "white", pieces).var("across", true)).set(&mut *play);
    play
}

/// What `look` sees in Pickup Chess and in the changed game.
fn both<T>(lines: &str, look: impl Fn(&Loaded) -> T) -> (T, T) {
    (look(pickup()), look(&edit(lines)))
}

#[test]
fn target_21() {
    let over = |rules: &Loaded| {
        let mut play = scene(rules, "Qd5* | ka1", |scene| scene.score(9, 0));
        say(&mut *play, "shot d5-d8");
        let early = play.is_over();
        let mut late = scene(rules, "Qd5* | ka1", |scene| scene.score(19, 0));
        say(&mut *late, "shot d5-d8");
        (early, late.is_over())
    };
    assert_eq!(both("set target = 21", over), ((true, true), (false, true)));
}

#[test]
fn no_eurostep() {
    let bends = |rules: &Loaded| texts(&*offense(rules, "Pd4 Kh1* | pd5")).contains(&"P d4-d6".to_owned());
    assert_eq!(both("set eurostep = off", bends), (true, false));
    // The same by taking the branch away.
    assert_eq!(both("replace define bends(from: square) = nowhere\nwithout option eurostep", bends), (true, false));
}

#[test]
fn energy_by_turn() {
    let moves_again = |rules: &Loaded| {
        let mut play = offense(rules, "Ka1 Qh4* | ra6");
        for action in ["K a1-a2", "hold", "done"] {
            say(&mut *play, action);
        }
        texts(&*play).contains(&"K a2-a1".to_owned())
    };
    assert_eq!(both("set energy = turn", moves_again), (false, true));
}

#[test]
fn an_arc_four_ranks_deep() {
    let shot = |rules: &Loaded| say(&mut *offense(rules, "Qd5* | ka1"), "shot d5-d8");
    assert_eq!(both("set arc = 4", shot), (" +2".to_owned(), " +1".to_owned()));
}

#[test]
fn an_archbishop() {
    let line =
        "piece Archbishop \"A\" { moves = slide diagonal or leap 1 2  throws = ray diagonal or leap 1 2  lobs }  §3";
    let rules = edit(&format!("add {line}"));
    let mut play = rules.game(&[], &setup("QRANP+K", "QRBNP+A", "white", 1));
    assert!(texts(&*play).iter().all(|text| !text.starts_with("place A")));
    for place in ["Q a8", "A d4", "R a6", "Q a1", "P h6", "R b1", "B h8", "P h1", "N g8", "N g1"] {
        say(&mut *play, &format!("place {place}"));
    }
    say(&mut *play, "inbound a1-d1");
    let steps: Vec<String> = texts(&*play).into_iter().filter(|text| text.starts_with("A d4-")).collect();
    assert!(["A d4-e6", "A d4-c2", "A d4-g7", "A d4-c3"].iter().all(|step| steps.contains(&(*step).to_owned())));
    assert!(!steps.contains(&"A d4-d5".to_owned()));
    // Its throw lobs, and a game with it comes to an end.
    assert_eq!(say(&mut *offense(&rules, "Ad4* Nf5 | ka8"), "pass d4-f5"), "");
    play_random(&mut *play, 5, 5_000, |_, _, _| {});
    assert!(play.is_over());
}

#[test]
fn blocks_only_from_the_lane() {
    let line = "replace define blockers(who: square, spot: square, path: squares) = defense and path";
    let shots = |rules: &Loaded| {
        let shot = |pieces: &str| say(&mut *offense(rules, pieces), "shot e4-e8");
        [shot("Qe4* | qh5"), shot("Qe4* | re6"), shot("Qe4* | kd8")]
    };
    let (before, after) = both(line, shots);
    assert_eq!(before, [" # h5", " # e6", " # d8"]);
    assert_eq!(after, [" +2", " # e6", " +2"]);
}

#[test]
fn a_clock_that_limits_one_players_holding() {
    let lines = "add clock holding = 2 in possession  §11\n\
        add rule held_too_long §11 after bring_up_violation, shot_violation before offensive_three when held(a), passed(a) \
        { if handler is a { tick holding  if holding = 0 { too_late } } else { set holding to 2 } }";
    let game = |rules: &Loaded, actions: &[&str]| -> String {
        let mut play = scene(rules, "Qa5* Rh5 | ka1", |scene| scene.reserve("bench", "", ""));
        if let Some(state) =
            rules.compiled.rules.clocks.iter().find(|clock| clock.name == "holding").map(|_| play.state())
        {
            let mut state = state;
            state["vars"]["holding"] = 2.into();
            play.set_state(&state).expect("a state of the game");
        }
        actions.iter().map(|action| say(&mut *play, action)).collect()
    };
    let hold = |rules: &Loaded| game(rules, &["hold", "done", "hold"]);
    assert_eq!(both(lines, hold), (String::new(), " ! clock +1".to_owned()));
    // Another player's holding starts fresh.
    let share = |rules: &Loaded| game(rules, &["hold", "done", "pass a5-h5", "done", "hold"]);
    assert_eq!(both(lines, share), (String::new(), String::new()));
}

#[test]
fn without_the_audit() {
    let winner = |rules: &Loaded| {
        let played = serde_json::json!({"white": false, "black": true});
        let mut play = scene(rules, "Qd5* | ka1", |scene| scene.score(10, 3).var("sixth_played", played.clone()));
        say(&mut *play, "shot d5-d8");
        play.result()["winner"].clone()
    };
    assert_eq!(both("without rule audit\nwithout option audit", winner), ("black".into(), "white".into()));
}

/// Zones of a board, by their signs.
fn drawn(play: &dyn Session, sign: &str) -> Vec<String> {
    let board = &play.rules().board;
    let places = (0..board.places()).filter(|&place| play.cell(place).zone.as_deref() == Some(sign));
    places.map(|place| board.name(place)).collect()
}

fn plays_to_the_end(rules: &Loaded, seeds: u64, cap: &str) {
    for seed in 1..=seeds {
        let mut play = rules.random(&[("cap", cap)], seed);
        play_random(&mut *play, seed, 20_000, |play, _, _| {
            let (kept, anew) = play.hashes();
            assert_eq!(kept, anew);
        });
        assert!(play.is_over(), "seed {seed}");
    }
}

#[test]
fn a_court_of_ten_files() {
    let rules = edit("replace board 10 x 8  §2");
    let play = rules.game(&[], &Setup::default());
    assert_eq!(drawn(&*play, "="), ["e1", "f1", "e8", "f8"]);
    assert_eq!(drawn(&*play, "+"), ["e4", "f4", "e5", "f5"]);
    assert_eq!(drawn(&*play, ":").len(), 12);
    assert_eq!(drawn(&*play, ":")[..3], ["d1", "g1", "d2"]);
    // The Eurostep and the specialists in their form for larger boards.
    let bent = texts(&*offense(&rules, "Pi4 Kh1* | pi5"));
    assert!(bent.contains(&"P i4-i6".to_owned()) && bent.contains(&"P i4-j6".to_owned()), "{bent:?}");
    assert_eq!(say(&mut *offense(&rules, "Qa7* Rj7 | ke8"), "pass a7-j7"), " x e8");
    assert_eq!(say(&mut *offense(&rules, "Qa4* Rj4 | pi5"), "pass a4-j4"), " x i5");
    plays_to_the_end(&rules, 4, "60");
}

#[test]
fn a_court_of_twelve_by_twelve() {
    let rules = edit("replace board 12 x 12  §2");
    assert_eq!(drawn(&*rules.game(&[], &Setup::default()), "="), ["f1", "g1", "f12", "g12"]);
    plays_to_the_end(&rules, 2, "30");
}

#[test]
fn a_court_of_more_than_256_squares() {
    let rules = edit("replace board 18 x 16  §2");
    let play = rules.game(&[], &Setup::default());
    assert_eq!(drawn(&*play, "="), ["i1", "j1", "i16", "j16"]);
    let bent = texts(&*offense(&rules, "Pr15 Kh1* | pr14"));
    assert!(bent.contains(&"P r15-r13".to_owned()), "{bent:?}");
    plays_to_the_end(&rules, 1, "16");
}

#[test]
fn other_numbers_of_a_line_up() {
    let line = "replace setup lineup per side = \"QRBN+KP\" : 4 to starters \"+\" 2 to bench  §12";
    let rules = edit(line);
    let play = rules.game(&[], &Setup::default());
    assert_eq!(play.state()["reserves"]["starters"]["white"], "QRBN");
    assert_eq!(play.state()["reserves"]["bench"]["white"], "KP");
}
