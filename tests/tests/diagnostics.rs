//! Two broken files of each class: the code, the text underlined, and nothing else.

mod broken;

use broken::{check, child, one, problems, race};
use fullcourt_compiler::compile;
use fullcourt_tests::TestFiles;
use fullcourt_tests::hostile::RACE;

#[test]
fn the_whole_one_is_right() {
    assert_eq!(problems(&race(&[])), []);
    assert!(compile(&race(&[]), "race").is_ok_and(|compiled| compiled.warnings.is_empty()));
}

#[test]
fn syntax() {
    one(&[("side Black faces south", "side Black face south")], "syntax", "face", "did you mean `faces`?");
    one(&[("when patience runs out", "when patience runs")], "syntax", "{", "");
    one(&[("rule arrival when", "rul arrival when")], "syntax-unknown-item", "rul", "did you mean `rule`?");
    one(&[("\"Race\"", "\"Race")], "syntax-unclosed-text", "\"Race", "");
    one(&[("{ win opponent of turn }", "{ win opponent of turn")], "syntax-unbalanced", "{", "");
}

#[test]
fn unknown_name() {
    one(&[("in targets(who)", "in target(who)")], "unknown-name", "target", "did you mean `targets`?");
    one(&[("tick patience", "tick patient")], "unknown-name", "patient", "did you mean `patience`?");
    one(&[("option.wait in", "option.wit in")], "unknown-name", "wit", "did you mean `wait`?");
    one(&[("option.jumps is on", "option.jumps is onn")], "unknown-name", "onn", "did you mean `on`?");
    one(
        &[("set turn to White  go race", "set turn to White  go rice")],
        "unknown-name",
        "rice",
        "did you mean `race`?",
    );
    one(&[("faces south", "faces sooth")], "unknown-name", "sooth", "did you mean `south`?");
}

#[test]
fn wrong_type() {
    one(&[("{ win opponent of turn }", "{ win moves of a1 }")], "wrong-type", "moves of a1", "");
    one(&[("choose who in me", "choose who in 3")], "wrong-type", "3", "");
    one(&[("if to in goal of turn", "if goal of turn")], "wrong-type", "goal of turn", "`some`");
    one(&[("= moves of who and empty", "= moves of who and true")], "wrong-type", "true", "some SET");
    // A zone is the same in every position; pieces would stop a slide.
    let slide = "slide straight from a1";
    one(&[("per side = rank 1", "per side = slide straight from a1")], "wrong-type", slide, "");
    // Found where it is, not at each use of the definition.
    let twice = ("set turn to them", "set turn to them  if some targets(who) { }");
    one(&[("= moves of who and empty", "= moves of me and empty"), twice], "wrong-type", "me", "");
}

#[test]
fn zone_off_the_board() {
    one(&[("per side = rank 1", "per side = rank 6")], "off-board", "rank 6", "");
    one(&[("per side = rank 1", "per side = a1..f1")], "off-board", "a1..f1", "");
    one(&[("per side = rank 1", "per side = middle 2 files")], "off-board", "middle 2 files", "");
    one(&[("put Runner of White on a1", "put Runner of White on h1")], "off-board", "h1", "");
}

#[test]
fn never_fires() {
    let start = "rule opening when game begins";
    one(
        &[(start, "event rained\nrule wet when rained { draw }\nrule opening when game begins")],
        "never-fires",
        "wet",
        "",
    );
    let guard = ("runs out {", "runs out if option.wait > 99 {");
    one(&[guard], "never-fires", "tired_out", "");
    let never = ("choose who in me", "need option.wait < 1 \"no\"\n  choose who in me");
    one(&[never], "never-fires", "run", "");
}

#[test]
fn phase_that_stays() {
    let trap =
        |block: &str| format!("phase trap of turn\naction wait in trap \"wait\" {{ {block} }}\nphase race of turn");
    let into = ("set turn to them", "set turn to them  if to in goal of me and option.wait = 7 { go trap }");
    let (first, second) = (trap("go trap"), trap("set turn to them"));
    one(&[("phase race of turn", &first), into], "phase-stays", "trap", "");
    one(&[into, ("phase race of turn", &second)], "phase-stays", "trap", "");
}

#[test]
fn phase_unreached() {
    one(&[("phase race of turn", "phase rest of turn\nphase race of turn")], "phase-unreached", "rest", "");
    let lonely = "phase rest of turn\naction sleep in rest \"sleep\" { go race }\nphase race of turn";
    one(&[("phase race of turn", lonely)], "phase-unreached", "rest", "");
}

#[test]
fn same_action() {
    let second =
        "action rush in race \"{kind of who} {who}-{to}\" {\n  choose who in me\n  choose to in empty\n  draw\n}\n";
    let with = format!("{second}define targets");
    one(&[("define targets", &with)], "same-action", "rush", "`otherwise`");
    let same = "action rest in race \"wait\" { go race }\naction nap in race \"wait\" { draw }\ndefine targets";
    one(&[("define targets", same)], "same-action", "nap", "`otherwise`");
}

#[test]
fn double_write() {
    let set = "rule also when stepped(who, to) { set leader to owner of to }\nrule leads when stepped(who, to) { set leader to turn }\n";
    let with = format!("var leader: side in game\n{set}rule tired_out");
    one(&[("rule tired_out", &with)], "double-write", "leads", "rule leads after also");
    let other = "rule worn when patience runs out { win White }\nrule tired_out";
    one(&[("rule tired_out", other)], "double-write", "tired_out", "rule tired_out after worn");
    // An order settles it.
    let ordered = with.replace("rule leads when", "rule leads after also when");
    assert_eq!(problems(&race(&[("rule tired_out", &ordered)])), []);
}

#[test]
fn clock_unticked() {
    let with = "clock rest = 3 in game\nclock patience";
    one(&[("clock patience", with)], "clock-unticked", "rest", "`tick rest`");
    one(&[("  tick patience\n", "")], "clock-unticked", "patience", "`tick patience`");
}

#[test]
fn option_unread() {
    one(&[("option jumps", "option speed = 1 in 1..3\noption jumps")], "option-unread", "speed", "");
    one(&[("if option.jumps is on ", "")], "option-unread", "jumps", "");
}

#[test]
fn circular() {
    let first = "define odd = even\ndefine even = odd\ndefine targets";
    one(&[("define targets", first)], "circular", "even", "");
    one(
        &[("zone goal per side = rank 1", "zone goal per side = not goal")],
        "circular",
        "zone goal per side = not goal",
        "",
    );
    one(&[("= moves of who and empty", "= targets(who) and empty")], "circular", "targets", "");
    let order = "rule early after late when stepped(who, to) { }\nrule late after early when stepped(who, to) { }\nrule tired_out";
    one(&[("rule tired_out", order)], "circular", "early", "");
    let spans = "span day in night\nspan night in day\nvar turn";
    check(&race(&[("var turn", spans)]), &[("circular", "night")], "");
}

#[test]
fn nothing_to_replace() {
    let near = "did you mean `arrival`?";
    check(&child("replace rule arrivals when patience runs out { draw }"), &[("nothing-to-replace", "arrivals")], near);
    check(&child("without rule tire_out"), &[("nothing-to-replace", "tire_out")], "did you mean `tired_out`?");
    let kind = "replace action arrival in race \"go\" { draw }";
    check(&child(kind), &[("nothing-to-replace", "arrival")], "`replace rule arrival`");
}

#[test]
fn without_leaves_its_uses_behind() {
    check(&child("without define targets"), &[("unknown-name", "targets")], "");
    check(&child("without option jumps"), &[("unknown-name", "jumps")], "");
}

#[test]
fn ambiguous() {
    let both = race(&[
        ("clock patience", "event race\nclock patience"),
        ("set turn to them", "set turn to them  report race"),
    ]);
    let mut files = both;
    files.extra.push(("child".into(), "language 1\nruleset \"C\"\nextends race\nwithout race\n".into()));
    check(&files, &[("ambiguous", "race")], "without ");
}

#[test]
fn language_version() {
    one(&[("language 1", "language 2")], "language-version", "2", "");
    let mut files = race(&[("side White", "use steps\nside White")]);
    files.extra.push(("steps".into(), "language 7\ndefine far = rank 5\n".into()));
    check(&files, &[("language-version", "7")], "");
    // A file that does not say gets a warning.
    let compiled = compile(&race(&[("language 1\n", "")]), "race").expect("a warning is no error");
    let codes: Vec<_> = compiled.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["language-version"]);
}

#[test]
fn duplicate() {
    one(&[("side Black faces", "side White faces north\nside Black faces")], "duplicate", "White", "");
    one(&[("rule tired_out", "rule arrival when patience runs out { }\nrule tired_out")], "duplicate", "arrival", "");
    one(&[("clock patience", "var me: side in game\nclock patience")], "duplicate", "me", "belongs to the language");
    check(&child("option jumps = no | yes"), &[("duplicate", "jumps")], "`replace`");
}

#[test]
fn hidden_name() {
    one(&[("set turn to them", "let goal = 1  set turn to them")], "hidden-name", "goal", "choose another name");
    one(&[("set turn to them", "for who in me { }  set turn to them")], "hidden-name", "who", "choose another name");
}

#[test]
fn endless_reaction() {
    let echo = "rule echo when stepped(who, to) { report stepped(who, to) }\nrule tired_out";
    one(&[("rule tired_out", echo)], "endless-reaction", "echo", "");
    let two = "event ping\nevent pong\nrule a when ping, stepped { report pong }\nrule b when pong { report ping }\nrule tired_out";
    check(&race(&[("rule tired_out", two)]), &[("endless-reaction", "a"), ("endless-reaction", "b")], "");
}

#[test]
fn wrong_place() {
    one(&[("set turn to them", "if to in goal { need true }  set turn to them")], "wrong-place", "need true", "");
    one(
        &[("rule tired_out", "replace rule tired_out")],
        "wrong-place",
        "replace rule tired_out when patience runs out { draw }",
        "extends",
    );
    one(&[("runs out { draw }", "runs out { choose x in me  draw }")], "wrong-place", "choose x in me", "");
}

#[test]
fn no_file() {
    check(
        &TestFiles::with("race", &RACE.replace("side White", "use bal\nside White")),
        &[("no-file", "bal")],
        "did you mean `ball`?",
    );
    let far = TestFiles::with("child", "language 1\nruleset \"C\"\nextends pickup-ches\n");
    check(&far, &[("no-file", "pickup-ches")], "did you mean `pickup-chess`?");
    let plugin = "plugin nowhere_found { far(square): squares }\ndefine targets";
    let used = ("= moves of who and empty", "= moves of who and empty and far(who)");
    one(&[("define targets", plugin), used], "no-file", "nowhere_found", ".wasm");
}

#[test]
fn wrong_notation() {
    one(&[("{who}-{to}\"", "{who}-{too}\"")], "unknown-name", "too", "did you mean `to`?");
    one(&[("{who}-{to}\"", "{who}\"")], "wrong-notation", "{kind of who} {who}", "`{to}`");
    one(&[("{who}-{to}\"", "{who}-{to\"")], "wrong-notation", "{to", "");
}

#[test]
fn no_order() {
    let win = |keys: &str| format!("{{ win owner of the p in occupied by {keys} }}");
    let (one_key, none_last) = (win("distance(p, a1)"), win("order, distance(p, a1)"));
    one(&[("{ win opponent of turn }", &one_key)], "no-order", "the p in occupied by distance(p, a1)", "`order`");
    one(
        &[("{ win opponent of turn }", &none_last)],
        "no-order",
        "the p in occupied by order, distance(p, a1)",
        "`order`",
    );
}

#[test]
fn wrong_value_and_board_size() {
    one(&[("board 5 x 5", "board 30 x 30")], "board-size", "board 30 x 30", "");
    one(&[("wait = 20 in 1..99", "wait = 200 in 1..99")], "wrong-value", "200 in 1..99", "");
    check(&child("set wait = 100"), &[("wrong-value", "100")], "");
    check(&child("set wat = 9"), &[("unknown-name", "wat")], "did you mean `wait`?");
}

#[test]
fn missing_parts() {
    let empty = TestFiles::with("race", "language 1\nruleset \"Nothing\"\n");
    let codes: Vec<&str> = problems(&empty).into_iter().map(|(code, _)| code).collect();
    assert!(!codes.is_empty() && codes.iter().all(|code| *code == "missing-part"), "{codes:?}");
}

#[test]
fn several_errors_are_all_found_each_once() {
    let edits = [
        ("in targets(who)", "in target(who)"),
        ("tick patience", "tick patient"),
        ("{ win opponent of turn }", "{ win 3 }"),
        ("per side = rank 1", "per side = rank 9"),
    ];
    let expected =
        [("off-board", "rank 9"), ("unknown-name", "target"), ("unknown-name", "patient"), ("wrong-type", "3")];
    check(&race(&edits), &expected, "");
    // Errors of the grammar come first: what a broken item would have declared is not missed elsewhere.
    let syntax = [("define targets(", "define targets[("), ("side Black faces", "side Black fces")];
    let codes: Vec<&str> = problems(&race(&syntax)).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes.len(), 2, "{codes:?}");
    assert!(codes.iter().all(|code| code.starts_with("syntax")), "{codes:?}");
}

#[test]
fn definitions_that_double_end_soon() {
    let mut text = String::from("define wide_0(s: square) = moves of s\n");
    for n in 1..=40 {
        text += &format!("define wide_{n}(s: square) = wide_{0}(s) or wide_{0}(s)\n", n - 1);
    }
    text += "define targets";
    let found = problems(&race(&[("define targets", &text), ("= moves of who and empty", "= wide_40(who) and empty")]));
    assert_eq!(found.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["too-large"]);
}

#[test]
fn a_chain_of_ten_thousand_definitions_ends_soon() {
    let mut text = String::from("define e_0 = empty\n");
    for n in 1..=9_999 {
        text += &format!("define e_{n}=e_{}\n", n - 1);
    }
    text += "define targets";
    let found = problems(&race(&[("define targets", &text), ("= moves of who and empty", "= e_9999 and empty")]));
    assert_eq!(found.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["too-large"]);
}
