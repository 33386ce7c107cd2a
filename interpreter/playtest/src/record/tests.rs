#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;

const GOOD: &str = r#"// A comment.
[Ruleset "some-game"]
[Hash "abc"]
[Seed "7"]
[Options "a=b goal=21"]
[Pieces first "AB+C"]
[Setup seed "x"]
[Player first "random"]
[Result "first enough §13"]
[Score "11 4"]
[Decisions "4"]

1. First: A c3-c6, hand f3-h5 x d4 // lost
2. Other: { a comment } "odd, one", wait
"#;

#[test]
fn a_record_is_read() {
    let script = read(GOOD).unwrap();
    assert_eq!(script.header.seed, 7);
    assert_eq!(script.header.options[1], ("goal".to_owned(), "21".to_owned()));
    let setup = [("pieces", "first", "AB+C"), ("seed", "", "x")];
    let setup: Vec<_> = setup.iter().map(|(a, b, c)| ((*a).to_owned(), (*b).to_owned(), (*c).to_owned())).collect();
    assert_eq!(script.header.setup, setup);
    let tokens: Vec<_> = script.turns.iter().flat_map(|turn| &turn.decisions).map(|t| t.text.as_str()).collect();
    assert_eq!(tokens, ["A c3-c6", "hand f3-h5 x d4", "odd, one", "wait"]);
    assert_eq!((script.turns[0].decisions[1].line, script.turns[0].decisions[1].column), (13, 20));
}

#[track_caller]
fn refused(text: &str, line: usize, column: usize, message: &str) {
    let error = read(text).unwrap_err();
    assert!(error.text.contains(message), "{error}");
    assert_eq!((error.line, error.column), (line, column), "{error}");
}

#[test]
fn broken_records_are_refused_with_the_place() {
    refused("", 1, 1, "`Ruleset` is missing");
    refused(&GOOD.replace("\"4\"", "\"5\""), 14, 1, "ends after 4 decisions; its header says 5");
    refused(&GOOD.replace("\"4\"", "\"3\""), 14, 37, "a decision too many");
    refused(&GOOD.replace("2. Other", "3. Other"), 14, 1, "expected turn 2, found `3`");
    refused(&GOOD.replace("2. Other", "2. First"), 14, 1, "one turn is one line");
    refused(&GOOD.replace(", wait", ", "), 14, 37, "expected a decision, found the end of the line");
    refused(&GOOD.replace("comment }", "comment"), 14, 11, "no `}`");
    refused(&GOOD.replace("[Seed \"7\"]", "[Seed \"7]"), 4, 7, "no end on its line");
    refused(&GOOD.replace("[Seed \"7\"]", "[Seed \"x\"]"), 4, 2, "must be a number, not `x`");
    refused(&GOOD.replace("[Seed", "[seed"), 4, 2, "did you mean `Seed`?");
    refused(&GOOD.replace("[Hash \"abc\"]", "[Seed \"7\"]"), 4, 2, "stands there twice");
    refused(&format!("{GOOD}[Seed \"7\"]"), 15, 2, "above the turns");
    refused(&GOOD.replace("2. Other:", "2. Other,"), 14, 9, "expected `:`, found `,`");
}

#[test]
fn any_prefix_and_any_lost_line_is_refused() {
    for end in (0..GOOD.trim_end().len()).filter(|end| GOOD.is_char_boundary(*end)) {
        // The last word cut short is still a word: the replay finds it.
        let cut = &GOOD[..end];
        assert!(read(cut).is_err() || cut.contains("\", w"), "{cut}");
    }
    for line in [1, 2, 8, 10, 12, 13] {
        let text: Vec<_> = GOOD.lines().enumerate().filter(|(n, _)| *n != line).map(|(_, line)| line).collect();
        assert!(read(&text.join("\n")).is_err(), "without line {}", line + 1);
    }
}
