//! What is said about texts that are wrong: code, underlined text, message.

use super::said;
use crate::diagnostics::FileId;
use crate::syntax::parse;

/// The help and the fix of the only problem of a text.
fn advice(text: &str) -> (Option<String>, Option<String>) {
    let (_, mut problems) = parse(text, FileId(0));
    assert_eq!(problems.len(), 1, "{problems:?}");
    let problem = problems.remove(0);
    (problem.help, problem.fix.map(|fix| fix.replacement))
}

fn one(text: &str, expected: &str) {
    assert_eq!(said(text), [expected], "{text}");
}

#[test]
fn what_was_expected_is_said() {
    one("zone rim per = rank 1", "syntax | = | expected `side`, found `=`");
    one("rule x wen y { }", "syntax | wen | expected `after`, `when` or `=`, found `wen`");
    one("side White faces", "syntax |  | expected a name, found the end of the item");
    one("define x = a b", "syntax | b | expected the end of the item, found `b`");
    one("define x = (a b)", "syntax | b | expected `)`, found `b`");
    one("define x = ", "syntax |  | expected a value, found the end of the item");
    one("define x = a +", "syntax |  | expected a value, found the end of the item");
    one(
        "define x = step up",
        "syntax | up | expected a direction (`any`, `straight`, `diagonal`, `forward`, `back`, `sideways`, `ahead`, `askew`), found `up`",
    );
    one(
        "event e(a: squre)",
        "syntax | squre | expected a type (`square`, `squares`, `side`, `kind`, `number`, `test`), found `squre`",
    );
    one("rule x when y { set ball t }", "syntax | t | expected `to`, found `t`");
    one("rule x when y { go }", "syntax | } | expected a name, found `}`");
    one("rule x when y { f() §5 }", "syntax | §5 | expected a statement or `}`, found `§5`");
    one("board 8x8", "syntax | 8x8 | expected a number, found `8x8`");
    one("define set = 1", "syntax | set | expected a name, `action` or `rule`, found `set`");
    one("define e4 = 1", "syntax | e4 | expected a name, `action` or `rule`, found `e4`");
    one("define x = a @ b", "syntax | @ | expected the end of the item, found `@`");
}

#[test]
fn the_nearest_word_is_offered() {
    assert_eq!(advice("rule x wen y { }"), (Some("did you mean `when`?".into()), Some("when".into())));
    assert_eq!(advice("zoen rim = a1"), (Some("did you mean `zone`?".into()), Some("zone".into())));
    assert_eq!(advice("rule x when y { mvoe a to b }"), (Some("did you mean `move`?".into()), Some("move".into())));
    assert_eq!(advice("event e(a: squre)").1, Some("square".into()));
    assert_eq!(advice("piece P \"P\" { m = slide diagonally }").1, Some("diagonal".into()));
    assert_eq!(advice("define set = 1").0, Some("`set` is a word of the language and cannot be a name".into()));
    assert_eq!(advice("define e4 = 1").0, Some("`e4` is a square and cannot be a name".into()));
    one("rule x when y { mvoe a to b }", "syntax | mvoe | `mvoe` does not begin a statement");
}

#[test]
fn first_words_are_checked() {
    one("zoen rim = a1", "syntax-unknown-item | zoen | `zoen` does not begin an item");
    one("language 1\nzoen rim = a1\nuse ball", "syntax-unknown-item | zoen | `zoen` does not begin an item");
    one("go home", "syntax-unknown-item | go | the statement `go` stands outside of braces");
    one("Some prose\nover three\nlines\nzone a = b", "syntax-unknown-item | Some | `Some` does not begin an item");
    one("§5", "syntax-unknown-item | §5 | `§5` does not begin an item");
    one("\"text\"\nuse ball", "syntax-unknown-item | \"text\" | `\"text\"` does not begin an item");
}

#[test]
fn foreign_spellings_are_understood() {
    one("define x = a && b", "syntax-foreign-operator | && | write `and` instead of `&&`");
    one("define x = a || b", "syntax-foreign-operator | || | write `or` instead of `||`");
    one("define x = a | b", "syntax-foreign-operator | | | write `or` instead of `|`");
    one("define x = a & b", "syntax-foreign-operator | & | write `and` instead of `&`");
    one("define x = !a", "syntax-foreign-operator | ! | write `not` instead of `!`");
    one("define x = a == b", "syntax-foreign-operator | == | write `=` instead of `==`");
    one(
        "rule x when y { go a; }",
        "syntax-foreign-operator | ; | nothing separates statements or items: leave out `;`",
    );
    one("ruleset 'It'", "syntax-foreign-operator | 'It' | text stands in double quotes");
    one("use ball # more", "syntax-foreign-operator | # | a comment begins with `//`, not with `#`");
    one("use ball /* more\nand more */", "syntax-foreign-operator | /* | a comment begins with `//`, not with `/*`");
    assert_eq!(advice("define x = a&&b").1, Some(" and ".into()));
    assert_eq!(advice("define x = !a").1, Some("not ".into()));
    assert_eq!(advice("ruleset 'It'").1, Some("\"It\"".into()));
    assert_eq!(advice("ruleset 'a \"b\" c'").1, None);
    assert_eq!(said("option a = b | c\nadd option d = e | f"), Vec::<String>::new());
    assert_eq!(said("define x = a && b || !c == d;").len(), 5);
}

#[test]
fn brackets_are_matched() {
    one("rule x when y { go z", "syntax-unbalanced | { | `{` is never closed");
    one("rule x when y { if a { go z }\nzone b = c", "syntax-unbalanced | { | `{` is never closed");
    one("define x = f(a, b", "syntax-unbalanced | ( | `(` is never closed");
    one("rule x when y { f(a }\nzone b = c", "syntax-unbalanced | ( | `(` is never closed");
    one("rule x when y { go z } }\nzone b = c", "syntax-unbalanced | } | `}` closes nothing");
    one("rule x when y { f(a)) }", "syntax-unbalanced | ) | `)` closes nothing");
    one("}", "syntax-unbalanced | } | `}` closes nothing");
    one("ruleset \"open\nuse ball", "syntax-unclosed-text | \"open | this text has no closing `\"` on its line");
}

#[test]
fn items_may_go_on_over_lines() {
    for text in [
        "define x =\n  count a",
        "define x =\n  option.arc\n  + 1",
        "stat per piece a,\n  side, span",
        "replace\nzone a = b",
        "otherwise\naction a in b = c",
        "define\naction a \"x\" { }",
        "rule x\n  after y\nwhen z\n{ go a }",
        "zone\n  board = a1",
        "  zone a = b\n  rule x when y { }\n  count n of s in game",
        "rule x when y {\nmark a as b\nadd 1 to c\nset d to e\n}",
        "define x = a\nor b\nand c",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(super::good("  zone a = b\n  rule x when y { }").items.len(), 2);
}

/// A file with an error in each of many items: all are told, in order, none twice, and the rest is read.
#[test]
fn all_errors_of_a_file_are_told() {
    let text = "\
language one
ruleset 'Broken'
sides White faces north
board 8 by 8
zone rim = rank 1 &&
zone paint = ranks 1..2 and middle files
option arc = 3 in 0-8
piece Slider \"S\" { moves = slide diagonally }
mark moved in
rule good when done { win mover }
rule bad when done { win mover
rule worse done { win mover }
action go in attack \"go\" { choose who of me }
";
    assert_eq!(
        said(text),
        [
            "syntax | one | expected a number, found `one`",
            "syntax-foreign-operator | 'Broken' | text stands in double quotes",
            "syntax-unknown-item | sides | `sides` does not begin an item",
            "syntax | by | expected `x`, found `by`",
            "syntax-foreign-operator | && | write `and` instead of `&&`",
            "syntax |  | expected a value, found the end of the item",
            "syntax | files | expected a number or the end of the item, found `files`",
            "syntax | - | expected `..`, found `-`",
            "syntax | diagonally | expected a direction (`any`, `straight`, `diagonal`, `forward`, `back`, `sideways`, `ahead`, `askew`) or `:`, found `diagonally`",
            "syntax |  | expected a name, found the end of the item",
            "syntax-unbalanced | { | `{` is never closed",
            "syntax | done | expected `after`, `when` or `=`, found `done`",
            "syntax | go | expected a name, found `go`",
        ]
    );
    let (ast, _) = parse(text, FileId(0));
    assert_eq!(ast.items.len(), 2);
}

#[test]
fn a_second_broken_file() {
    let text = "\
// A file written by someone who comes from another language.
use ball;
define double(x) = x * 2
define able = me != none && !moved
event scored(who: int)
rule refresh when turn.begins { unmark mover as spent }
rule swap when turn begins { if (a == b) { go c } elseif d { go e } }
define action step(who: square) { move who to who }
show score = a ? b : c
}
invariant last = count Slider = 1
";
    assert_eq!(
        said(text),
        [
            "syntax-foreign-operator | ; | nothing separates statements or items: leave out `;`",
            "syntax | ) | expected `:`, found `)`",
            "syntax-foreign-operator | && | write `and` instead of `&&`",
            "syntax-foreign-operator | ! | write `not` instead of `!`",
            "syntax | int | expected a type (`square`, `squares`, `side`, `kind`, `number`, `test`), found `int`",
            "syntax | . | expected `begins`, `counted`, `ends`, `if`, `opens`, `runs`, `stuck`, `{` or `,`, found `.`",
            "syntax-foreign-operator | == | write `=` instead of `==`",
            "syntax | { | expected a statement or `}`, found `{`",
            "syntax | { | expected text in double quotes, found `{`",
            "syntax | ? | expected `if` or the end of the item, found `?`",
            "syntax-unbalanced | } | `}` closes nothing",
        ]
    );
}
