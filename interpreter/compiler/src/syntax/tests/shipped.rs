//! The shipped files, and printing.

use super::{good, said};
use crate::syntax::ast::Ast;
use crate::syntax::print;
use std::fs;
use std::path::Path;

/// All shipped texts with their names.
pub(super) fn shipped() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for folder in ["rulesets", "stdlib"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ext| ext == "court") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                texts.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    texts.sort();
    assert!(texts.len() >= 2);
    texts
}

/// A tree without its places.
pub(super) fn bare(ast: &Ast) -> String {
    let mut text = format!("{:?}", ast.items);
    let mut out = String::new();
    while let Some(at) = text.find("Span { file: FileId(") {
        let rest = text.split_off(at);
        out.push_str(&text);
        let end = rest.find('}').unwrap();
        text = rest[end + 1..].to_string();
    }
    out + &text
}

/// What is printed reads back as the same tree, and prints the same again.
pub(super) fn round_trip(text: &str) {
    let ast = good(text);
    let printed = print(&ast);
    let again = good(&printed);
    assert_eq!(bare(&ast), bare(&again), "{text}\n{printed}");
    assert_eq!(printed, print(&again), "{text}");
}

#[test]
fn shipped_files_are_well_formed() {
    for (name, text) in shipped() {
        assert_eq!(said(&text), Vec::<String>::new(), "{name}");
        assert!(!good(&text).items.is_empty(), "{name}");
        round_trip(&text);
    }
}

#[test]
fn every_construct_comes_back() {
    for text in [
        "language 1",
        "ruleset \"A title\"\nextends ../other/base-game\nuse ball",
        "board 10 x 8 and e0, f9 §1 \"the court\"",
        "zone rim per side drawn \"=\" = a1 or c1..f2 §2 §2.1 \"words\"",
        "option a = 3 in 0..8 §1\noption b = yes | no | 3\nset a = no",
        "setup l per side = \"AB+C\" : 2 to bench \"+\" 1 to floor §1\nsetup s: side = random\nsetup s: side = White",
        "plugin p { f(square, squares, side, kind, number, test): squares g(): test }\nplugin q { }",
        "geometry g\ngeometry r = g\ntrait t",
        "piece P \"P\" { g = a: step any if x, b: slide straight, the d in s by n if y  r = (the d in s by n), ray any t u } §3",
        "span s of a against b in game\nspan t of a in s\nspan u in t",
        "mark m one in game drawn \"*\" §1\nmark n\ncounter c up to 5 in s\nclock k = option.x + 1 in s while not y §1",
        "clock k = (a in b) in s\nlatch l in s when a in b §2\ncount n of s in game\nvar v per side: number 0..2 = 1 in game",
        "var w: test = (x and y) in s\nvar z: square",
        "event e\nevent f(a: square, b: effect(a, c)) \"{a}\" §1\nevent g()",
        "phase p of opponent of x in turn §1\nphase q of (if a then b else c)",
        "define d = x\ndefine e(a: squares(b, c), to: square, by: number) { move a to to }\ndefine f { } §1",
        "define action a(x: side) \"n\" { win x } §1\ndefine rule r(x: side) when at once if x { draw }",
        "action a in p, q \"n\" { } §1 \"t\"\notherwise action b in p = a(x, { draw })\naction c in p §2 = a\naction d in p §3 \"n\" { }",
        "rule a after b, c before d when x runs out, y begins, z ends, n counted, e(p, q), f() if t { } §1\nrule b = a(1)\nrule c §2 \"w\" = a",
        "stat per side a, b §1\nrecall x\ntally t when e(a) if b { add 1 to n of a } §1\nshow s = x if y\ninvariant i = x §1",
        "replace rule a when b { }\nadd zone z = a1\nwithout rule a\nwithout a\nwithout span\nreplace action a in b = c",
        "rule a when b { choose to in s need x §1 §2 \"no\" need y \"no\" need z let a = b if a { } else if b { draw } else { } }",
        "rule a when b { for each side s { } for p in s { tick x } put k of s on q put (k of s) of t on q remove q }",
        "rule a when b { mark x or y as m unmark x as m set a of b to c add 1 to d take (step any) from f of s }",
        "rule a when b { report e report e(1, x) begin s begin s for o end s go p win s award s draw recall x as y forget x c c(1) }",
        "define a = x or y and not z or not (x or y) and (y and z) or ((x or y) or z)",
        "define a = 1 + 2 - (3 - 4) * 5 / (6 / 7) - -x\ndefine b = (1 + 2) * 3\ndefine c = -(1 + 2)",
        "define a = x = y and x is y and x is not y and x != y and x < y and x <= y and x > y and x >= y and x in y",
        "define a = (x = y) = (z in w)\ndefine b = not (x in y)\ndefine c = (not x) = y\ndefine d = no (x and y) and some -x",
        "define a = option.x is no and option.y is not 1 or option.z = yes or (option.w) is y or option.v is option",
        "define a = if x then y else if z then w else v\ndefine b = (if x then y else z) and w\ndefine c = if if a then b else c then d else e",
        "define a = if (to in step any) then step any else ray any\ndefine b = if x in (step any) then y else z",
        "define a = those d in x or y with z and (those e in w with v)\ndefine b = no (those d in x with y)",
        "define a = f(the d in s by n, order, m)\ndefine b = f((the d in s by n), m)\ndefine c = the d in s by (the e in t by n), order",
        "define a = moves.burst of x or moves.burst or f(x).y",
        "define a = leap 1 2 or step any exactly 2 or slide any up to 3 or ray back up to 1 or ray sideways exactly 1 or slide ahead",
        "define a = step forward then turning slide askew then leap 0 1 through x of y from z or w",
        "define a = step any through (step any from x) from (slide any)\ndefine b = step any from no step any",
        "define a = ranks 1..option.arc and rank height / 2 or files a..b or file 3 and (rank 1) + 2 or x in rank 1 + 2",
        "define a = ranks (a1)..b or middle 2 files or middle 1 rank or edge files or edge ranks",
        "define a = rank of x + file of y\ndefine b = none is true or x is none or false",
        "define a = f of g of h(x) of y\n",
    ] {
        if text.contains("f(x).y") || text.contains("h(x) of y") {
            assert_eq!(said(text).len(), 1);
            continue;
        }
        round_trip(text);
    }
}

#[test]
fn trees_are_what_they_seem() {
    let tree = |text: &str| bare(&good(&format!("define a = {text}")));
    assert_eq!(tree("a or b and not c = d + e * f"), tree("a or (b and (not (c = (d + (e * f)))))"));
    assert_eq!(tree("reach of d and path"), tree("(reach of d) and path"));
    assert_eq!(tree("count x = 1"), tree("(count x) = 1"));
    assert_eq!(tree("score of s + by"), tree("(score of s) + by"));
    assert_eq!(tree("a - b - c"), tree("(a - b) - c"));
    assert_eq!(tree("no a and b"), tree("(no a) and b"));
    assert_eq!(tree("rank 1 and middle 2 files"), tree("(rank 1) and (middle 2 files)"));
    assert!(tree("option.a is not no").contains("OptionIs"));
    assert!(!tree("option.a = no_one").contains("OptionIs"));
}

#[test]
fn places_end_where_the_text_ends() {
    let text = "zone rim = a1   // corner\n\nrule x when y if a of b  { go   z }  // end\n";
    let ast = good(text);
    let slice = |span: crate::diagnostics::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(slice(ast.items[0].span), "zone rim = a1");
    assert_eq!(slice(ast.items[1].span), "rule x when y if a of b  { go   z }");
    let comments: Vec<&str> = ast.comments.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(comments, ["// corner", "// end"]);
    assert_eq!(slice(ast.comments[1].span), "// end");
    let quoted = good("ruleset \"a // b\" // c");
    assert_eq!(quoted.comments.len(), 1);
    assert!(good("\u{feff}language 1").comments.is_empty());
}
