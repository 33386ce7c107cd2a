//! Positions of Soccer Chess, said in a line.

use std::sync::LazyLock;

use fullcourt_engine::session::Session;

use crate::{Loaded, TestFiles, load};

/// Names and values of options.
pub type Options<'a> = &'a [(&'a str, &'a str)];

/// Soccer Chess.
pub static SOCCER: LazyLock<Loaded> = LazyLock::new(|| load(&TestFiles::default(), "soccer-chess"));

/// A position of men written `Kf1 Ra8 kf17`, Visited's in capitals, without anybody on a bench or a square where it was
/// placed; `rest` is what stands between.
///
/// # Panics
/// When a man stands nowhere on the grid.
#[must_use]
#[allow(clippy::expect_used)]
pub fn pitch(men: &str, rest: &str) -> String {
    let mut grid = vec![vec![None; 11]; 17];
    for man in men.split_whitespace() {
        let file = usize::from(man.as_bytes()[1] - b'a');
        let rank: usize = man[2..].parse().expect("a rank");
        grid[17 - rank][file] = man.chars().next();
    }
    let row = |row: &Vec<Option<char>>| {
        let mut text = String::new();
        let mut empty = 0;
        for man in row {
            match man {
                None => empty += 1,
                Some(letter) => {
                    text.push_str(&if empty > 0 { empty.to_string() } else { String::new() });
                    text.push(*letter);
                    empty = 0;
                }
            }
        }
        text + &if empty > 0 { empty.to_string() } else { String::new() }
    };
    format!("{}[] {rest} -", grid.iter().map(row).collect::<Vec<_>>().join("/"))
}

/// Visited's first set with these men.
#[must_use]
pub fn first_set(options: Options, men: &str, ball: &str) -> Box<dyn Session> {
    SOCCER.at(options, &pitch(men, &format!("{ball} play h 1 0 - 0-0 0-0 h")))
}

/// Where the ball lies.
#[must_use]
pub fn ball(play: &dyn Session) -> String {
    play.state()["vars"]["ball"].as_str().unwrap_or_default().to_owned()
}
