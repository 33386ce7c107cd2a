//! Broken laws, histories, texts of positions, notations, records and Betza's letters: two of each kind, with the code, the
//! text underlined, and a part of the advice.

mod broken;

use broken::{check, child, one, problems, race};

/// A race that has everything, to be broken by one edit.
const WHOLE: &str = r##"law polite in race = no (goal of turn and me)  §3 "not yet"
history seen of race = men, turn
rule again when race opens if seen >= option.again { draw }
option again = 3 in 2..9 | off
var home per piece: square in game
trait quick
add piece Hopper "H" { moves = betza "mfWcfF"  quick }
position line in race { men by ranks down between "/" empty as count " " turn as "w" | "b" " " patience " " home else "-" }
start line "3jr/5/5/5/RJ3 w 20 -"
notation short of run { "{kind of who}{who apart by legal}" if to in goal of turn { "!" } "{to}" after { if winner is me { "#" } } }
record page of short between ", " { if turn is White { "{patience}. " } } results "1-0" | "0-1" | "=" | "*"
"##;

/// The whole race with one edit, and what is said of it.
#[track_caller]
fn broken(edit: (&str, &str), expected: &[(&str, &str)], help: &str) {
    assert!(WHOLE.contains(edit.0), "`{}` is not there", edit.0);
    check(&child(&WHOLE.replacen(edit.0, edit.1, 1)), expected, help);
}

#[test]
fn the_whole_one_is_right() {
    assert_eq!(problems(&child(WHOLE)), []);
}

#[test]
fn laws() {
    broken(("law polite in race", "law polite in rice"), &[("unknown-name", "rice")], "did you mean `race`?");
    broken(("= no (goal of turn and me)", "= goal of turn"), &[("wrong-type", "goal of turn")], "`some`");
    broken(("= no (goal of turn and me)", "= true"), &[("never-fires", "polite")], "");
    broken(("= no (goal of turn and me)", "= option.wait > 99"), &[("never-fires", "polite")], "");
    let twice = "law polite in race = some me\nlaw polite in race";
    broken(("law polite in race", twice), &[("duplicate", "polite")], "");
}

#[test]
fn histories_and_ends_that_wait() {
    broken(("= men, turn", "= men, trun"), &[("unknown-name", "trun")], "did you mean `turn`?");
    broken(("= men, turn", "= men, goal"), &[("wrong-type", "goal")], "parts are");
    broken(
        ("if seen >= option.again", "if option.again > 2"),
        &[("never-fires", "history seen of race = men, turn")],
        "a law",
    );
    broken(
        ("{ draw }\noption", "{ set turn to White  draw }\noption"),
        &[("wrong-place", "{ set turn to White  draw }")],
        "`draw`",
    );
    broken(("{ draw }\noption", "{ go race }\noption"), &[("wrong-place", "{ go race }")], "`win`");
}

#[test]
fn options_of_a_number_or_a_word() {
    broken(("2..9 | off", "2..9 | off | off"), &[("duplicate", "off")], "");
    broken(("3 in 2..9", "1 in 2..9"), &[("wrong-value", "1 in 2..9 | off")], "");
    let edit = ("if seen >= option.again", "if seen >= option.again and option.again is not of");
    broken(edit, &[("unknown-name", "of")], "did you mean `off`?");
}

#[test]
fn kinds_and_squares_of_pieces() {
    let kinds = |set: &str| {
        format!("rule arrived when stepped(who, to) if kind of to in {set} and seen = 50 {{ draw }}\noption again")
    };
    broken(("option again", &kinds("kinds with quik")), &[("unknown-name", "quik")], "did you mean `quick`?");
    broken(("option again", &kinds("kinds(Runner, Hoper)")), &[("unknown-name", "Hoper")], "did you mean `Hopper`?");
    broken(
        ("per piece: square in", "per piece: number in"),
        &[("wrong-type", "var home per piece: number in game")],
        "`counter",
    );
    let reset = |to: &str| {
        format!("rule reset when stepped(who, to) if seen = 50 {{ move each p in me to {to} }}\noption again")
    };
    broken(("option again", &reset("home")), &[("wrong-type", "home")], "`home of SQUARE`");
    broken(("option again", &reset("me")), &[("wrong-type", "me")], "");
    one(
        &[("var turn: side in game", "var turn: side in game drawn \"t\"")],
        "wrong-type",
        "var turn: side in game drawn \"t\"",
        "",
    );
}

#[test]
fn letters_of_betza() {
    broken(("\"mfWcfF\"", "\"mfWpR\""), &[("wrong-notation", "p")], "m c");
    broken(("\"mfWcfF\"", "\"mfWcfX\""), &[("wrong-notation", "X")], "atoms");
    broken(("\"mfWcfF\"", "\"\""), &[("wrong-notation", "")], "write for example");
    let two = "moves, moves = betza \"W\"";
    broken(("moves = betza \"mfWcfF\"", two), &[("duplicate", "moves")], "");
    broken(("moves = betza \"mfWcfF\"", "moves, hops = betza \"W\""), &[("unknown-name", "hops")], "");
    broken(("moves = betza \"mfWcfF\"", "moves, hops = step any"), &[("wrong-type", "step any")], "");
    let nowhere = "rule lost when stepped(who, to) if some betza \"W\" { draw }\noption again";
    broken(("option again", nowhere), &[("wrong-place", "betza \"W\"")], "");
}

#[test]
fn texts_of_positions() {
    broken(("line in race {", "line {"), &[("wrong-notation", "line")], "");
    broken(("line in race {", "line in race { phase"), &[("wrong-notation", "line")], "");
    broken(("\" \" turn as", "\" \" trun as"), &[("unknown-name", "trun")], "");
    broken(("\"w\" | \"b\" \" \"", "\"w\" | \"b\" | \"x\" \" \""), &[("wrong-notation", "turn")], "");
    broken(("\" \" patience", "\" \" patience else \"-\""), &[("wrong-notation", "patience else \"-\"")], "");
    broken(("\" \" patience", "\" \" patience as \"K\" a1"), &[("wrong-notation", "patience as \"K\" a1")], "");
    broken(("\" \" patience", "\" \" goal"), &[("wrong-notation", "goal")], "");
    broken(
        ("empty as count", "empty as \"\""),
        &[("wrong-notation", "men by ranks down between \"/\" empty as \"\"")],
        "",
    );
    let twin = "add piece Runt \"r\" { moves = step any }\nposition";
    broken(("\nposition", &format!("\n{twin}")), &[("wrong-notation", "line")], "");
}

#[test]
fn the_first_position() {
    broken(("start line", "start lane"), &[("unknown-name", "lane")], "did you mean `line`?");
    broken(("/RJ3 w", "/RJ4 w"), &[("wrong-value", "4 w 20 -")], "");
    broken(("/RJ3 w", "/RX3 w"), &[("wrong-value", "X3 w 20 -")], "");
    broken(("w 20 -", "w 20000000 -"), &[("wrong-value", "20000000 -")], "");
    broken(("w 20 -", "x 20 -"), &[("wrong-value", "x 20 -")], "");
    let twice = "start line \"3jr/5/5/5/RJ3 w 20 -\"\nstart line";
    broken(("start line", twice), &[("duplicate", "line")], "");
}

#[test]
fn notations_and_records() {
    broken(("short of run", "short of rum"), &[("unknown-name", "rum")], "");
    broken(("{kind of who}", "{kind of wo}"), &[("unknown-name", "wo")], "did you mean `who`?");
    broken(("{who apart by legal}", "{who apart by law}"), &[("wrong-notation", "who apart by law")], "apart from SET");
    broken(("{who apart by legal}", "{who apart from to}"), &[("wrong-notation", "who apart from to")], "");
    broken(("{who apart by legal}", "{who small}"), &[("wrong-notation", "who small")], "");
    broken(
        ("if to in goal of turn { \"!\" }", "if to in goal of turn { after { } }"),
        &[("wrong-place", "after { }")],
        "",
    );
    broken(("page of short", "page of shrt"), &[("unknown-name", "shrt")], "did you mean `short`?");
    broken((" | \"=\" | \"*\"", " | \"*\""), &[("wrong-notation", "1-0")], "not over");
    broken(("between \", \" {", "between \"\" {"), &[("wrong-notation", "")], "");
    // An action is read back from its own text, so that says where things are and no less.
    one(
        &[("{kind of who} {who}-{to}", "{kind of who} {file of who}{who}-{to}")],
        "wrong-notation",
        "{kind of who} {file of who}{who}-{to}",
        "",
    );
}

#[test]
fn rulesets_that_extend_change_them() {
    let extended = |lines: &str| {
        let mut files = race(&[("rule tired_out", &format!("{}rule tired_out", WHOLE.replace("add piece", "piece")))]);
        files.extra.push(("child".to_owned(), format!("language 1\nruleset \"Child\"\nextends race\n{lines}\n")));
        files
    };
    for lines in [
        "without law polite",
        "replace law polite in race = some me",
        "without notation short\nwithout record page",
        "replace notation short of run { \"{who}{to}\" }",
        "replace start line \"3jr/5/5/5/R4 w 20 -\"",
        "replace record page of short between \" \" { }",
        "without rule again\nwithout history seen\nwithout option again",
        "set again = off",
    ] {
        assert_eq!(problems(&extended(lines)), [], "{lines}");
    }
    check(
        &extended("replace law polit in race = some me"),
        &[("nothing-to-replace", "polit")],
        "did you mean `polite`?",
    );
    check(&extended("replace notation long of run { \"{who}{to}\" }"), &[("nothing-to-replace", "long")], "`add`");
    check(&extended("set again = of"), &[("wrong-value", "of")], "");
}
