//! Words of basketball are only words: with every one of them renamed, in the library and in the ruleset, the same games
//! are played.

use std::collections::BTreeSet;

use fullcourt_compiler::syntax::{ITEM_WORDS, is_reserved};
use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::play::{play_random, random_setup};
use fullcourt_tests::{Loaded, TestFiles, load, pickup, root};

/// Words of the language that are reserved nowhere, or only in some places.
const CONTEXT: &str = "after against any ahead apart askew at back before begins betza by counted diagonal distance down drawn edge effect \
    empty ends everywhere exactly faces file file_of files forward from game height in_front it kind kinds legal me men middle near \
    north nowhere number occupied on once one opens opponent out owner per random rank rank_of ranks ray results runs score sideways \
    slide small south square squares step straight stuck test them through to turning up while width winner x between leap";

/// What the plugins' modules export: their names are not the ruleset's to choose.
const EXPORTS: [&str; 4] = ["eurostep", "specialists", "perimeter", "guard"];

fn renamed(word: &str, seen: &mut BTreeSet<String>) -> String {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_square = letters.len() < word.len() && letters.len() <= 2 && letters == letters.to_lowercase();
    let kept = word.starts_with(|c: char| c.is_ascii_digit())
        || is_square
        || is_reserved(word)
        || ITEM_WORDS.contains(&word)
        || CONTEXT.split_whitespace().any(|known| known == word)
        || EXPORTS.contains(&word);
    if kept {
        return word.to_owned();
    }
    seen.insert(word.to_owned());
    // Nothing of the word is left but its case, which shows in nothing that is compared.
    let turned: String = word.chars().rev().collect();
    format!("z_{turned}")
}

/// The fields of a notation, renamed; other text stays.
fn notation(text: &str, seen: &mut BTreeSet<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once('{') {
        let Some((field, after)) = inner.split_once('}') else { break };
        let words: Vec<String> = field.split(' ').map(|word| renamed(word, seen)).collect();
        out += &format!("{before}{{{}}}", words.join(" "));
        rest = after;
    }
    out + rest
}

/// A text of the language with every word renamed that is not the language's.
fn rename(text: &str, seen: &mut BTreeSet<String>) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = if rest.starts_with("//") {
                rest.len()
            } else if first == '"' {
                rest[1..].find('"').map_or(rest.len(), |end| end + 2)
            } else if first == '§' {
                rest.find(|c: char| c.is_whitespace() || c == ')' || c == '}').unwrap_or(rest.len())
            } else {
                let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                word.max(first.len_utf8())
            };
            let (token, after) = rest.split_at(length);
            match first {
                '"' => out += &notation(token, seen),
                'a'..='z' | 'A'..='Z' | '_' => out += &renamed(token, seen),
                _ => out += token,
            }
            rest = after;
        }
        out.push('\n');
    }
    out
}

fn renamed_game(seen: &mut BTreeSet<String>) -> Loaded {
    let mut read = |path: &str| -> String {
        let text = std::fs::read_to_string(root().join(path)).expect("it is shipped");
        rename(&text, seen)
    };
    let (ruleset, library) = (read("rulesets/pickup-chess.court"), read("stdlib/ball.court"));
    let mut files = TestFiles::with("renamed", &ruleset);
    files.extra.push(("z_llab".to_owned(), library));
    load(&files, "renamed")
}

fn renamed_setup(setup: &Setup, seen: &mut BTreeSet<String>) -> Setup {
    let mut name = |word: &str, capital: bool| -> String {
        // Sides are asked for by their names in lower case.
        let capitals: String = word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect();
        match (word.is_empty(), capital) {
            (true, _) => String::new(),
            (_, true) => renamed(&capitals, seen).to_lowercase(),
            (_, false) => renamed(word, seen),
        }
    };
    let value = |(what, side, value): &(String, String, String)| {
        let side_value = what == "tip";
        let shown = if side_value { name(value, true) } else { value.clone() };
        (name(what, false), name(side, true), shown)
    };
    Setup { values: setup.values.iter().map(value).collect(), seed: setup.seed }
}

#[test]
fn every_word_can_be_another() {
    let mut seen = BTreeSet::new();
    let other = renamed_game(&mut seen);
    assert!(seen.len() > 180, "{} words: {seen:?}", seen.len());
    let rules = &other.compiled.rules;
    let names = rules.actions.iter().map(|a| &a.name).chain(rules.rules.iter().map(|r| &r.name));
    let names = names.chain(rules.phases.iter().map(|p| &p.name)).chain(rules.zones.iter().map(|z| &z.name));
    let names = names.chain(rules.kinds.iter().map(|k| &k.name)).chain(rules.events.iter().map(|e| &e.name));
    let names = names
        .chain(rules.options.iter().map(|o| &o.name).filter(|name| !["eurostep", "start"].contains(&name.as_str())));
    names.for_each(|name| assert!(name.starts_with("z_"), "`{name}` has kept its name"));
    for seed in 1..=20 {
        let mut rng = Rng::new(seed);
        let options = pickup().random_options(&mut rng);
        let setup = random_setup(&mut rng);
        let plain: Vec<(&str, &str)> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let turned: Vec<(String, String)> =
            options.iter().map(|(n, v)| (renamed(n, &mut seen), renamed(v, &mut seen))).collect();
        let turned: Vec<(&str, &str)> = turned.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let mut one = pickup().game(&plain, &setup);
        let mut two = other.game(&turned, &renamed_setup(&setup, &mut seen));
        play_random(&mut *one, seed, 300, |one, legal, action| step(one, &mut *two, legal, action, seed));
        assert_eq!(one.score(), two.score());
        assert_eq!((one.is_over(), one.winner()), (two.is_over(), two.winner()));
    }
}

fn step(
    one: &mut dyn Session,
    two: &mut dyn Session,
    legal: &[fullcourt_engine::action::Action],
    action: fullcourt_engine::action::Action,
    seed: u64,
) {
    assert_eq!(one.score(), two.score(), "seed {seed}");
    assert_eq!(one.to_act(), two.to_act(), "seed {seed}");
    let texts: Vec<String> = legal.iter().map(|action| one.text(*action)).collect();
    let others: Vec<String> =
        two.legal().expect("the rules do not fault").iter().map(|action| two.text(*action)).collect();
    assert_eq!(texts, others, "seed {seed}");
    let said = |play: &mut dyn Session, text: &str| -> Vec<String> {
        let found = play.find(text).expect("the rules do not fault").expect("it is legal");
        play.play(found).expect("it can be played").into_iter().map(|event| event.notation).collect()
    };
    let text = one.text(action);
    let there = said(two, &text);
    let here = said(&mut *one.fork(), &text);
    assert_eq!(here, there, "{text} seed {seed}");
}
