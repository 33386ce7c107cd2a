//! The rulings on Pickup Chess, one test for each: the court, moves, throws, steals and blocks.

use std::collections::BTreeSet;

use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::pickup;
use fullcourt_tests::play::{say, texts};
use fullcourt_tests::scene::Scene;

type Options<'a> = &'a [(&'a str, &'a str)];

fn game(options: Options, side: &str, pieces: &str) -> Box<dyn Session> {
    let mut play = pickup().game(options, &Setup::default());
    Scene::offense(&*play, side, pieces).var("across", true).set(&mut *play);
    play
}

/// What a record says after White's action.
fn after(options: Options, pieces: &str, action: &str) -> String {
    say(&mut *game(options, "white", pieces), action)
}

/// The squares to which texts of that beginning lead.
fn targets(play: &dyn Session, start: &str) -> BTreeSet<String> {
    texts(play).iter().filter_map(|text| text.strip_prefix(start)).map(str::to_owned).collect()
}

fn set(squares: &str) -> BTreeSet<String> {
    squares.split_whitespace().map(str::to_owned).collect()
}

fn is_legal(options: Options, pieces: &str, action: &str) -> bool {
    texts(&*game(options, "white", pieces)).iter().any(|text| text == action)
}

#[test]
fn r1_rims_paints_and_center() {
    let play = pickup().game(&[], &Setup::default());
    let board = &play.rules().board;
    let drawn = |sign: &str| -> BTreeSet<String> {
        let places = (0..board.places()).filter(|&place| play.cell(place).zone.as_deref() == Some(sign));
        places.map(|place| board.name(place)).collect()
    };
    assert_eq!(drawn("="), set("d1 e1 d8 e8"));
    assert_eq!(drawn(":"), set("c1 f1 c2 d2 e2 f2 c7 d7 e7 f7 c8 f8"));
    assert_eq!(drawn("+"), set("d4 e4 d5 e5"));
}

#[test]
fn r2_the_arc_and_its_corners() {
    assert_eq!(after(&[], "Qd5* | ka1", "shot d5-d8"), " +2");
    assert_eq!(after(&[], "Qd6* | ka1", "shot d6-d8"), " +1");
    assert_eq!(after(&[], "Qa8* | ka1", "shot a8-d8"), " +2");
    assert_eq!(after(&[("corners", "no")], "Qa8* | ka1", "shot a8-d8"), " +1");
    assert_eq!(after(&[("arc", "0")], "Qd7* | ka1", "shot d7-d8"), " +2");
    assert_eq!(after(&[("arc", "8")], "Qd3* | ka1", "shot d3-d8"), " +1");
    let mut black = game(&[], "black", "Ka8 | qd3*");
    assert_eq!(say(&mut *black, "shot d3-d1"), " +1");
    let mut black = game(&[], "black", "Ka8 | qd4*");
    assert_eq!(say(&mut *black, "shot d4-d1"), " +2");
}

#[test]
fn r3_moves_end_on_empty_squares() {
    let play = game(&[], "white", "Ka1 Rb1 Qh4* Bc4 | pb2 ra6");
    assert_eq!(targets(&*play, "K a1-"), set("a2"));
    assert_eq!(targets(&*play, "B c4-"), set("b3 a2 b5 d3 e2 f1 d5 e6 f7 g8"));
}

#[test]
fn r4_the_burst_and_the_eurostep() {
    let around = "Pd4 Kh1*";
    let all = set("c3 d3 e3 c4 e4 c5 d5 e5 b2 b3 b4 b5 b6 c2 c6 d2 d6 e2 e6 f2 f3 f4 f5 f6");
    assert_eq!(targets(&*game(&[], "white", around), "P d4-"), all);
    let steps = set("c3 d3 e3 c4 e4 c5 d5 e5");
    assert_eq!(targets(&*game(&[("bursts", "0")], "white", around), "P d4-"), steps);
    assert_eq!(targets(&*game(&[], "white", "Pd4^ Kh1*"), "P d4-"), steps);
    assert_eq!(targets(&*game(&[("bursts", "2")], "white", "Pd4^ Kh1*"), "P d4-"), all);
    // The square between is taken: only a bend leads on.
    let blocked = |euro| targets(&*game(&[("eurostep", euro)], "white", "Pd4 Kh1* | pd5"), "P d4-").contains("d6");
    assert!(blocked("on") && !blocked("off"));
    // Closed in on all sides but one: two steps in another direction than the first.
    let corner = game(&[], "white", "Pa1 Kb1* Ra2 Qh8 Bh7 | pc2");
    assert_eq!(targets(&*corner, "P a1-"), set("b2 c1 c3 a3 b3"));
}

#[test]
fn r4_defenders_burst_straight_only() {
    let mut play = game(&[], "white", "Kh1* | pd4 rd5");
    say(&mut *play, "hold");
    let found = targets(&*play, "P d4-");
    assert!(!found.contains("d6") && !found.contains("c6") && found.contains("b4"), "{found:?}");
    say(&mut *play, "P d4-b4");
    assert_eq!(play.state()["pieces"][1]["counters"]["bursts"], 1);
}

#[test]
fn r5_energy_is_of_the_possession_or_of_the_turn() {
    let again = |energy: &str| {
        let mut play = game(&[("energy", energy)], "white", "Ka1 Qh4* | ra6");
        for action in ["K a1-a2", "hold", "R a6-b6", "done"] {
            say(&mut *play, action);
        }
        let own = !targets(&*play, "K a2-").is_empty();
        say(&mut *play, "hold");
        assert_eq!(!targets(&*play, "R b6-").is_empty(), own);
        own
    };
    assert!(!again("possession") && again("turn"));
    let mut once = game(&[("energy", "turn")], "white", "Ka1 Qh4* | ra6");
    say(&mut *once, "K a1-a2");
    assert!(targets(&*once, "K a2-").is_empty());
}

#[test]
fn r6_the_handler_needs_no_energy_but_its_burst() {
    let mut play = game(&[], "white", "Kh4*. | ra6");
    say(&mut *play, "K* h4-h5");
    assert_eq!(play.state()["pieces"][0]["marks"], serde_json::json!(["spent"]));
    let mut fresh = game(&[], "white", "Ph4* | ra6");
    say(&mut *fresh, "P* h4-h6");
    assert_eq!(fresh.state()["pieces"][1]["marks"], serde_json::json!([]));
    assert_eq!(fresh.state()["pieces"][1]["counters"]["bursts"], 1);
    assert_eq!(targets(&*game(&[], "white", "Ph4*^ | ra6"), "P* h4-"), set("g3 h3 g4 g5 h5"));
}

#[test]
fn r7_cutters_first_then_the_handler_then_the_ball() {
    let mut play = game(&[], "white", "Ka1 Nh4* | ra6");
    assert_eq!(play.state()["phase"], "offense");
    say(&mut *play, "N* h4-g6");
    assert_eq!(play.state()["phase"], "ball");
    assert_eq!(texts(&*play), ["hold"]);
    // A move onto the attacked rim is the ball action itself.
    let mut drive = game(&[], "white", "Qd5* | ka1");
    assert_eq!(say(&mut *drive, "Q* d5-d8"), " +2");
    let mut defense = game(&[], "white", "Kh4* | ra6 nb8");
    say(&mut *defense, "hold");
    say(&mut *defense, "N b8-c6");
    assert!(targets(&*defense, "N c6-").is_empty() && !targets(&*defense, "R a6-").is_empty());
    say(&mut *defense, "done");
    assert_eq!(defense.state()["phase"], "offense");
}

#[test]
fn r8_a_debtor_without_energy_moves_only_to_pay() {
    assert_eq!(targets(&*game(&[], "white", "Kc2.! Qh4* | ra8"), "K c2-"), set("b1 b2 b3 c3 d3 d1"));
    assert_eq!(targets(&*game(&[], "white", "Kd1.! Qh4* | ra8"), "K d1-"), set(""));
    assert_eq!(targets(&*game(&[], "white", "Kc2! Qh4* | ra8"), "K c2-").len(), 8);
    assert_eq!(targets(&*game(&[], "white", "Kc2.!' Qh4* | ra8"), "K c2-"), set(""));
    assert_eq!(targets(&*game(&[], "white", "Kc2. Qh4* | ra8"), "K c2-"), set(""));
}

#[test]
fn r9_throws_go_far() {
    let throws = |thrower: &str| targets(&*game(&[], "white", thrower), &format!("pass {}-", &thrower[1..3]));
    assert_eq!(throws("Ka1* Rh8 Qa8 Bh1 Nb3 | pg2"), set("h8 a8 h1"));
    assert_eq!(throws("Ra1* Rh8 Qa8 Bh1 Nb3 | pg2"), set("a8 h1"));
    assert_eq!(throws("Ba1* Rh8 Qa8 Bh1 Nb3 | pg2"), set("h8"));
    assert_eq!(throws("Na1* Rh8 Qa8 Bh1 Nb3 | pg2"), set("b3"));
    assert_eq!(throws("Pa1* Rh8 Qa8 Bh1 Nb3 | pg2"), set("h8 a8 h1"));
    // A pass to a teammate on the attacked rim scores nothing.
    assert_eq!(after(&[], "Qd3* Nd8 | ka1", "pass d3-d8"), "");
}

#[test]
fn r10_the_lane_lies_between() {
    // A Knight's pass, and one to a neighbor, have no lane: nobody takes them.
    assert_eq!(after(&[], "Nd4* Rf5 | qe4 qe5 rf4", "pass d4-f5"), "");
    assert_eq!(after(&[], "Kd4* Re5 | qe4 qd5 rf5", "pass d4-e5"), "");
    // For a shot the rim square is part of the lane.
    assert_eq!(after(&[], "Nc6* | rh8", "shot c6-d8"), " # h8");
}

#[test]
fn r11_kings_and_pawns_do_not_lob() {
    assert!(!is_legal(&[], "Ka4* Nc4 Rh4 | ka8", "pass a4-h4"));
    assert!(!is_legal(&[], "Pd3* Nd5 | ka8", "shot d3-d8"));
    assert!(is_legal(&[], "Ra4* Nc4 Rh4 | ka8", "pass a4-h4"));
    assert_eq!(after(&[], "Ka4* Rh4 | nc4", "pass a4-h4"), " x c4");
    assert_eq!(after(&[], "Ka4* Rh4 | kc7", "pass a4-h4"), "");
    assert_eq!(after(&[], "Ra4* Nc4 Rh4 | nd4", "pass a4-h4"), "");
}

#[test]
fn r12_screens_and_the_value_of_a_drive() {
    assert!(!is_legal(&[], "Qd5* Nd8 | ka1", "shot d5-d8"));
    assert_eq!(after(&[("rim_screen", "yes")], "Qd5* Nd8 | ka1", "shot d5-d8"), " +2");
    assert_eq!(after(&[("drive_value", "1")], "Qd5* | ka1", "Q* d5-d8"), " +1");
    assert_eq!(after(&[("drive_value", "origin")], "Qd6* | ka1", "Q* d6-d8"), " +1");
}

#[test]
fn r13_who_steals_a_pass() {
    // (b) Who can move into the lane, whatever its energy or debts.
    assert_eq!(after(&[], "Qa4* Rh4 | rd8", "pass a4-h4"), " x d8");
    assert_eq!(after(&[], "Qa4* Rh4 | rd8.!", "pass a4-h4"), " x d8");
    assert_eq!(after(&[("lob", "safe")], "Qa4* Rh4 | rd8", "pass a4-h4"), "");
    assert_eq!(after(&[("lob", "safe")], "Ka4* Rh4 | rd8", "pass a4-h4"), " x d8");
    // Not who only could move further along the lane in which it stands, when the throw is lobbed.
    assert_eq!(after(&[], "Qa4* Rh4 | rd4", "pass a4-h4"), "");
    // A Pawn's burst into the lane is straight, and need not be left.
    assert_eq!(after(&[], "Qa4* Rh4 | pd6^", "pass a4-h4"), " x d6");
    assert_eq!(after(&[], "Qa4* Rh4 Nd5 Nc5 Ne5 | pd6", "pass a4-h4"), "");
    // (c) A Pawn outside of both paints beside the lane, lob or not.
    assert_eq!(after(&[("lob", "safe")], "Qa4* Rh4 | pd5", "pass a4-h4"), " x d5");
    assert_eq!(after(&[("lob", "safe")], "Qa4* Rh4 | pd4", "pass a4-h4"), " x d4");
    assert_eq!(after(&[("lob", "safe")], "Qa3* Rh3 | pd2", "pass a3-h3"), "");
    // (d) A King in its own paint beside a lane square that lies in that paint.
    assert_eq!(after(&[("lob", "safe")], "Qa7* Rh7 | kd8", "pass a7-h7"), " x d8");
    assert_eq!(after(&[("lob", "safe")], "Qa7* Rh7 | kd6", "pass a7-h7"), "");
    assert_eq!(after(&[("lob", "safe")], "Qa6* Rh6 | kd7", "pass a6-h6"), "");
    assert_eq!(after(&[("lob", "safe")], "Qa2* Rh2 | kd1", "pass a2-h2"), "");
}

#[test]
fn r14_who_blocks_a_shot() {
    assert_eq!(after(&[], "Qe4* | re6", "shot e4-e8"), " # e6");
    assert_eq!(after(&[], "Qe4* | qh5", "shot e4-e8"), " # h5");
    // Not in front: the scalar product is not positive.
    assert_eq!(after(&[], "Qe4* | qh3", "shot e4-e8"), " +2");
    assert_eq!(after(&[("lob", "safe")], "Qe4* | qh5", "shot e4-e8"), " # h5");
    // A King in its own paint, in front or not.
    assert_eq!(after(&[], "Qc8* | kc7", "shot c8-d8"), " # c7");
    // A screen shuts the rim square to those who would move there.
    assert_eq!(after(&[], "Qd5* | rh8", "shot d5-d8"), " # h8");
    assert_eq!(after(&[("rim_screen", "yes")], "Qd5* Nd8 | rh8", "shot d5-d8"), " +2");
}

#[test]
fn r15_a_drive_is_tested_from_where_it_begins() {
    let mut play = game(&[], "white", "Qd5* | ra6");
    assert_eq!(say(&mut *play, "Q* d5-d8"), " # a6");
    let state = play.state();
    assert!(state["pieces"].as_array().is_some_and(|pieces| pieces.iter().any(|p| p["square"] == "d5")));
    // A bent one has only the rim square in its lane: who reaches e7 does not stop it.
    assert_eq!(after(&[], "Pd6* Nd7 | rh7", "P* d6-d8"), " +1");
    assert_eq!(after(&[], "Pd6* | rh7", "P* d6-d8"), " # h7");
    assert_eq!(after(&[], "Nc6* | ra7", "N* c6-d8"), " +1");
}

#[test]
fn r16_the_defense_chooses_who_takes_it() {
    let mut play = game(&[], "white", "Qa4* Rh4 | rd8 re8");
    assert_eq!(say(&mut *play, "pass a4-h4"), "");
    let state = play.state();
    assert_eq!((&state["phase"], &state["to_act"]), (&"steal".into(), &"black".into()));
    assert_eq!((&state["handler"], &state["shot"]), (&"a4".into(), &6.into()));
    assert_eq!(texts(&*play), ["steal d8", "steal e8"]);
    assert_eq!(say(&mut *play, "steal e8"), " x e8");
    assert_eq!(play.state()["handler"], "e8");
    let mut block = game(&[], "white", "Qe4* | qh5 re6");
    say(&mut *block, "shot e4-e8");
    assert_eq!(texts(&*block), ["block e6", "block h5"]);
    assert_eq!(say(&mut *block, "block h5"), " # h5");
    // Where the thief takes it.
    assert_eq!(after(&[("steal_spot", "lane")], "Qa4* Rh4 | qe8", "pass a4-h4"), " x e4");
    assert_eq!(after(&[("steal_spot", "lane")], "Ka4* Rh4 | nc4", "pass a4-h4"), " x c4");
    assert_eq!(after(&[("steal_spot", "own")], "Qa4* Rh4 | qe8", "pass a4-h4"), " x e8");
}

#[test]
fn r17_the_new_offense_acts_at_once() {
    for (pieces, action) in [("Qa4* Rh4 | rd8", "pass a4-h4"), ("Qe4* | re6", "shot e4-e8")] {
        let mut play = game(&[], "white", pieces);
        say(&mut *play, action);
        let state = play.state();
        assert_eq!((&state["phase"], &state["to_act"]), (&"offense".into(), &"black".into()));
        assert_eq!(play.score(), [0, 0]);
    }
}
