//! Betza's letters: how designers of chess variants write the movement of a piece.
//!
//! In: a text such as `mfWcfF`. Out: paths, each with what it may be used for. After Ralph Betza's "funny notation" as
//! the Chess Variant Pages describe it; what is not supported is refused by its letter.

use fullcourt_engine::board::{Directions, Leg};

/// What a path may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// To go to a square without a piece.
    pub quiet: bool,
    /// To take a piece.
    pub takes: bool,
}

/// Where and why a text is not understood: the byte, what is wrong, advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// First byte of the letter.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

const ENDLESS: u32 = 512;

/// Letters that are known and not supported.
const REFUSED: &[(char, &str)] = &[
    ('i', "a first move only"),
    ('j', "a jump"),
    ('n', "a leap that can be blocked"),
    ('p', "a hop over a piece"),
    ('g', "a hop that lands behind a piece"),
    ('o', "a board without edges"),
    ('z', "a crooked way"),
    ('q', "a circular way"),
    ('t', "a move that goes on"),
    ('a', "a move again"),
    ('d', "taking an own piece"),
    ('e', "en passant"),
    ('u', "unloading"),
    ('x', "giving movement to others"),
    ('y', "a changing range"),
    ('k', "taking a royal piece"),
];

/// Reads a text.
///
/// # Errors
/// The first letter that is not understood.
pub fn read(text: &str) -> Result<Vec<(Leg, Use)>, Wrong> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut at = 0;
    let mut out = Vec::new();
    if letters.is_empty() {
        return Err(wrong(0, "there is no letter of a movement".to_owned(), "write for example `W` or `mfWcfF`"));
    }
    while at < letters.len() {
        let start = at;
        while letters.get(at).is_some_and(|(_, c)| c.is_ascii_lowercase()) {
            at += 1;
        }
        let modifiers = &letters[start..at];
        let Some(&(place, letter)) = letters.get(at) else {
            let last = letters[at - 1];
            return Err(wrong(last.0, format!("`{}` stands before no atom", last.1), "an atom is a large letter"));
        };
        let Some(atom) = atom(letter) else {
            let message = format!("`{letter}` is no atom");
            return Err(wrong(place, message, "the atoms are W F D N A H C L Z J G, and B R Q K"));
        };
        at += 1;
        let mut most = if atom.endless { ENDLESS } else { 1 };
        if letters.get(at).is_some_and(|(_, c)| *c == letter) {
            most = ENDLESS;
            at += 1;
        }
        let from = at;
        while letters.get(at).is_some_and(|(_, c)| c.is_ascii_digit()) {
            at += 1;
        }
        let digits: String = letters[from..at].iter().map(|(_, c)| *c).collect();
        if !digits.is_empty() {
            most = match digits.parse() {
                Ok(0) => ENDLESS,
                Ok(number) if number <= ENDLESS => number,
                _ => return Err(wrong(letters[from].0, format!("a piece goes at most {ENDLESS} steps"), "")),
            };
        }
        piece(modifiers, &atom, most, &mut out)?;
    }
    Ok(out)
}

fn wrong(at: usize, message: String, help: &'static str) -> Wrong {
    Wrong { at, message, help }
}

struct Atom {
    /// Leaps: so far along one axis, so far along the other.
    leaps: &'static [(i32, i32)],
    endless: bool,
}

fn atom(letter: char) -> Option<Atom> {
    let (leaps, endless): (&[(i32, i32)], bool) = match letter {
        'W' => (&[(0, 1)], false),
        'F' => (&[(1, 1)], false),
        'D' => (&[(0, 2)], false),
        'N' => (&[(1, 2)], false),
        'A' => (&[(2, 2)], false),
        'H' => (&[(0, 3)], false),
        'C' | 'L' => (&[(1, 3)], false),
        'Z' | 'J' => (&[(2, 3)], false),
        'G' => (&[(3, 3)], false),
        'K' => (&[(0, 1), (1, 1)], false),
        'R' => (&[(0, 1)], true),
        'B' => (&[(1, 1)], true),
        'Q' => (&[(0, 1), (1, 1)], true),
        _ => return None,
    };
    Some(Atom { leaps, endless })
}

/// One atom with its modifiers.
fn piece(modifiers: &[(usize, char)], atom: &Atom, most: u32, out: &mut Vec<(Leg, Use)>) -> Result<(), Wrong> {
    let mut uses = Use { quiet: false, takes: false };
    let mut ways = Vec::new();
    for &(at, c) in modifiers {
        match c {
            'm' => uses.quiet = true,
            'c' => uses.takes = true,
            'f' | 'b' | 'l' | 'r' | 'v' | 's' | 'h' => ways.push((at, c)),
            c => {
                let known = REFUSED.iter().find(|(letter, _)| *letter == c);
                let message = match known {
                    Some((_, meaning)) => format!("`{c}` ({meaning}) is not supported"),
                    None => format!("`{c}` is no modifier"),
                };
                return Err(wrong(at, message, "the modifiers are m c, and the directions f b l r v s"));
            }
        }
    }
    if !uses.quiet && !uses.takes {
        uses = Use { quiet: true, takes: true };
    }
    // Straight and diagonal steps without a direction are one path, as a slide in any direction is.
    if atom.leaps.len() == 2 && ways.is_empty() {
        out.push((Leg::Steps { dirs: Directions::Any, min: 1, max: most, free: false, turning: false }, uses));
        return Ok(());
    }
    for &leap in atom.leaps {
        out.push((leg(leap, &ways, most)?, uses));
    }
    Ok(())
}

/// The path of a leap in some directions, as the simplest leg that says it.
fn leg(leap: (i32, i32), ways: &[(usize, char)], most: u32) -> Result<Leg, Wrong> {
    let all = all_ways(leap);
    let mut kept: Vec<(i32, i32)> = Vec::new();
    let mut at = 0;
    if ways.is_empty() {
        kept.clone_from(&all);
    }
    while let Some(&(place, first)) = ways.get(at) {
        let second = ways.get(at + 1).map(|(_, c)| *c);
        let (taken, length) = direction(leap, first, second).ok_or_else(|| {
            wrong(
                place,
                format!("`{first}` says too little here"),
                "for leaps that go askew say `ff`, `fs`, `fh`, `bb`, `bs`, `bh`, `lh`, `rh`, `v` or `s`",
            )
        })?;
        kept.extend(all.iter().filter(|way| taken(**way)));
        at += length;
    }
    kept.sort_unstable();
    kept.dedup();
    let full = kept.len() == all.len();
    let steps = |dirs| Leg::Steps { dirs, min: 1, max: most, free: false, turning: false };
    Ok(match leap {
        (0, 1) if full => steps(Directions::Straight),
        (1, 1) if full => steps(Directions::Diagonal),
        (0, 1) if kept == [(0, 1)] => steps(Directions::Forward),
        (0, 1) if kept == [(0, -1)] => steps(Directions::Back),
        (0, 1) if kept == [(-1, 0), (1, 0)] => steps(Directions::Sideways),
        (1, 1) if kept == [(-1, 1), (1, 1)] => steps(Directions::Askew),
        (a, b) if full && most == 1 => Leg::Leap(a, b),
        _ => Leg::Ride { ways: kept, min: 1, max: most },
    })
}

fn all_ways((a, b): (i32, i32)) -> Vec<(i32, i32)> {
    let mut ways = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        for (sx, sy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            ways.push((sx * x, sy * y));
        }
    }
    ways.sort_unstable();
    ways.dedup();
    ways
}

type Test = Box<dyn Fn((i32, i32)) -> bool>;

/// What the first one or two letters of a direction say: a test of ways, and how many letters it took.
fn direction((a, b): (i32, i32), first: char, second: Option<char>) -> Option<(Test, usize)> {
    let side = |c: char| -> Option<Test> {
        Some(match c {
            'f' => Box::new(|(_, y)| y > 0),
            'b' => Box::new(|(_, y)| y < 0),
            'l' => Box::new(|(x, _)| x < 0),
            'r' => Box::new(|(x, _)| x > 0),
            _ => return None,
        })
    };
    if a != b && a != 0 {
        // Askew: two of eight ways, or four.
        let narrow: fn((i32, i32)) -> bool = |(x, y): (i32, i32)| y.abs() > x.abs();
        let (test, length): (Test, usize) = match (first, second) {
            ('f' | 'b' | 'l' | 'r', Some('h')) => (side(first)?, 2),
            ('f', Some('f')) => (Box::new(move |way| way.1 > 0 && narrow(way)), 2),
            ('b', Some('b')) => (Box::new(move |way| way.1 < 0 && narrow(way)), 2),
            ('f', Some('s')) => (Box::new(move |way| way.1 > 0 && !narrow(way)), 2),
            ('b', Some('s')) => (Box::new(move |way| way.1 < 0 && !narrow(way)), 2),
            ('v', _) => (Box::new(narrow), 1),
            ('s', _) => (Box::new(move |way| !narrow(way)), 1),
            _ => return None,
        };
        return Some((test, length));
    }
    let straight = a == 0;
    match first {
        'v' if straight => Some((Box::new(|(_, y)| y != 0), 1)),
        's' if straight => Some((Box::new(|(x, _)| x != 0), 1)),
        'v' | 's' => Some((Box::new(|_| true), 1)),
        'f' | 'b' if !straight && matches!(second, Some('l' | 'r')) => {
            let (one, two) = (side(first)?, side(second?)?);
            Some((Box::new(move |way| one(way) && two(way)), 2))
        }
        _ => side(first).map(|test| (test, 1)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]
mod tests {
    use super::*;

    fn legs(text: &str) -> Vec<(Leg, bool, bool)> {
        read(text).unwrap().into_iter().map(|(leg, uses)| (leg, uses.quiet, uses.takes)).collect()
    }

    fn steps(dirs: Directions, max: u32) -> Leg {
        Leg::Steps { dirs, min: 1, max, free: false, turning: false }
    }

    #[test]
    fn letters_become_the_simplest_legs() {
        assert_eq!(legs("N"), [(Leg::Leap(1, 2), true, true)]);
        assert_eq!(legs("K"), [(steps(Directions::Any, 1), true, true)]);
        assert_eq!(legs("R4"), [(steps(Directions::Straight, 4), true, true)]);
        assert_eq!(legs("WW"), legs("R"));
        assert_eq!(legs("W0"), legs("R"));
        assert_eq!(legs("FF3"), [(steps(Directions::Diagonal, 3), true, true)]);
        assert_eq!(
            legs("mWcF"),
            [(steps(Directions::Straight, 1), true, false), (steps(Directions::Diagonal, 1), false, true)]
        );
        assert_eq!(
            legs("mfWcfF"),
            [(steps(Directions::Forward, 1), true, false), (steps(Directions::Askew, 1), false, true)]
        );
        assert_eq!(
            legs("WfF"),
            [(steps(Directions::Straight, 1), true, true), (steps(Directions::Askew, 1), true, true)]
        );
        assert_eq!(legs("NmK"), [(Leg::Leap(1, 2), true, true), (steps(Directions::Any, 1), true, false)]);
        assert_eq!(legs("NN").len(), 1);
        assert!(matches!(&legs("NN")[0].0, Leg::Ride { ways, max: 512, .. } if ways.len() == 8));
    }

    #[test]
    fn directions_choose_ways() {
        let ways = |text: &str| match &legs(text)[0].0 {
            Leg::Ride { ways, .. } => ways.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(ways("ffN"), [(-1, 2), (1, 2)]);
        assert_eq!(ways("fsN"), [(-2, 1), (2, 1)]);
        assert_eq!(ways("fhN").len(), 4);
        assert_eq!(ways("vN").len(), 4);
        assert_eq!(ways("flF"), [(-1, 1)]);
        assert_eq!(ways("frblF"), [(-1, -1), (1, 1)]);
        assert_eq!(ways("fbW"), [(0, -1), (0, 1)]);
        assert_eq!(ways("flW"), [(-1, 0), (0, 1)]);
        assert_eq!(ways("fD"), [(0, 2)]);
    }

    #[test]
    fn what_is_not_supported_is_named() {
        let wrong = |text: &str| read(text).unwrap_err();
        assert_eq!((wrong("pR").at, wrong("pR").message.contains("`p` (a hop")), (0, true));
        assert_eq!(wrong("WimN").at, 1);
        assert!(wrong("fN").message.contains("`f`"));
        assert!(wrong("X").message.contains("no atom"));
        assert!(wrong("Wm").message.contains("before no atom"));
        assert!(read("").is_err());
        assert!(read("W513").is_err() && read("W99999999999").is_err());
        assert!(read("é").is_err());
    }
}
