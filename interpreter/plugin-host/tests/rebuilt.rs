//! The plugins of the repository against a plain model of what they should do.
//!
//! With `FULLCOURT_REBUILT_PLUGINS` set to a folder, the modules `eurostep.wasm` and `specialists.wasm` in
//! it are compared as well: they are built from the sources, while those beside the sources are kept.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is wrong")]

mod common;

use std::path::{Path, PathBuf};

use common::{Random, declare, set};
use fullcourt_engine::hostcall::{HostCall, HostFnId, HostLimits, HostType as T, HostValue as V};
use fullcourt_plugin_host::{PluginHost, PluginSource};

/// Both plugins of one folder layout.
struct Plugins {
    origin: &'static str,
    host: PluginHost,
}

fn load(origin: &'static str, eurostep: &Path, specialists: &Path, places: u16) -> Plugins {
    let read = |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (eurostep, specialists) = (read(eurostep), read(specialists));
    let bent = [declare("eurostep", &[T::Square, T::Squares, T::Number, T::Number], T::Squares)];
    let reach = [T::Squares, T::Squares, T::Squares, T::Number, T::Number];
    let near = [declare("perimeter", &reach, T::Squares), declare("guard", &reach, T::Squares)];
    let sources = [
        PluginSource { name: "eurostep", bytes: &eurostep, functions: &bent },
        PluginSource { name: "specialists", bytes: &specialists, functions: &near },
    ];
    let host = PluginHost::load(&sources, HostLimits { places, sides: 2, kinds: 6 }).unwrap();
    Plugins { origin, host }
}

/// The modules to test: those kept beside the sources, and those just built when there are any.
fn all(places: u16) -> Vec<Plugins> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins");
    let (eurostep, specialists) = (kept.join("eurostep/eurostep.wasm"), kept.join("specialists/specialists.wasm"));
    let mut found = vec![load("kept", &eurostep, &specialists, places)];
    if let Some(folder) = std::env::var_os("FULLCOURT_REBUILT_PLUGINS").map(PathBuf::from) {
        found.push(load("rebuilt", &folder.join("eurostep.wasm"), &folder.join("specialists.wasm"), places));
    }
    found
}

/// A grid; the model works with coordinates and lists.
#[derive(Clone, Copy, Debug)]
struct Grid {
    files: usize,
    ranks: usize,
}

impl Grid {
    fn places(self) -> usize {
        self.files * self.ranks
    }

    fn distance(self, a: usize, b: usize) -> usize {
        let files = (a % self.files).abs_diff(b % self.files);
        files.max((a / self.files).abs_diff(b / self.files))
    }

    /// Places of the grid at a distance.
    fn ring(self, around: usize, distance: usize) -> Vec<usize> {
        (0..self.places()).filter(|&at| self.distance(around, at) == distance).collect()
    }

    fn sizes(self) -> [V; 2] {
        [V::Number(self.files as i32), V::Number(self.ranks as i32)]
    }
}

fn holds(words: &[u64; 8], place: usize) -> bool {
    words[place / 64] >> (place % 64) & 1 == 1
}

/// Two steps with a turn: the middle is not half way along a straight line.
fn bent(grid: Grid, from: usize, occupied: &[u64; 8]) -> [u64; 8] {
    let empty = |place: &usize| !holds(occupied, *place);
    let straight = |middle: usize, to: usize| {
        let twice = |place: usize| (2 * (place % grid.files), 2 * (place / grid.files));
        twice(middle) == (from % grid.files + to % grid.files, from / grid.files + to / grid.files)
    };
    let joined = |to: &usize| {
        let near = grid.ring(from, 1).into_iter().filter(empty);
        near.filter(|&middle| grid.distance(middle, *to) == 1).any(|middle| !straight(middle, *to))
    };
    set(grid.ring(from, 2).into_iter().filter(empty).filter(joined))
}

fn near(grid: Grid, lane: &[u64; 8], who: &[u64; 8], paint: &[u64; 8], inside: bool) -> [u64; 8] {
    let lane = (0..grid.places()).filter(|&at| holds(lane, at) && (!inside || holds(paint, at)));
    let lane: Vec<usize> = lane.collect();
    let asked = (0..grid.places()).filter(|&at| holds(who, at) && holds(paint, at) == inside);
    set(asked.filter(|&at| lane.iter().any(|&on| grid.distance(at, on) <= 1)))
}

fn check_bent(plugins: &[Plugins], grid: Grid, from: usize, occupied: [u64; 8]) {
    let expected = Ok(V::Squares(bent(grid, from, &occupied)));
    let [files, ranks] = grid.sizes();
    let args = [V::Square(Some(from as u16)), V::Squares(occupied), files, ranks];
    for Plugins { origin, host } in plugins {
        assert_eq!(host.call(HostFnId(0), &args), expected, "{origin}: from {from} on {grid:?} past {occupied:x?}");
    }
}

fn check_near(plugins: &[Plugins], grid: Grid, lane: [u64; 8], who: [u64; 8], paint: [u64; 8]) {
    let [files, ranks] = grid.sizes();
    let args = [V::Squares(lane), V::Squares(who), V::Squares(paint), files, ranks];
    for (function, inside) in [(1, false), (2, true)] {
        let expected = Ok(V::Squares(near(grid, &lane, &who, &paint, inside)));
        for Plugins { origin, host } in plugins {
            assert_eq!(host.call(HostFnId(function), &args), expected, "{origin}: {function} on {grid:?}, {args:x?}");
        }
    }
}

#[test]
fn every_start_and_neighbourhood_of_a_chess_board() {
    let (plugins, grid, mut random) = (all(64), Grid { files: 8, ranks: 8 }, Random(1));
    for from in 0..64 {
        let near = grid.ring(from, 1);
        for pattern in 0..1 << near.len() {
            let mut occupied = random.set(64, 3);
            for (bit, &place) in near.iter().enumerate() {
                occupied[0] &= !(1 << place);
                occupied[0] |= (pattern >> bit & 1) << place;
            }
            check_bent(&plugins, grid, from, occupied);
        }
    }
}

#[test]
fn eurostep_on_other_boards() {
    let mut random = Random(2);
    for (files, ranks, goals) in [(5, 6, 2), (1, 40, 0), (63, 1, 1), (10, 8, 0), (10, 8, 2), (16, 32, 0), (2, 200, 7)] {
        let grid = Grid { files, ranks };
        let places = grid.places() + goals;
        let plugins = all(places as u16);
        for _ in 0..2000 {
            let occupied = random.set(places, 3);
            check_bent(&plugins, grid, random.below(grid.places()), occupied);
        }
    }
}

#[test]
fn eurostep_from_nowhere_or_on_no_grid_reaches_nothing() {
    for places in [64, 512] {
        for Plugins { origin, host } in all(places) {
            for (from, files, ranks) in
                [(None, 8, 8), (Some(40), 8, 5), (Some(0), 0, 8), (Some(0), -8, 8), (Some(0), 8, -8)]
            {
                let args = [V::Square(from), V::Squares([0; 8]), V::Number(files), V::Number(ranks)];
                assert_eq!(host.call(HostFnId(0), &args), Ok(V::Squares([0; 8])), "{origin}");
            }
            for (files, ranks) in [(i32::MAX, 2), (i32::MIN, i32::MIN), (65536, 65536), (513, 1)] {
                let args = [V::Square(Some(0)), V::Squares([0; 8]), V::Number(files), V::Number(ranks)];
                assert_eq!(host.call(HostFnId(0), &args), Ok(V::Squares([0; 8])), "{origin}");
            }
        }
    }
}

#[test]
fn specialists_near_random_lanes() {
    let mut random = Random(3);
    for (files, ranks, goals) in [(8, 8, 0), (5, 6, 2), (10, 8, 0), (10, 8, 2), (16, 32, 0)] {
        let grid = Grid { files, ranks };
        let places = grid.places() + goals;
        let plugins = all(places as u16);
        for _ in 0..3000 {
            let (lane, who, paint) = (random.set(places, 1), random.set(places, 3), random.set(places, 3));
            check_near(&plugins, grid, lane, who, paint);
        }
    }
}

#[test]
fn specialists_near_straight_lanes() {
    let (plugins, grid, mut random) = (all(64), Grid { files: 8, ranks: 8 }, Random(4));
    // The keys of a court: four files wide, three ranks deep at either end.
    let paint = set((0..64).filter(|at| (2..6).contains(&(at % 8)) && (at / 8 < 3 || at / 8 > 4)));
    for from in 0..64 {
        for to in 0..64 {
            let steps = grid.distance(from, to);
            // The places that lie on whole coordinates at each step of the way.
            let on_way = |at: &usize, step: usize| {
                let fits = |at: usize, from: usize, to: usize| at * steps == from * (steps - step) + to * step;
                fits(at % 8, from % 8, to % 8) && fits(at / 8, from / 8, to / 8)
            };
            let between = |at: &usize| (1..steps).any(|step| on_way(at, step));
            let lane = set((0..64).filter(between));
            check_near(&plugins, grid, lane, random.set(64, 3), paint);
        }
    }
}
