//! Nasty inputs: deep, long, broken, random.

use super::shipped::shipped;
use super::{good, said};
use crate::diagnostics::FileId;
use crate::syntax::{MAX_BYTES, parse, print};
use std::time::{Duration, Instant};

/// Every way in which the grammar calls itself, a thousand and more times.
fn deep() -> Vec<String> {
    let many = |part: &str| part.repeat(10_000);
    let define = |text: String| format!("define x = {text}");
    let mut texts = Vec::new();
    for part in [
        "not ",
        "! ",
        "- ",
        "-",
        "some ",
        "no ",
        "count ",
        "a of ",
        "a of not ",
        "if a then ",
        "if a then b else ",
        "if ",
        "if option.x is set then ",
        "if option.x is not mark then ",
        "those d in ",
        "those d in s with ",
        "the d in ",
        "the d in s by ",
        "the d in s by k, ",
        "(",
        "((",
        "f(",
        "f({ go x }, ",
        "f(a, ",
        "f({ let a = ",
        "rank ",
        "rank 1 + rank ",
        "file ",
        "ranks 1..",
        "ranks ",
        "rank (",
        "ranks (",
        "files (",
        "1 + ",
        "1 - ",
        "1 * ",
        "1 / ",
        "1 + (",
        "step any from ",
        "step any through ",
        "step any then step any from ",
        "step any from no ",
        "if x in step any then ",
        "by of ",
        "from of ",
        "to of ",
        "a and not ",
        "a or (",
        "a = (",
        "a = - ",
        "- a = ",
        "moves.x of ",
        "no by of ",
        "if a and b then c else ",
        "not option.x is and ",
    ] {
        texts.push(define(many(part)));
        texts.push(define(many(part) + "a"));
        texts.push(define(many(part) + &"a)".repeat(10_000)));
    }
    for part in ["replace ", "add ", "replace add ", "otherwise ", "without "] {
        texts.push(many(part) + "zone x = a1");
    }
    for part in [
        "{",
        "if a {",
        "if a { } else if b {",
        "for x in s {",
        "for each side s {",
        "f({",
        "let x = f({",
        "x { ",
        "if if a then ",
        "mark x as y if a {",
    ] {
        texts.push(format!("rule x when y {{ {}", many(part)));
        texts.push(format!("rule x when y {{ {}{}", many(part), many("}")));
        texts.push(format!("rule x when y {{ {}{}", many(part), many("})")));
    }
    for part in ["a = if x then ", "a = b, ", "a = b if ", "a = x: ", "a = the d in s by x, "] {
        texts.push(format!("piece P \"P\" {{ {}", many(part)));
        texts.push(format!("piece P \"P\" {{ {} }}", many(part)));
    }
    texts
}

#[test]
fn deep_texts_are_refused() {
    for text in deep() {
        let start = Instant::now();
        let (ast, problems) = parse(&text, FileId(0));
        let told: String = text.chars().take(60).collect();
        // A chain of tests and flat lists are no nesting.
        let flat = text.starts_with("define x = a and not");
        assert!(flat || !problems.is_empty(), "{told}");
        assert!(start.elapsed() < Duration::from_secs(20), "{told}");
        drop(print(&ast));
    }
    let nested = format!("define x = {}a", "not ".repeat(65));
    assert_eq!(
        said(&nested),
        ["syntax-nesting | not | more than 64 parentheses, braces and operators lie in each other here"]
    );
}

#[test]
fn what_is_just_not_too_deep_is_read() {
    for (open, close) in [
        ("(", ")"),
        ("not ", ""),
        ("-", ""),
        ("a of ", ""),
        ("f(", ")"),
        ("if a then ", " else b"),
        ("if a then b else ", ""),
        ("those d in s with ", ""),
        ("the d in s by ", ""),
        ("1 + ", ""),
        ("some (", ")"),
        ("ranks 1..", ""),
        ("step any from ", ""),
    ] {
        let count = if open == "some (" { 32 } else { 64 };
        let text = format!("define x = {}a{}", open.repeat(count), close.repeat(count));
        good(&text);
    }
    good(&format!("define x = {}1", "rank ".repeat(8)));
    let blocks = format!("rule x when y {{ {}{} }}", "if a { ".repeat(63), "}".repeat(63));
    good(&blocks);
    let long = format!("rule x when y {{ {} }}", "if a and no b of c { go d } else if e { win f of g } ".repeat(500));
    good(&long);
    good(&format!("define x = {}a", "a or b and no c or ".repeat(2000)));
    good(&format!("define x = step any{}", " then turning step any".repeat(2000)));
}

#[test]
fn nothing_is_read_twice_over() {
    let nest = |open: &str, inner: &str, close: &str| {
        let text = format!("define x = {}{inner}{}", open.repeat(20), close.repeat(20));
        // A busy machine may take its time once, not three times in a row.
        let mut times = (0..3).map(|_| {
            let start = Instant::now();
            let (_, problems) = parse(&text, FileId(0));
            (start.elapsed(), problems.len())
        });
        let quick = times.find(|(time, _)| *time < Duration::from_millis(100));
        assert!(quick.is_some(), "{text}");
        quick.map(|(_, count)| count)
    };
    assert_eq!(nest("(", "a", ")"), Some(0));
    for inner in ["a", "?", "a b", "rank", "option.x", "option.x is"] {
        for (open, close) in [
            ("(", ")"),
            ("rank (", ")"),
            ("ranks (", ")"),
            ("file (", ")"),
            ("files (", ")..(a)"),
            ("f(", ")"),
            ("f({ g(", ") })"),
            ("if a then (", ") else b"),
            ("if (", ") then a else b"),
            ("those d in (", ") with a"),
            ("the d in (", ") by a"),
            ("the d in s by (", ")"),
            ("step any from (", ")"),
            ("step any then step any through (", ")"),
            ("a of (", ")"),
            ("moves.x of (", ")"),
            ("option.x is (", ")"),
            ("not (", ") = a"),
            ("a + (", ") + b"),
            ("- (", ")"),
            ("f({ if a { g(", ") } })"),
        ] {
            nest(open, inner, close);
        }
    }
}

#[test]
fn large_texts_are_refused_and_long_ones_read() {
    assert_eq!(
        said(&" ".repeat(MAX_BYTES + 1)),
        ["syntax-too-large |  | this file holds 262145 bytes of text; at most 262144 are read"]
    );
    let start = Instant::now();
    for part in
        ["zone a = b\n", "(", ")", "}", "{", "\"", "'", ";", "x\n", "}\n", "({", "/*", "#\n", "zone\n", "a ", "§", "é"]
    {
        let text = part.repeat(MAX_BYTES / part.len());
        let (_, problems) = parse(&text, FileId(0));
        assert!(problems.len() <= text.len());
    }
    assert!(start.elapsed() < Duration::from_secs(240), "{:?}", start.elapsed());
}

#[test]
fn numbers_have_an_end() {
    assert_eq!(said("counter x up to 2147483647 in y"), Vec::<String>::new());
    assert_eq!(
        said("counter x up to 2147483648 in y\ndefine a = 99999999999999999999999"),
        [
            "syntax-number | 2147483648 | a number is at most 2147483647",
            "syntax-number | 99999999999999999999999 | a number is at most 2147483647"
        ]
    );
}

/// A small generator, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn random_changes_break_nothing() {
    const PIECES: [&str; 30] = [
        "(", ")", "{", "}", "\"", "'", "//", "/*", "\n", " ", "§5", "é", "§", ";", "==", "&&", "|", "not ", "if ",
        " then ", " of ", "zone ", "rule", "1", "..", ".", ",", "=", "the ", "option.",
    ];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for (_, text) in shipped() {
        let chars: Vec<char> = text.chars().collect();
        for _ in 0..1000 {
            // A window keeps a round short; the whole file is tried now and then.
            let whole = random.below(200) == 0;
            let size = if whole { chars.len() } else { 50 + random.below(600) };
            let from = random.below(chars.len().saturating_sub(size));
            let mut part: Vec<char> = chars.iter().skip(from).take(size).copied().collect();
            for _ in 0..=random.below(4) {
                let at = random.below(part.len());
                match random.below(3) {
                    0 => drop(part.splice(at..at, PIECES[random.below(PIECES.len())].chars())),
                    1 => drop(part.drain(at..(at + random.below(8)).min(part.len()))),
                    _ => {
                        let end = (at + random.below(40)).min(part.len());
                        let copy: Vec<char> = part[at..end].to_vec();
                        let to = random.below(part.len());
                        part.splice(to..to, copy);
                    }
                }
            }
            let changed: String = part.into_iter().collect();
            let start = Instant::now();
            said(&changed);
            let (ast, problems) = parse(&changed, FileId(3));
            assert!(start.elapsed() < Duration::from_secs(20), "{changed}");
            if problems.is_empty() {
                // What is printed is well formed, whatever it means.
                good(&print(&ast));
            }
        }
    }
}
