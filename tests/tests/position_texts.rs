//! Positions in one line: written and read again they are the same, and a wrong one is refused with its reason. What holds
//! in every game of every shipped ruleset stands here too.

#![allow(clippy::panic, reason = "a test may fail")]

use std::sync::LazyLock;

use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::lines::end;
use fullcourt_tests::play::{play_random, random_setup, texts};
use fullcourt_tests::{Loaded, TestFiles, load, root};

/// All shipped rulesets with their names.
static SHIPPED: LazyLock<Vec<(String, Loaded)>> = LazyLock::new(|| {
    let folder = std::fs::read_dir(root().join("rulesets")).expect("the rulesets are there");
    let names = folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".court").map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), load(&TestFiles::default(), &name))).collect()
});

fn shipped(name: &str) -> &'static Loaded {
    let found = SHIPPED.iter().find(|(known, _)| known == name);
    found.map_or_else(|| panic!("there is no {name}"), |(_, rules)| rules)
}

/// Those that write positions in one line.
fn with_lines() -> impl Iterator<Item = &'static (String, Loaded)> {
    SHIPPED.iter().filter(|(_, rules)| !rules.compiled.rules.positions.is_empty())
}

/// A game from a seed, with random options unless others are given.
fn random_game(rules: &Loaded, seed: u64, options: Option<&[(&str, &str)]>) -> Box<dyn Session> {
    let mut rng = Rng::new(seed ^ 0x5A5A);
    let mut drawn = rules.random_options(&mut rng);
    // A short cap, so that ends are seen.
    if rules.compiled.rules.options.iter().any(|option| option.name == "cap") {
        drawn.retain(|(name, _)| name != "cap");
        drawn.push(("cap".into(), "20".into()));
    }
    let drawn: Vec<(&str, &str)> = drawn.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let lineups = rules.compiled.rules.setups.iter().any(|setup| setup.name == "lineup");
    let setup = if lineups { random_setup(&mut rng) } else { Setup { values: Vec::new(), seed } };
    rules.game(options.unwrap_or(&drawn), &setup)
}

#[test]
fn all_shipped_rulesets_write_positions() {
    let names: Vec<&str> = with_lines().map(|(name, _)| name.as_str()).collect();
    for name in ["chess", "exoplanet-chess", "soccer-chess", "pickup-chess"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
}

#[test]
fn a_line_says_the_whole_position() {
    for (name, rules) in with_lines() {
        for seed in 1..=6 {
            let mut play = random_game(rules, seed, None);
            let mut copy = play.branch();
            let mut chance = Rng::new(seed);
            play_random(&mut *play, seed, 400, |play, legal, _| {
                if chance.below(3) > 0 {
                    return;
                }
                let line = play.line().expect("it has a text");
                copy.set_line(&line).unwrap_or_else(|wrong| panic!("{name} {seed}: {wrong} in `{line}`"));
                assert_eq!(copy.line().as_ref(), Some(&line), "{name} {seed}");
                assert_eq!(
                    (copy.to_act(), copy.phase(), copy.score()),
                    (play.to_act(), play.phase(), play.score()),
                    "{line}"
                );
                assert_eq!(texts(&*copy), texts(play), "{name} {seed} `{line}`");
                assert_eq!(copy.legal().expect("no fault").len(), legal.len());
                let (kept, anew) = copy.hashes();
                assert_eq!(kept, anew, "{name} {seed} `{line}`");
                if ["chess", "exoplanet-chess"].contains(&name.as_str()) {
                    assert_eq!(copy.hashes(), play.hashes(), "{name} {seed} `{line}`");
                }
                assert!(!copy.undo() && copy.check_invariants().is_ok());
            });
        }
    }
}

#[test]
fn the_game_goes_on_the_same_from_a_line() {
    for (name, rules) in with_lines() {
        // What was played before a position is not in its text.
        let past = rules.compiled.rules.options.iter().any(|option| option.name == "repetition");
        let options: &[(&str, &str)] = match name.as_str() {
            "soccer-chess" => &[("sets", "6"), ("after_goal", "kick_off"), ("own_goals", "on")],
            _ if past => &[("repetition", "off")],
            _ => &[],
        };
        for seed in 1..=4 {
            let mut play = random_game(rules, seed, Some(options));
            let mut copies: Vec<(Box<dyn Session>, usize)> = Vec::new();
            let mut chance = Rng::new(seed);
            let mut said: Vec<String> = Vec::new();
            play_random(&mut *play, seed, 300, |play, _, action| {
                if chance.below(40) == 0 {
                    let mut copy = play.branch();
                    copy.set_line(&play.line().expect("it has a text"))
                        .unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
                    copies.push((copy, said.len()));
                }
                said.push(play.text(action));
            });
            for (mut copy, from) in copies {
                for text in &said[from..] {
                    let found = copy.find(text).unwrap_or_else(|fault| panic!("{name} {seed} {text}: {fault}"));
                    let action =
                        found.unwrap_or_else(|why| panic!("{name} {seed} {text}: {why:?} in {:?}", copy.line()));
                    copy.play(action).unwrap_or_else(|fault| panic!("{name} {seed} {text}: {fault}"));
                }
                assert_eq!((copy.line(), end(&*copy)), (play.line(), end(&*play)), "{name} {seed} from {from}");
            }
        }
    }
}

#[test]
fn invariants_hashes_and_undo_hold_in_all_games() {
    for (name, rules) in &*SHIPPED {
        for seed in 1..=8 {
            let mut play = random_game(rules, seed, None);
            let mut before: Option<(serde_json::Value, (u64, u64), Option<String>)> = None;
            let look = |play: &dyn Session| {
                let (kept, anew) = play.hashes();
                assert_eq!(kept, anew, "{name} {seed} {}", play.state());
                assert_eq!(play.check_invariants(), Ok(()), "{name} {seed} {}", play.state());
            };
            play_random(&mut *play, seed, 500, |play, legal, action| {
                look(play);
                let now = (play.state(), play.hashes(), play.line());
                play.play(action).expect("a legal action can be played");
                look(play);
                assert!(play.undo(), "{name} {seed}");
                assert_eq!((play.state(), play.hashes(), play.line()), now, "{name} {seed}");
                assert_eq!(play.legal().expect("no fault"), legal, "{name} {seed}");
                before = Some(now);
            });
            look(&*play);
            if let Some(before) = before {
                assert!(play.undo());
                assert_eq!((play.state(), play.hashes(), play.line()), before, "{name} {seed}");
            }
        }
    }
}

/// Each text is refused, its message has that part, and the game is as it was.
fn refused(name: &str, cases: &[(&str, &str)]) {
    let rules = shipped(name);
    let mut play = random_game(rules, 5, Some(&[]));
    play_random(&mut *play, 5, 12, |_, _, _| {});
    let before = (play.state(), play.line(), play.hashes(), play.plies());
    let kept = play.fork();
    let long = "1".repeat(1 << 17);
    let line = play.line().expect("it has a text");
    let trailing = format!("{line} more");
    let common = [
        ("", "has 0 squares"),
        ("  ", "has 0 squares"),
        ("\u{e9}", "expected a piece"),
        ("zero", "at character 1: expected a piece"),
        (long.as_str(), "longer than 64 KiB"),
        (&long[..60_000], "squares"),
        (trailing.as_str(), "expected the end, found ` more`"),
    ];
    let mut failures = Vec::new();
    for (text, why) in common.iter().chain(cases) {
        let shown: String = text.chars().take(90).collect();
        match play.set_line(text) {
            Ok(()) => {
                failures.push(format!("`{shown}` is taken as {:?}; it should be refused: {why}", play.line()));
                play = kept.fork();
            }
            Err(wrong) if wrong.contains(why) => {}
            Err(wrong) => failures.push(format!("`{shown}` is refused: {wrong}; expected: {why}")),
        }
        assert_eq!((play.state(), play.line(), play.hashes(), play.plies()), before, "{name}: `{shown}`");
    }
    assert!(failures.is_empty(), "{name}:\n{}", failures.join("\n"));
    play.set_line(&line).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    // Every beginning of a right text is read or refused, and does not harm.
    let mut copy = play.branch();
    for (end, _) in line.char_indices() {
        if copy.set_line(&line[..end]).is_err() {
            assert_eq!(copy.state(), play.state(), "{name}: `{}`", &line[..end]);
        } else {
            copy = play.branch();
        }
    }
}

#[test]
fn wrong_texts_of_chess() {
    refused(
        "chess",
        &[
            ("4x3/8/8/8/8/8/8/4K3 w - - 0 1", "expected a piece (Q R B N K P, large or small) or empty squares"),
            ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has more than 8 squares"),
            ("4k3/8/8/8/8/8/ppppppppp/4K3 w - - 0 1", "rank 2 has more than 8 squares"),
            ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "rank 5 has more than 8 squares"),
            ("4k3/8/8/7pp/8/8/8/4K3 w - - 0 1", "rank 5 has more than 8 squares"),
            ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "expected a piece"),
            ("4k3/8/7/8/8/8/8/4K3 w - - 0 1", "rank 6 has 7 squares; the board has 8 files"),
            ("4k3/8//8/8/8/8/4K3 w - - 0 1", "rank 6 has 0 squares"),
            ("4k3/80/8/8/8/8/8/4K3 w - - 0 1", "rank 7 has more than 8 squares"),
            ("4k3/08/8/8/8/8/8/4K3 w - - 0 1", "there are no 0 empty squares"),
            ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "expected ` `, found `/8 w"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "expected `/`, found ` w"),
            ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "each side has one king"),
            ("k3k3/8/8/8/8/8/8/4K3 w - - 0 1", "each side has one king"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "each side has one king"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "each side has one king"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "each side has one king"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "the side that does not act stands in check"),
            ("4k3/8/8/8/8/8/8/3rK3 b - - 0 1", "the side that does not act stands in check"),
            ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "the side that does not act stands in check"),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "no Pawn stands on a first or last rank"),
            ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "no Pawn stands on a first or last rank"),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "no Pawn stands on a first or last rank"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "expected one of w, b"),
            ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", "expected ` `, found `hite"),
            ("4k3/8/8/8/8/8/8/4K3 w x - 0 1", "or `-`, found `x - 0 1`"),
            ("4k3/8/8/8/8/8/8/R3K2R w KK - 0 1", "`K` stands there twice"),
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "could be marked as `castles`"),
            ("4k3/8/8/8/8/8/8/4K2N w K - 0 1", "only a rook castles"),
            ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "a king that has moved does not castle"),
            ("4k3/8/8/8/8/8/8/4K3 w - i9 0 1", "expected a square or `-`"),
            ("4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "lies behind a Pawn"),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "a number from 0 to 30000"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 30001 1", "a number from 0 to 30000"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "a number from 1 to 30000"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "a number from 1 to 30000"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "expected a number"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;", "expected the end"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1\u{e9}", "expected the end"),
            ("4k3/8/8/8/8/8/8/4K3", "expected ` `, found the end"),
        ],
    );
    // The short form has no counts.
    let mut play = shipped("chess").game(&[], &Setup::default());
    play.set_line("4k3/8/8/8/8/8/8/4K3 b - -").expect("a short position");
    assert_eq!(play.line().as_deref(), Some("4k3/8/8/8/8/8/8/4K3 b - - 0 1"));
}

#[test]
fn wrong_texts_of_exoplanet_chess() {
    refused(
        "exoplanet-chess",
        &[
            ("4x3/8/8/8/8/8/8/4K3[] w - - 0 1", "expected a piece"),
            ("4k4/8/8/8/8/8/8/4K3[] w - - 0 1", "rank 8 has more than 8 squares"),
            ("4k3/8/7/8/8/8/8/4K3[] w - - 0 1", "rank 6 has 7 squares"),
            ("4k3/8/8/8/8/8/8/4K3/8[] w - - 0 1", "expected `[`, found `/8[]"),
            ("4k3/8/8/8/8/8/4K3[] w - - 0 1", "expected `/`"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "expected `[`"),
            ("4k3/8/8/8/8/8/8/4K3[X] w - - 0 1", "or `]"),
            ("4k3/8/8/8/8/8/8/4K3[Q w - - 0 1", "or `]"),
            ("4k3/8/8/8/8/8/8/K3K3[] w - - 0 1", "each side has one king"),
            ("8/8/8/8/8/8/8/4K3[] w - - 0 1", "each side has one king"),
            ("4k3/4R3/8/8/8/8/8/4K3[] w - - 0 1", "the side that does not act stands in check"),
            ("P3k3/8/8/8/8/8/8/4K3[] w - - 0 1", "a Pawn on the farthest rank is a Queen"),
            ("4k3/8/8/8/8/8/8/p3K3[] w - - 0 1", "a Pawn on the farthest rank is a Queen"),
            ("4k3/8/8/8/8/8/8/4K3[] x - - 0 1", "expected one of w, b"),
            ("4k3/8/8/8/8/8/8/R3K3[] w Q - 0 1", "expected ` - - `"),
            ("4k3/8/8/8/8/8/8/4K3[] w - - 0 0", "a number from 1 to 30000"),
            ("4k3/8/8/8/8/8/8/4K3[] w - - 30001 1", "a number from 0 to 30000"),
            ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1 x", "expected the end"),
        ],
    );
    // E5: on its own first rank a Pawn may stand.
    let mut play = shipped("exoplanet-chess").game(&[], &Setup::default());
    play.set_line("p3k3/8/8/8/8/8/8/P3K3[] w - - 0 1").expect("Pawns may stand there");
}

/// §2: the Kings stand on the board from the first, so none can be in reserve; were one deployed, a side would have two.
#[test]
fn a_king_is_in_no_reserve() {
    let mut play = shipped("exoplanet-chess").game(&[], &Setup::default());
    if play.set_line("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1").is_err() {
        return;
    }
    assert!(texts(&*play).iter().all(|text| !text.starts_with("K@")), "a second King can be deployed");
}

#[test]
fn wrong_texts_of_soccer_chess() {
    let empty = |ranks: usize| vec!["11"; ranks].join("/");
    let with = |men: &str, rest: &str| format!("{men}[] {rest}");
    let right = "a9 play h 1 0 - 0-0 0-0 h -";
    let (none, no_top) = (empty(17), empty(16));
    let cases = [
        (with(&format!("x10/{no_top}"), right), "expected a piece (K N R B Q, large or small) or empty squares"),
        (with(&format!("k11/{no_top}"), right), "rank 17 has more than 11 squares"),
        (with(&format!("12/{no_top}"), right), "rank 17 has more than 11 squares"),
        (with(&format!("k9/{no_top}"), right), "rank 17 has 10 squares; the board has 11 files"),
        (with(&format!("{none}/11"), right), "expected `[`"),
        (with(&no_top, right), "expected `/`"),
        (with(&format!("kk9/{no_top}"), right), "a side has one keeper"),
        (with(&format!("{no_top}/KK9"), right), "a side has one keeper"),
        (with(&format!("{}/NNNNNNNNNNN/K10/{}", empty(7), empty(8)), right), "a side has eleven men"),
        (with(&format!("5n5/{no_top}"), right), "only keepers stand in a small area"),
        (with(&format!("{no_top}/3Q7"), right), "only keepers stand in a small area"),
        (with(&format!("{}/N10/{}", empty(8), empty(8)), right), "the ball lies on a square without a man"),
        (with(&none, "l9 play h 1 0 - 0-0 0-0 h -"), "expected a square or `-`"),
        (with(&none, "a9 over h 1 0 - 0-0 0-0 h -"), "expected a phase (placing, play)"),
        (with(&none, "a9 play w 1 0 - 0-0 0-0 h -"), "expected one of h, v"),
        (with(&none, "a9 play h 0 0 - 0-0 0-0 h -"), "a number from 1 to 3"),
        (with(&none, "a9 play h 4 0 - 0-0 0-0 h -"), "a number from 1 to 3"),
        (with(&none, "a9 play h 1 0 b5 0-0 0-0 h -"), "there is no piece on b5 that could be marked as `moved`"),
        (with(&none, "a9 play h 1 0 x 0-0 0-0 h -"), "expected squares or `-`"),
        (with(&none, "a9 play h 1 0 - 0 0-0 h -"), "expected `-`"),
        (with(&none, "a9 play h 1 0 - 0-0 0-1000001 h -"), "a number from 0 to 1000000"),
        (with(&none, "a9 play h 1 0 - 0-0 0-0 x -"), "expected one of h, v"),
        (with(&none, "a9 play h 1 0 - 0-0 0-0 h - x"), "expected the end"),
        (with(&none, "a9 play h 1 0 - 0-0 0-0 h"), "found the end"),
        (with(&none, "a9 play h 1 0 - 0-0 0-0 h b5b6"), "b5"),
        (format!("{none}[KX] {right}"), "or `] `"),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(text, why)| (text.as_str(), *why)).collect();
    refused("soccer-chess", &cases);
}

/// S8: who has nothing left to place places nothing; a game that is not over has a legal action.
#[test]
fn a_placement_of_nobody_is_none() {
    let mut play = shipped("soccer-chess").game(&[], &Setup::default());
    if play.set_line(&format!("{}[] - placing v 1 0 - 0-0 0-0 h -", ["11"; 17].join("/"))).is_ok() {
        assert!(play.is_over() || !texts(&*play).is_empty(), "nothing is legal and the game is not over");
    }
}

#[test]
fn wrong_texts_of_pickup_chess() {
    let mut play = random_game(shipped("pickup-chess"), 5, Some(&[]));
    play_random(&mut *play, 5, 12, |_, _, _| {});
    let line = play.line().expect("it has a text");
    let (board, rest) = line.split_once('[').expect("men and reserves");
    let ranks: Vec<&str> = board.split('/').collect();
    let first = |rank: &str| format!("{rank}/{}[{rest}", ranks[1..].join("/"));
    let cases = [
        (first("x7"), "expected a piece"),
        (first("k8"), "rank 8 has more than 8 squares"),
        (first("k6"), "rank 8 has 7 squares"),
        (format!("{board}/8[{rest}"), "expected `[`"),
        (format!("{}[{rest}", ranks[1..].join("/")), "expected `/`"),
        (line.replace(" 0-0 ", " 0 "), "expected `-`"),
        (line.replace(" full ", " large "), "expected one of full, half"),
        (line.replace(" full ", " half ").replace(" back ", " front "), "expected one of across, back"),
        (line.replace(" moved:", " gone:"), "expected ` moved:`"),
        (line.replace("] ", "] lunch "), "expected a phase ("),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(text, why)| (text.as_str(), *why)).collect();
    assert!(cases.iter().all(|(text, _)| *text != line), "{line}");
    refused("pickup-chess", &cases);
}
