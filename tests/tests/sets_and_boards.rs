//! Square sets against sets of numbers, and the board's geometry against plain steps.

use std::collections::BTreeSet;

use fullcourt_engine::bits::Bits;
use fullcourt_engine::board::{Board, DIRECTIONS, Directions, Facing, Leg};
use fullcourt_engine::rng::Rng;

type Plain = BTreeSet<usize>;
/// Files, ranks, places beyond.
type Shape<'a> = (i32, i32, &'a [(i32, i32)]);

fn plain<const N: usize>(set: Bits<N>) -> Plain {
    set.iter().collect()
}

fn sets_agree<const N: usize>() {
    let mut rng = Rng::new(N as u64);
    let random = |rng: &mut Rng| {
        let count = rng.below(64 * N);
        let places: Plain = (0..count).map(|_| rng.below(64 * N)).collect();
        let mut bits = Bits::<N>::EMPTY;
        places.iter().for_each(|&place| bits.insert(place));
        (bits, places)
    };
    for _ in 0..200 {
        let ((a, x), (b, y)) = (random(&mut rng), random(&mut rng));
        assert_eq!(plain(a), x);
        assert!(a.iter().is_sorted());
        assert_eq!(a.len() as usize, x.len());
        assert_eq!(a.is_empty(), x.is_empty());
        assert_eq!(plain(a.and(b)), &x & &y);
        assert_eq!(plain(a.or(b)), &x | &y);
        assert_eq!(plain(a.minus(b)), &x - &y);
        let place = rng.below(64 * N);
        assert_eq!(a.has(place), x.contains(&place));
        let (mut less, mut fewer) = (a, x.clone());
        less.remove(place);
        fewer.remove(&place);
        assert_eq!(plain(less), fewer);
        assert_eq!(plain(Bits::<N>::one(place)), Plain::from([place]));
        assert_eq!(Bits::<N>::narrow(&a.widen()), a);
        assert_eq!(plain(Bits::<N>::first(place)), (0..place).collect::<Plain>());
    }
    // Places beyond the width are in no set.
    let mut edge = Bits::<N>::EMPTY;
    edge.insert(64 * N);
    edge.remove(64 * N + 5);
    assert!(edge.is_empty() && !edge.has(64 * N) && Bits::<N>::one(64 * N).is_empty());
}

#[test]
fn sets_of_one_word() {
    sets_agree::<1>();
}

#[test]
fn sets_of_two_words() {
    sets_agree::<2>();
}

#[test]
fn sets_of_four_words() {
    sets_agree::<4>();
}

#[test]
fn sets_of_eight_words() {
    sets_agree::<8>();
}

/// Boards of several shapes, with places beyond the grid.
fn boards() -> Vec<Board> {
    let shapes: [Shape<'_>; 6] = [
        (8, 8, &[]),
        (1, 1, &[]),
        (5, 9, &[(2, -1), (2, 9)]),
        (10, 8, &[(4, -1), (5, -1), (4, 8), (5, 8)]),
        (3, 3, &[(5, 1), (-1, -1)]),
        (12, 7, &[]),
    ];
    shapes.iter().map(|(files, ranks, beyond)| Board::new(*files, *ranks, beyond).expect("a board")).collect()
}

#[test]
fn names_and_coordinates() {
    for board in boards() {
        for place in 0..board.places() {
            let (file, rank) = board.coords(place);
            assert_eq!(board.at(file, rank), Some(place));
            if file >= 0 && rank >= -1 {
                assert_eq!(board.parse(&board.name(place)), Some(place), "{}", board.name(place));
            }
        }
        assert_eq!(board.parse("zz99"), None);
    }
    assert!(Board::new(2, 2, &[(0, 0)]).is_none() && Board::new(0, 4, &[]).is_none());
    assert!(Board::new(16, 32, &[]).is_some() && Board::new(16, 32, &[(16, 0)]).is_none());
}

#[test]
fn between_is_what_steps_find() {
    for board in boards() {
        for a in 0..board.places() {
            for b in 0..board.places() {
                let ((af, ar), (bf, br)) = (board.coords(a), board.coords(b));
                let mut expected = Plain::new();
                for (df, dr) in DIRECTIONS {
                    let steps = (1..32).take_while(|n| (af + n * df, ar + n * dr) != (bf, br));
                    let way: Vec<i32> = steps.collect();
                    if a != b && way.len() < 31 {
                        expected = way.iter().filter_map(|n| board.at(af + n * df, ar + n * dr)).collect();
                    }
                }
                assert_eq!(plain(board.between::<2>(a, b)), expected, "{} {}", board.name(a), board.name(b));
                assert_eq!(board.between::<2>(a, b), board.between::<2>(b, a));
                assert_eq!(board.distance(a, b), (af - bf).abs().max((ar - br).abs()));
            }
        }
    }
}

/// A path, one way at a time.
fn walk(board: &Board, legs: &[Leg], from: usize, came: Option<usize>, open: &Plain, facing: Facing, out: &mut Plain) {
    let Some((leg, rest)) = legs.split_first() else { return };
    let mut arrive = |place: usize, way: Option<usize>, goes_on: bool| {
        if rest.is_empty() {
            out.insert(place);
        } else if goes_on {
            walk(board, rest, place, way, open, facing, out);
        }
    };
    match *leg {
        Leg::Leap(a, b) => {
            let (file, rank) = board.coords(from);
            for other in 0..board.places() {
                let (f, r) = board.coords(other);
                let ways = ((f - file).abs(), (r - rank).abs());
                if other != from && (ways == (a, b) || ways == (b, a)) {
                    arrive(other, None, open.contains(&other));
                }
            }
        }
        Leg::Ride { ref ways, min, max } => {
            let (file, rank) = board.coords(from);
            for &(df, dr) in ways {
                let dr = if facing == Facing::North { dr } else { -dr };
                for n in 1..=max.min(40) {
                    let steps = i32::try_from(n).unwrap_or(0);
                    let Some(place) = board.at(file + df * steps, rank + dr * steps) else { break };
                    if n >= min {
                        arrive(place, None, open.contains(&place));
                    }
                    if !open.contains(&place) {
                        break;
                    }
                }
            }
        }
        Leg::Steps { dirs, min, max, free, turning } => {
            for (direction, &(df, dr)) in DIRECTIONS.iter().enumerate() {
                if !dirs.contains(direction, facing) || (turning && came == Some(direction)) {
                    continue;
                }
                let (file, rank) = board.coords(from);
                for n in 1..=max.min(40) {
                    let steps = i32::try_from(n).unwrap_or(0);
                    let Some(place) = board.at(file + df * steps, rank + dr * steps) else { break };
                    if n >= min {
                        arrive(place, Some(direction), free || open.contains(&place));
                    }
                    if !free && !open.contains(&place) {
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn paths_are_what_steps_find() {
    let all_dirs = [
        Directions::Any,
        Directions::Straight,
        Directions::Diagonal,
        Directions::Forward,
        Directions::Back,
        Directions::Sideways,
        Directions::Askew,
        Directions::Ahead,
    ];
    let mut rng = Rng::new(77);
    let mut ends = 0;
    for board in boards() {
        for _ in 0..300 {
            let legs: Vec<Leg> = (0..1 + rng.below(3))
                .map(|_| match rng.below(5) {
                    4 => {
                        let number = |rng: &mut Rng| i32::try_from(rng.below(5)).unwrap_or(0) - 2;
                        let ways: Vec<(i32, i32)> =
                            (0..1 + rng.below(4)).map(|_| (number(&mut rng), number(&mut rng))).collect();
                        let min = 1 + u32::try_from(rng.below(2)).unwrap_or(0);
                        let ways = ways.into_iter().filter(|way| *way != (0, 0)).collect();
                        Leg::Ride { ways, min, max: min + u32::try_from(rng.below(4)).unwrap_or(0) }
                    }
                    0 => Leg::Leap(
                        i32::try_from(rng.below(3)).unwrap_or(0),
                        1 + i32::try_from(rng.below(2)).unwrap_or(0),
                    ),
                    _ => {
                        let min = 1 + u32::try_from(rng.below(2)).unwrap_or(0);
                        let max = min + u32::try_from(rng.below(4)).unwrap_or(0);
                        let (free, turning) = (rng.below(4) == 0, rng.below(2) == 0);
                        Leg::Steps { dirs: all_dirs[rng.below(8)], min, max, free, turning }
                    }
                })
                .collect();
            let from = rng.below(board.places());
            let open: Plain = (0..board.places()).filter(|_| rng.below(3) > 0).collect();
            let mut through = Bits::<2>::EMPTY;
            open.iter().for_each(|&place| through.insert(place));
            let facing = if rng.below(2) == 0 { Facing::North } else { Facing::South };
            let mut expected = Plain::new();
            walk(&board, &legs, from, None, &open, facing, &mut expected);
            ends += expected.len();
            assert_eq!(plain(board.path(&legs, from, through, facing)), expected, "{legs:?} from {from} {open:?}");
        }
    }
    assert!(ends > 1_000);
}

#[test]
fn seen_from_the_other_end_twice_is_the_same() {
    let mut rng = Rng::new(5);
    for board in boards() {
        for _ in 0..50 {
            let mut set = Bits::<2>::EMPTY;
            // Only places whose mirror image is a place: those of the grid always are.
            (0..board.grid()).filter(|_| rng.below(2) == 0).for_each(|place| set.insert(place));
            let once = board.oriented(set, Facing::South);
            assert_eq!(board.oriented(once, Facing::South), set);
            assert_eq!(board.oriented(set, Facing::North), set);
            assert_eq!(once.len(), set.len());
        }
    }
}

#[test]
fn near_and_in_front() {
    for board in boards() {
        for a in 0..board.places() {
            let near: Plain = (0..board.places()).filter(|&b| board.distance(a, b) <= 2).collect();
            assert_eq!(plain(board.near(Bits::<2>::one(a), 2)), near);
            for b in 0..board.places() {
                let ((af, ar), (bf, br)) = (board.coords(a), board.coords(b));
                let front = |c: &usize| {
                    let (cf, cr) = board.coords(*c);
                    (cf - af) * (bf - af) + (cr - ar) * (br - ar) > 0
                };
                assert_eq!(plain(board.in_front::<2>(a, b)), (0..board.places()).filter(front).collect::<Plain>());
            }
        }
    }
}
