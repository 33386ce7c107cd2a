//! The rulings on Pickup Chess, one test for each: possessions, the paint, clocks, substitutions and winning.

use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::pickup;
use fullcourt_tests::play::{say, setup, texts};
use fullcourt_tests::scene::Scene;
use serde_json::{Value as Json, json};

type Options<'a> = &'a [(&'a str, &'a str)];

/// A position of White's offense, changed before it is taken over.
fn game(options: Options, pieces: &str, change: impl Fn(Scene) -> Scene) -> Box<dyn Session> {
    let mut play = pickup().game(options, &Setup::default());
    let scene = Scene::offense(&*play, "white", pieces).var("across", true);
    change(scene).set(&mut *play);
    play
}

fn all(play: &mut dyn Session, actions: &[&str]) -> String {
    actions.iter().map(|action| say(play, action)).collect()
}

fn at(play: &dyn Session, name: &str) -> Json {
    play.state()[name].clone()
}

fn marks(play: &dyn Session, square: &str) -> Vec<String> {
    let state = play.state();
    let piece = state["pieces"].as_array().into_iter().flatten().find(|piece| piece["square"] == square);
    let marks = piece.and_then(|piece| piece["marks"].as_array()).cloned().unwrap_or_default();
    marks.iter().filter_map(|mark| mark.as_str().map(str::to_owned)).collect()
}

fn same(scene: Scene) -> Scene {
    scene
}

#[test]
fn r18_offense_and_defense_alternate() {
    let mut play = game(&[], "Qa4* Rh4 Bb1 | ka8", same);
    all(&mut *play, &["pass a4-h4"]);
    assert_eq!(
        (at(&*play, "phase"), at(&*play, "to_act"), at(&*play, "turn")),
        (json!("defense"), json!("black"), json!(1))
    );
    all(&mut *play, &["done"]);
    assert_eq!(
        (at(&*play, "phase"), at(&*play, "handler"), at(&*play, "turn")),
        (json!("offense"), json!("h4"), json!(2))
    );
    // Placement, substitutions and inbounds are no turns.
    let mut start = pickup().game(&[], &setup("QRBNP+K", "QRBNP+K", "white", 1));
    let places = "Q a8;Q a1;R b8;R b1;B g8;B g1;N h8;N h1;P h7;P h2";
    for place in places.split(';') {
        say(&mut *start, &format!("place {place}"));
    }
    say(&mut *start, "inbound a1-d1");
    assert_eq!(
        (at(&*start, "turn"), at(&*start, "phase"), at(&*start, "bringup")),
        (json!(0), json!("offense"), json!(5))
    );
}

#[test]
fn r19_both_paints_count_for_both() {
    let mut play = game(&[], "Qa4* Rc1 Bd8 | ka8 nf2 re8", same);
    all(&mut *play, &["hold"]);
    assert_eq!((marks(&*play, "c1"), marks(&*play, "d8")), (vec!["owes".to_owned()], vec!["owes".to_owned()]));
    assert!(marks(&*play, "f2").is_empty());
    all(&mut *play, &["done"]);
    assert_eq!((marks(&*play, "f2"), marks(&*play, "e8")), (vec!["owes".to_owned()], vec!["owes".to_owned()]));
}

#[test]
fn r20_how_a_debt_is_paid() {
    // By leaving, or by a step onto a rim square, which is owed for again.
    for (pieces, move_, violation) in [
        ("Qa4* Rc1! | ka8", "R c1-b1", ""),
        ("Qa4* Rc1! | ka8", "R c1-d1", ""),
        ("Qa4* Rd1! | ka8", "R d1-e1", " ! 3s +1"),
        ("Qa4* Rc2! | ka8", "R c2-e2", " ! 3s +1"),
        ("Qa4* Rd1! | ka8", "R d1-d5", ""),
    ] {
        let mut play = game(&[], pieces, same);
        assert_eq!(all(&mut *play, &[move_, "hold"]), violation, "{pieces} {move_}");
    }
    let mut rim = game(&[], "Qa4* Rc1! | ka8", same);
    all(&mut *rim, &["R c1-d1", "hold", "done"]);
    assert_eq!(marks(&*rim, "d1"), ["spent", "owes"]);
    assert_eq!(all(&mut *rim, &["hold"]), " ! 3s +1");
    // Who owed and has not paid still owes; several are one violation.
    let mut two = game(&[], "Qa4* Rc1! Nf1! | ka8", same);
    assert_eq!(all(&mut *two, &["hold"]), " ! 3s +1");
    assert_eq!((two.score(), marks(&*two, "c1")), (vec![0, 1], vec!["owes".to_owned()]));
    let mut safe = game(&[("rim", "safe")], "Qa4* Rc1! | ka8", same);
    all(&mut *safe, &["R c1-d1", "hold"]);
    assert!(!marks(&*safe, "d1").contains(&"owes".to_owned()));
}

#[test]
fn r20_pieces_that_come_in_owe_at_once() {
    let mut start = pickup().game(&[], &setup("QRBNP+K", "QRBNP+K", "white", 1));
    all(&mut *start, &["place Q a8", "place Q c1"]);
    assert_eq!(marks(&*start, "c1"), ["owes"]);
    let mut sub =
        game(&[], "Rc1 Qa4 | ka8", |scene| scene.dead().phase("sub").var("asked", "white").var("restarter", "white"));
    all(&mut *sub, &["sub c1 K"]);
    assert_eq!(marks(&*sub, "c1"), ["owes", "sixth"].map(str::to_owned));
    // The inbounder owes nothing until the end of its next turn.
    let dead = |scene: Scene| scene.dead().phase("inbound").var("restarter", "white").var("full_court", true);
    let mut inbound = game(&[], "Rc1! Kd1! | ka8", dead);
    all(&mut *inbound, &["inbound d1-d1"]);
    assert!(marks(&*inbound, "d1").is_empty());
    assert_eq!(all(&mut *inbound, &["R c1-c5", "hold"]), "");
    assert_eq!(marks(&*inbound, "d1"), ["owes"]);
}

#[test]
fn r21_when_three_seconds_are_judged() {
    // After a lost ball nothing is judged, but debts are brought up to date.
    let mut lost = game(&[], "Qe4* Rc1! | re6", same);
    assert_eq!(all(&mut *lost, &["shot e4-e8"]), " # e6");
    assert_eq!(lost.score(), [0, 0]);
    // Of the offense: a turnover, half court.
    let mut offense = game(&[], "Qa4* Rc1! | ka8", |scene| scene.reserve("bench", "", ""));
    assert_eq!(all(&mut *offense, &["hold"]), " ! 3s +1");
    assert_eq!(texts(&*offense), ["inbound a8-d4", "inbound a8-d5", "inbound a8-e4", "inbound a8-e5"]);
    // Of the defense: a point, and the offense goes on with its clocks and energy.
    let mut defense = game(&[], "Qa4* Ra1 | kd8! ra8", |scene| scene.var("shot", 4));
    assert_eq!(all(&mut *defense, &["R a1-b1", "hold", "done"]), " ! 3s +1");
    assert_eq!((defense.score(), at(&*defense, "shot")), (vec![1, 0], json!(3)));
    assert_eq!((at(&*defense, "phase"), at(&*defense, "handler")), (json!("offense"), json!("a4")));
    assert_eq!(marks(&*defense, "b1"), ["spent"]);
}

#[test]
fn r22_where_the_ball_comes_in() {
    let made = |pieces: &str| {
        let mut play = game(&[], pieces, |scene| scene.reserve("bench", "", ""));
        say(&mut *play, "shot d5-d8");
        texts(&*play)
    };
    // Full court: one of its own two rim squares, empty or under the piece that takes it.
    assert_eq!(made("Qd5* | ka1 kh8"), ["inbound a1-d8", "inbound a1-e8", "inbound h8-d8", "inbound h8-e8"]);
    assert_eq!(made("Qd5* Re8 | kh4"), ["inbound h4-d8"]);
    // Half court, on one of the four center squares.
    let late = |pieces: &str| {
        let mut play = game(&[], pieces, |scene| scene.reserve("bench", "", "").var("shot", 1));
        assert_eq!(say(&mut *play, "hold"), " ! clock +1");
        texts(&*play)
    };
    assert_eq!(
        late("Qd5* | kd4 ra8"),
        ["inbound a8-e4", "inbound a8-e5", "inbound d4-d4", "inbound d4-e4", "inbound d4-e5"]
    );
    // The enemy holds them all: the center rank on the own side of the line.
    let fallback = late("Qd5* Re5 Rd4 Re4 | ka8");
    assert_eq!(fallback, ["a5", "b5", "c5", "f5", "g5", "h5"].map(|to| format!("inbound a8-{to}")));
    let dead = |scene: Scene| scene.dead().phase("inbound").var("restarter", "black").var("full_court", true);
    let back = texts(&*game(&[], "Rd8 Re8 | kb8 rh1", dead));
    assert!(back.contains(&"inbound b8-b8".to_owned()) && back.contains(&"inbound h1-a8".to_owned()), "{back:?}");
    assert_eq!(back.len(), 11);
}

#[test]
fn r23_what_a_new_possession_brings() {
    let mut play = game(&[], "Qa4* Pb1.^ Rh4 | rd8.", |scene| scene.var("shot", 2));
    all(&mut *play, &["pass a4-h4"]);
    assert!(marks(&*play, "b1").is_empty() && marks(&*play, "d8").is_empty());
    assert_eq!(play.state()["pieces"][0]["counters"], json!({}));
    // In its backcourt the bring-up clock runs, in the frontcourt the shot clock.
    assert_eq!((at(&*play, "bringup"), at(&*play, "shot")), (json!(5), Json::Null));
    let mut front = game(&[], "Qa6* Nh6 | nd4", |scene| scene.var("shot", 2));
    all(&mut *front, &["pass a6-h6"]);
    assert_eq!(
        (at(&*front, "handler"), at(&*front, "shot"), at(&*front, "bringup")),
        (json!("d4"), json!(6), Json::Null)
    );
}

#[test]
fn r24_clocks() {
    let back = |scene: Scene| scene.var("across", false);
    let clocks = |options: Options, pieces: &str, actions: &[&str]| {
        let mut play = game(options, pieces, back);
        all(&mut *play, actions);
        (at(&*play, "bringup"), at(&*play, "shot"))
    };
    assert_eq!(clocks(&[], "Qa4* Rh5 | kd8", &["hold"]), (json!(4), Json::Null));
    assert_eq!(clocks(&[("bring_up", "9")], "Qa4* Rh5 | kd8", &["hold"]), (json!(8), Json::Null));
    // A dribble across counts before the ball action; a pass across has ticked the other clock.
    assert_eq!(clocks(&[], "Qa4* Rh5 | kh8", &["Q* a4-a5", "hold"]), (Json::Null, json!(5)));
    assert_eq!(clocks(&[], "Qa4* Ra5 | kh8", &["pass a4-a5"]), (Json::Null, json!(6)));
    assert_eq!(clocks(&[("shot_clock", "3")], "Qa4* Ra5 | kh8", &["pass a4-a5"]), (Json::Null, json!(3)));
    // Going back does not bring the bring-up clock back.
    let mut again = game(&[], "Qa5* | kh8", |scene| scene.var("shot", 4));
    all(&mut *again, &["Q* a5-a3", "hold"]);
    assert_eq!((at(&*again, "bringup"), at(&*again, "shot")), (Json::Null, json!(3)));
}

#[test]
fn r25_clock_violations() {
    let out = |pieces: &str, clock: &str, across: bool, actions: &[&str]| {
        let mut play = game(&[], pieces, |scene| scene.var("across", across).var(clock, 1));
        all(&mut *play, actions)
    };
    assert_eq!(out("Qa4* | kh8", "bring_up", false, &["hold"]), " ! clock +1");
    assert_eq!(out("Qa4* Ra5 | kh8", "bring_up", false, &["pass a4-a5"]), "");
    assert_eq!(out("Qa5* | kh8", "shot", true, &["hold"]), " ! clock +1");
    // Before three seconds, and only one of them.
    assert_eq!(out("Qa5* Rc1! | kh8", "shot", true, &["hold"]), " ! clock +1");
    // An attempt is in time, however hopeless.
    assert_eq!(out("Qe4* | re6", "shot", true, &["shot e4-e8"]), " # e6");
}

#[test]
fn r26_substitutions_at_a_dead_ball() {
    let mut play = game(&[], "Qd5* Ra1 | ka8 rh1", same);
    say(&mut *play, "shot d5-d8");
    assert_eq!((at(&*play, "phase"), at(&*play, "to_act")), (json!("sub"), json!("black")));
    assert_eq!(texts(&*play), ["no sub", "sub a8 K", "sub h1 K"]);
    say(&mut *play, "sub h1 K");
    assert_eq!(at(&*play, "to_act"), "white");
    say(&mut *play, "no sub");
    assert_eq!((at(&*play, "phase"), at(&*play, "to_act")), (json!("inbound"), json!("black")));
    // Once a game: only White is asked at the next dead ball.
    let mut spent = game(&[], "Qd5* Ra1 | ka8 kh8+", |scene| scene.reserve("bench", "K", ""));
    say(&mut *spent, "shot d5-d8");
    assert_eq!(at(&*spent, "to_act"), "white");
    // No dead ball: the free point for a defensive three seconds.
    let mut free = game(&[], "Qa4* | kd8! ra8", same);
    assert_eq!(all(&mut *free, &["hold", "done"]), " ! 3s +1");
    assert_eq!(at(&*free, "phase"), "offense");
}

#[test]
fn r27_the_audit() {
    let end = |audit: &str, white: bool, black: bool| {
        let played = json!({"white": white, "black": black});
        let mut play = game(&[("audit", audit)], "Qd5* | ka1", |s| s.score(10, 3).var("sixth_played", played.clone()));
        say(&mut *play, "shot d5-d8");
        (at(&*play, "winner"), play.result()["rule"].clone())
    };
    assert_eq!(end("on", true, true), (json!("white"), json!("target")));
    assert_eq!(end("on", false, false), (json!("white"), json!("target")));
    assert_eq!(end("on", true, false), (json!("white"), json!("audit")));
    assert_eq!(end("on", false, true), (json!("black"), json!("audit")));
    assert_eq!(end("off", false, true), (json!("white"), json!("target")));
}

#[test]
fn r28_placement() {
    for (tip, first) in [("white", "black"), ("black", "white")] {
        let mut play = pickup().game(&[], &setup("QRBNP+K", "PPPPP+K", tip, 1));
        for number in 0..10 {
            let who = if number % 2 == 0 { first } else { tip };
            assert_eq!((at(&*play, "phase"), at(&*play, "to_act")), (json!("place"), json!(who)));
            let action = texts(&*play).swap_remove(0);
            say(&mut *play, &action);
        }
        assert_eq!((at(&*play, "phase"), at(&*play, "to_act")), (json!("inbound"), json!(tip)));
    }
}

#[test]
fn r29_an_illegal_start() {
    let start = |option: &str, places: &str| {
        let mut play = pickup().game(&[("start", option)], &setup("QRBNP+K", "QRBNP+K", "white", 1));
        places.split(';').for_each(|place| drop(say(&mut *play, &format!("place {place}"))));
        (at(&*play, "to_act"), texts(&*play).iter().any(|text| text == "inbound a8-d4"), play.score())
    };
    let nobody_home = "Q a8;Q a1;R b8;R b1;B g8;B g1;N h8;N h1;P h7;P h2";
    assert_eq!(start("casual", nobody_home), (json!("white"), false, vec![0, 0]));
    assert_eq!(start("tournament", nobody_home), (json!("black"), true, vec![0, 0]));
    let home = nobody_home.replace("Q a1", "Q d1");
    assert_eq!(start("tournament", &home), (json!("white"), false, vec![0, 0]));
    let held = "Q d1;Q a1;R e1;R b1;B g8;B g1;N h8;N h1;P h7;P h2";
    assert_eq!(start("tournament", held), (json!("white"), false, vec![0, 0]));
}

#[test]
fn r30_target_and_margin() {
    let wins = |options: Options, white: i32, black: i32| {
        let mut play = game(options, "Qd6* | ka1", |scene| scene.score(white, black));
        say(&mut *play, "shot d6-d8");
        play.is_over()
    };
    assert!(!wins(&[], 9, 0) && wins(&[], 10, 9) && !wins(&[], 10, 10));
    assert!(wins(&[("target", "5")], 4, 0) && !wins(&[("target", "21")], 10, 0));
    assert!(wins(&[("margin", "1")], 10, 10) && !wins(&[("margin", "4")], 10, 8));
}

#[test]
fn r31_final_possessions() {
    let mut play = game(&[], "Qd6* Rh1 | ka1", |scene| scene.score(10, 10).reserve("bench", "", ""));
    say(&mut *play, "shot d6-d8");
    assert_eq!(
        (play.state()["vars"]["finals_due"].clone(), play.state()["vars"]["finals"].clone()),
        (json!(true), json!(0))
    );
    say(&mut *play, "inbound a1-d8");
    assert_eq!(play.state()["vars"]["finals"], 1);
    // Within them the target wins nothing at once: only after the second.
    let finals = |number: i32, white: i32, black: i32| {
        let change =
            |s: Scene| s.score(white, black).var("finals_due", true).var("finals", number).reserve("bench", "", "");
        let mut play = game(&[], "Qd6* | ka1", change);
        say(&mut *play, "shot d6-d8");
        (play.is_over(), play.result()["rule"].clone(), play.state()["vars"]["sudden"].clone())
    };
    assert_eq!(finals(1, 11, 10), (false, Json::Null, json!(false)));
    assert_eq!(finals(2, 11, 10).1, "final");
    assert_eq!(finals(2, 10, 10), (false, Json::Null, json!(true)));
    // Due but not begun: the target still wins.
    assert_eq!(finals(0, 11, 10), (true, json!("target"), json!(false)));
}

#[test]
fn r32_sudden_death() {
    let sudden = |white: i32, black: i32| {
        let change = |s: Scene| s.score(white, black).var("finals_due", true).var("finals", 2).var("sudden", true);
        let mut play = game(&[], "Qd6* | ka1", change);
        say(&mut *play, "shot d6-d8");
        (at(&*play, "winner"), play.result()["rule"].clone())
    };
    assert_eq!(sudden(11, 11), (json!("white"), json!("sudden")));
    assert_eq!(sudden(10, 11), (Json::Null, Json::Null));
}

#[test]
fn r33_the_cap() {
    let capped = |score: (i32, i32), last: Json| {
        let change =
            |s: Scene| s.score(score.0, score.1).var("turns", 399).var("tip", "white").var("last_scorer", last.clone());
        let mut play = game(&[], "Qa4* | kh8", change);
        say(&mut *play, "hold");
        (at(&*play, "winner"), play.result()["rule"].clone())
    };
    assert_eq!(capped((3, 2), json!("black")), (json!("white"), json!("cap")));
    assert_eq!(capped((3, 3), json!("black")), (json!("black"), json!("cap")));
    assert_eq!(capped((0, 0), Json::Null), (json!("black"), json!("cap")));
    let mut short = game(&[("cap", "1")], "Qa4* | kh8", |scene| scene.score(1, 0));
    say(&mut *short, "hold");
    assert!(short.is_over());
    // Also in final possessions, and a target reached by the same action comes first.
    let finals = |s: Scene| s.score(12, 11).var("turns", 399).var("finals_due", true).var("finals", 1);
    let mut play = game(&[], "Qa4* | kh8", finals);
    say(&mut *play, "hold");
    assert_eq!(play.result()["rule"], "cap");
}
