//! The rulings on Soccer Chess that make a match of its sets: after a goal, placement, two games and what decides them.

use std::collections::BTreeSet;

use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::lines::{end, refused};
use fullcourt_tests::pitch::{Options, SOCCER, ball, first_set, pitch};
use fullcourt_tests::play::{say, texts};

fn set(squares: &str) -> BTreeSet<String> {
    squares.split_whitespace().map(str::to_owned).collect()
}

fn targets(play: &dyn Session, start: &str) -> BTreeSet<String> {
    texts(play).iter().filter_map(|text| text.strip_prefix(start)).map(str::to_owned).collect()
}

/// Where the ball lies after Visited's goal from i13 to g18 by its Rook, with these men about the center.
fn after_visited(men: &str) -> String {
    let mut play = first_set(&[], &format!("Rg12 Kf1 kd17 {men}"), "g13");
    say(&mut *play, "R g12xg18");
    ball(&*play)
}

/// The same after the Visitor's goal.
fn after_visitor(men: &str) -> String {
    let mut play = SOCCER.at(&[], &pitch(&format!("rg6 Kd1 kd17 {men}"), "g5 play v 1 1 - 0-0 0-0 h"));
    say(&mut *play, "R g6xg0");
    ball(&*play)
}

#[test]
fn s7_the_ball_goes_back_to_the_center() {
    assert_eq!((after_visited("").as_str(), after_visitor("").as_str()), ("f9", "f9"));
    // With somebody on f9: one step away, nearer to the goal of the side that was scored on, on the lower file.
    for (men, visited, visitor) in [
        ("Nf9", "e10", "e8"),
        ("nf9", "e10", "e8"),
        ("Nf9 Ne10 Ne8", "f10", "f8"),
        ("Nf9 Ne10 Nf10 Ne8 Nf8", "g10", "g8"),
        ("Nf9 Ne10 Nf10 bg10 Ne8 nf8 bg8", "e9", "e9"),
        ("Nf9 Ne10 Nf10 bg10 Ne8 nf8 bg8 Be9", "g9", "g9"),
        ("Nf9 Ne10 Nf10 bg10 Be9 bg9", "e8", "e8"),
        ("Nf9 Ne8 nf8 bg8 Be9 bg9", "e10", "e10"),
        // All eight taken: two steps away.
        ("Nf9 Ne10 Nf10 bg10 Ne8 nf8 bg8 Be9 bg9", "d11", "d7"),
        ("Nf9 Ne10 Nf10 bg10 Ne8 nf8 bg8 Be9 bg9 qd11 qd7", "e11", "e7"),
    ] {
        assert_eq!((after_visited(men).as_str(), after_visitor(men).as_str()), (visited, visitor), "{men}");
    }
}

#[test]
fn s7_the_pieces_stay() {
    for options in [&[][..], &[("after_goal", "play_on")]] {
        let mut play = first_set(options, "Rf12 Nc11 Kf1 kd17", "f13");
        say(&mut *play, "N c11-d13");
        say(&mut *play, "R f12xf18");
        assert_eq!(play.line(), Some(pitch("Rf13 Nd13 Kf1 kd17", "f9 play v 1 1 - 1-0 0-0 h")));
    }
}

/// A whole placement; Visited's Queens stand on e8 and g8, its Rooks on a8 and k8, its Backs on b7 d7 h7 j7.
const VISITOR: &str = "K d17 N a13 N b13 N j13 N k13 R a11 R k11 B a12 B k12 Q a10 Q k10";
const VISITED: &str = "K d1 N b7 N d7 N h7 N j7 R a8 R k8 B c4 B i4 Q e8 Q g8";

fn place(play: &mut dyn Session, men: &str) {
    let words: Vec<&str> = men.split_whitespace().collect();
    words.chunks(2).for_each(|man| drop(say(play, &format!("place {} {}", man[0], man[1]))));
}

fn placed(options: Options) -> Box<dyn Session> {
    let mut play = SOCCER.game(options, &Setup::default());
    place(&mut *play, VISITOR);
    place(&mut *play, VISITED);
    play
}

/// The men of a line.
fn men(play: &dyn Session) -> String {
    play.line().unwrap_or_default().split('[').next().unwrap_or_default().to_owned()
}

const PLACED: &str = "3k7/11/11/11/nn7nn/b9b/r9r/q9q/11/R3Q1Q3R/1N1N3N1N1/11/11/2B5B2/11/11/3K7";

#[test]
fn s7_at_a_kick_off_all_go_back() {
    let kick_off: Options = &[("after_goal", "kick_off")];
    let mut play = placed(kick_off);
    assert_eq!(men(&*play), PLACED);
    say(&mut *play, "N b7-c5");
    say(&mut *play, "N d7-b6");
    say(&mut *play, "Q e8xf18");
    assert_eq!(men(&*play), PLACED);
    assert_eq!((ball(&*play), play.to_act(), play.score()), ("f9".to_owned(), Some(1), vec![1, 0]));
    // Without it the same game goes on from where they stand.
    let mut stays = placed(&[]);
    say(&mut *stays, "N b7-c5");
    say(&mut *stays, "Q e8xf18");
    assert_eq!((ball(&*stays), men(&*stays).contains("R5Q3R/3N3N1N1")), ("e10".to_owned(), true), "{:?}", stays.line());
}

#[test]
fn s7_at_a_kick_off_men_change_places_at_once() {
    let mut play = placed(&[("after_goal", "kick_off")]);
    // Two Backs, a Rook and a Half come to stand on squares where others were placed.
    for text in ["N b7-c9", "N d7-b6", "R a8-a7", "B c4-d5", "done"] {
        say(&mut *play, text);
    }
    for text in ["K d17-d16", "R a11-b11", "Q a10-b10", "done"] {
        say(&mut *play, text);
    }
    for text in ["N c9-d7", "N b6-c8", "B d5-a8", "R a7-b7", "done"] {
        say(&mut *play, text);
    }
    say(&mut *play, "R b11-a11");
    say(&mut *play, "Q b10-a9");
    say(&mut *play, "done");
    // The Rook stands on a Back's square, the Back on another Back's, the Half on the Rook's.
    assert!(men(&*play).contains("/B1N1Q1Q3R/1R1N3N1N1/"), "{}", men(&*play));
    say(&mut *play, "Q g8xf18");
    assert_eq!(men(&*play), PLACED);
    // Each man is where it was itself: the next game of the same men goes the same way.
    say(&mut *play, "done");
    for text in ["N b7-c9", "R a8-a7", "Q g8xf18"] {
        say(&mut *play, text);
    }
    assert_eq!((men(&*play).as_str(), play.score()), (PLACED, vec![2, 0]));
}

#[test]
fn s7_at_a_kick_off_goals_that_end_no_set_bring_them_back_too() {
    let mut play = placed(&[("after_goal", "kick_off"), ("goal_ends_set", "no")]);
    say(&mut *play, "N b7-c5");
    say(&mut *play, "Q e8xf18");
    assert_eq!((men(&*play).as_str(), ball(&*play), play.to_act()), (PLACED, "f9".to_owned(), Some(0)));
    // Who has moved in this set still has.
    assert_eq!(targets(&*play, "Q e8"), set(""));
    assert_eq!(targets(&*play, "N b7"), set(""));
    assert!(targets(&*play, "Q g8x").contains("f18"));
}

#[test]
fn s7_a_position_may_say_where_they_were_placed() {
    let kick_off: Options = &[("after_goal", "kick_off")];
    // The two Rooks stand on each other's squares.
    let line = pitch("Rf12 Ra5 Kf1 kd17", "f13 play h 1 0 - 0-0 0-0 h");
    let line = format!("{} f1e1f12a5a5f12d17d17", line.trim_end_matches(" -"));
    let mut play = SOCCER.at(kick_off, &line);
    assert_eq!(play.line().map(|said| said.len()), Some(line.len()));
    say(&mut *play, "R f12xf18");
    assert_eq!(men(&*play), men(&*SOCCER.at(&[], &pitch("Rf12 Ra5 Ke1 kd17", "f9 play v 1 1 - 1-0 0-0 h"))));
}

/// A text without these squares is refused, or the goal is scored all the same: no legal action faults.
#[test]
fn s7_a_position_that_does_not_say_where_they_were_placed() {
    let mut play = SOCCER.game(&[("after_goal", "kick_off")], &Setup::default());
    if play.set_line(&pitch("Rf12 Na5 Kf1 kd17", "f13 play h 1 0 - 0-0 0-0 h")).is_err() {
        return;
    }
    say(&mut *play, "R f12xf18");
    assert_eq!((play.score(), play.check_invariants()), (vec![1, 0], Ok(())));
}

/// The squares of some ranks that lie in no small area.
fn area(ranks: std::ops::RangeInclusive<u8>) -> BTreeSet<String> {
    let squares = ranks.flat_map(|rank| ('a'..='k').map(move |file| (file, rank)));
    let outside = squares.filter(|(file, rank)| !(('d'..='h').contains(file) && (*rank <= 2 || *rank >= 16)));
    outside.map(|(file, rank)| format!("{file}{rank}")).collect()
}

#[test]
fn s8_who_places_whom_where() {
    let mut play = SOCCER.game(&[], &Setup::default());
    assert_eq!(play.to_act(), Some(1));
    let upper = area(10..=17);
    assert_eq!(upper.len(), 78);
    for kind in ["N", "R", "B", "Q"] {
        assert_eq!(targets(&*play, &format!("place {kind} ")), upper, "{kind}");
    }
    assert_eq!(targets(&*play, "place K "), set("d16 e16 f16 g16 h16 d17 e17 f17 g17 h17"));
    assert_eq!(texts(&*play).len(), 4 * 78 + 10);
    assert!(ball(&*play).is_empty());
    place(&mut *play, "Q a10 Q b10");
    // Neither a third Queen nor a taken square.
    assert_eq!(targets(&*play, "place Q "), set(""));
    assert_eq!(targets(&*play, "place N "), &upper - &set("a10 b10"));
    place(&mut *play, "N a13 N b13 N j13 N k13 R a11 R k11 B a12 B k12");
    assert_eq!(play.to_act(), Some(1));
    assert_eq!(texts(&*play).len(), 10);
    place(&mut *play, "K d17");
    // All eleven stand; now the visited side.
    assert_eq!(play.to_act(), Some(0));
    for kind in ["N", "R", "B", "Q"] {
        assert_eq!(targets(&*play, &format!("place {kind} ")), area(1..=8), "{kind}");
    }
    assert_eq!(targets(&*play, "place K "), set("d1 e1 f1 g1 h1 d2 e2 f2 g2 h2"));
    place(&mut *play, VISITED);
    // The visited side has the first set, with the ball on f9.
    assert_eq!(
        (play.to_act(), ball(&*play).as_str(), play.phase()),
        (Some(0), "f9", first_set(&[], "Kf1 kf17", "a1").phase())
    );
}

/// Says `done` in the last set of a game with this stage, score, goals away, and who is First.
fn last_set(options: Options, stage: u32, sets: u32, score: &str) -> Box<dyn Session> {
    let asked = if sets.is_multiple_of(2) { 'h' } else { 'v' };
    let line = pitch("Rf12 Kd1 rf6 kd17", &format!("a9 play {asked} {stage} {sets} - {score}"));
    let mut play = SOCCER.at(options, &line);
    say(&mut *play, "done");
    play
}

/// Stage, sets, score, goals away and First of a line.
fn match_of(play: &dyn Session) -> String {
    let line = play.line().unwrap_or_default();
    let words: Vec<&str> = line.split(' ').collect();
    format!("{} {} {} {} {}", words[4], words[5], words[7], words[8], words[9])
}

#[test]
fn s6_a_game_is_thirty_sets() {
    assert_eq!(match_of(&*last_set(&[], 1, 28, "0-0 0-0 h")), "1 29 0-0 0-0 h");
    assert_eq!(match_of(&*last_set(&[], 1, 29, "0-0 0-0 h")), "2 0 0-0 0-0 v");
    assert_eq!(match_of(&*last_set(&[("sets", "4")], 1, 2, "0-0 0-0 h")), "1 3 0-0 0-0 h");
    assert_eq!(match_of(&*last_set(&[("sets", "4")], 1, 3, "0-0 0-0 h")), "2 0 0-0 0-0 v");
    assert_eq!(match_of(&*last_set(&[("sets", "40")], 1, 29, "0-0 0-0 h")), "1 30 0-0 0-0 h");
    // A goal in the last set ends it, and the game.
    let mut play = SOCCER.at(&[], &pitch("Kd1 rf6 kd17", "f5 play v 1 29 - 2-0 0-0 h"));
    say(&mut *play, "R f6xf0");
    // First, who was visited, has two goals and is the Visitor now; Second has one, scored away.
    assert_eq!(match_of(&*play), "2 0 1-2 1-0 v");
}

#[test]
fn s9_roles_are_exchanged_and_goals_belong_to_players() {
    // First has scored 3, at home; Second 2, away.
    let mut play = SOCCER.at(&[("sets", "2")], &pitch("Rf12 Kd1 rf6 kd17", "a9 play v 1 1 - 3-2 0-2 h"));
    say(&mut *play, "done");
    assert_eq!(
        play.line().as_deref().and_then(|line| line.split_once('[')).map(|(men, _)| men),
        Some(&*["11"; 17].join("/"))
    );
    assert_eq!(match_of(&*play), "2 0 2-3 2-0 v");
    // The new visitor places first.
    assert_eq!(play.to_act(), Some(1));
    let mut play = placed(&[("sets", "2")]);
    say(&mut *play, "Q e8xf18");
    say(&mut *play, "done");
    assert!(
        play.line().is_some_and(|line| line.contains("[KNNNNRRBBQQknnnnrrbbqq] - placing v 2 0 - 0-1 0-0 v -")),
        "{:?}",
        play.line()
    );
    // Second, visited now, has none; a goal of First is one away.
    place(&mut *play, VISITOR);
    place(&mut *play, VISITED.replace("Q e8", "Q e7").as_str());
    assert_eq!((play.to_act(), ball(&*play).as_str()), (Some(0), "f9"));
    say(&mut *play, "done");
    assert_eq!(match_of(&*play), "2 1 0-1 0-0 v");
}

#[test]
fn s9_more_goals_win() {
    let over = |score: &str| end(&*last_set(&[], 2, 29, score));
    assert_eq!(over("2-1 0-1 v"), "visited full_time");
    assert_eq!(over("1-2 0-1 v"), "visitor full_time");
    // Goals away do not matter then.
    assert_eq!(over("3-2 0-2 v"), "visited full_time");
    assert_eq!(over("2-3 2-0 v"), "visitor full_time");
    // Before the last set nothing is decided.
    assert_eq!(end(&*last_set(&[], 2, 28, "5-0 0-0 v")), "");
}

#[test]
fn s9_goals_away_decide_a_level_match() {
    let over = |score: &str| end(&*last_set(&[], 2, 29, score));
    assert_eq!(over("2-2 1-0 v"), "visited full_time");
    assert_eq!(over("2-2 1-2 v"), "visitor full_time");
    assert_eq!(over("2-2 2-1 v"), "visited full_time");
    let level = last_set(&[], 2, 29, "2-2 1-1 v");
    assert_eq!((end(&*level).as_str(), match_of(&*level).as_str()), ("", "3 30 2-2 1-1 v"));
    assert_eq!(level.to_act(), Some(0));
    // The Visitor's goal in the last set counts away: First had one away before.
    let mut play = SOCCER.at(&[], &pitch("Kd1 rf6 kd17", "f5 play v 2 29 - 2-1 1-0 v"));
    say(&mut *play, "R f6xf0");
    assert_eq!((end(&*play).as_str(), match_of(&*play).as_str()), ("", "3 30 2-2 1-1 v"));
}

#[test]
fn s9_then_the_next_goal_wins() {
    for options in [&[][..], &[("extra_sets", "off")]] {
        let mut visited = SOCCER.at(options, &pitch("Rf12 Kd1 kd17", "f13 play h 3 30 - 1-1 0-0 v"));
        say(&mut *visited, "R f12xf18");
        assert_eq!((end(&*visited).as_str(), visited.score()), ("visited golden_goal", vec![2, 1]));
    }
    let mut visitor = SOCCER.at(&[], &pitch("Kd1 rf6 kd17", "f5 play v 3 89 - 0-0 0-0 v"));
    say(&mut *visitor, "R f6xf0");
    assert_eq!(end(&*visitor), "visitor golden_goal");
    // An own goal counts for the other side.
    let mut own = SOCCER.at(&[("own_goals", "on")], &pitch("Rf7 Kd1 kd17", "f9 play h 3 30 - 0-0 0-0 v"));
    say(&mut *own, "R f7xf0");
    assert_eq!(end(&*own), "visitor golden_goal");
    // Also in the middle of a set that goals do not end.
    let mut middle = SOCCER.at(&[("goal_ends_set", "no")], &pitch("Rf12 Na5 Kd1 kd17", "f13 play h 3 30 - 1-1 0-0 v"));
    say(&mut *middle, "R f12xf18");
    assert_eq!(end(&*middle), "visited golden_goal");
    assert!(texts(&*middle).is_empty() && !refused(&*middle, "done").is_empty());
}

#[test]
fn s9_after_so_many_sets_without_a_goal_the_match_is_drawn() {
    let over = |options: Options, sets: u32| end(&*last_set(options, 3, sets, "1-1 0-0 v"));
    assert_eq!(over(&[], 88), "");
    assert_eq!(over(&[], 89), "draw no_goal");
    assert_eq!(over(&[("extra_sets", "2")], 30), "");
    assert_eq!(over(&[("extra_sets", "2")], 31), "draw no_goal");
    assert_eq!(over(&[("extra_sets", "2"), ("sets", "10")], 10), "");
    assert_eq!(over(&[("extra_sets", "2"), ("sets", "10")], 11), "draw no_goal");
    for sets in [89, 90, 500] {
        assert_eq!(over(&[("extra_sets", "off")], sets), "");
    }
    // One more set means one more, not none.
    let one: Options = &[("extra_sets", "1")];
    let mut play = last_set(one, 2, 29, "1-1 0-0 v");
    assert_eq!(end(&*play), "");
    say(&mut *play, "done");
    assert_eq!(end(&*play), "draw no_goal");
}
