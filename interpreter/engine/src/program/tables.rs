//! Tables of a board: where paths lead, filled when a game is loaded.

use crate::bits::Bits;
use crate::board::{Board, DIRECTIONS, Directions, Facing, Leg, is_stopped};

/// A line from a place, in the order of walking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray<const N: usize> {
    /// Its places of the grid, which lie in rising or falling order.
    grid: Bits<N>,
    /// Its places beyond, which come last.
    beyond: Bits<N>,
}

/// Where a path leads.
#[derive(Debug)]
pub(crate) enum Shape<const N: usize> {
    /// Whatever stands there: one set for each place and way of facing.
    Fixed([Vec<Bits<N>>; 2]),
    /// Lines that end at what stands on them: for each place and way of facing the lines, rising ones first, and how many
    /// of those there are.
    Lines([Vec<(Vec<Ray<N>>, usize)>; 2]),
    /// So many steps and no fewer: for each place and way of facing the squares between, and the last one.
    Exactly([Vec<Vec<(Bits<N>, usize)>>; 2]),
    /// Walked step by step.
    Walked,
}

/// A path with its table.
#[derive(Debug)]
pub struct PathTable<const N: usize> {
    pub(crate) legs: Vec<Leg>,
    pub(crate) shape: Shape<N>,
}

const FACINGS: [Facing; 2] = [Facing::North, Facing::South];

impl<const N: usize> PathTable<N> {
    /// The table of a path.
    pub fn new(board: &Board, legs: &[Leg]) -> PathTable<N> {
        let everywhere = Bits::first(board.places());
        let fixed =
            || FACINGS.map(|facing| (0..board.places()).map(|at| board.path(legs, at, everywhere, facing)).collect());
        let shape = match legs {
            _ if !is_stopped(legs) => Shape::Fixed(fixed()),
            [Leg::Steps { dirs, min: 1, max, free: false, .. }] => {
                let lines = FACINGS.map(|facing| lines(board, *dirs, *max, facing));
                match lines {
                    [Some(north), Some(south)] => Shape::Lines([north, south]),
                    _ => Shape::Walked,
                }
            }
            [Leg::Steps { dirs, min, max, free: false, .. }] if min == max => {
                Shape::Exactly(FACINGS.map(|facing| exactly(board, *dirs, *max, facing)))
            }
            _ => Shape::Walked,
        };
        PathTable { legs: legs.to_vec(), shape }
    }

    /// A path that is walked every time.
    pub fn walked(legs: &[Leg]) -> PathTable<N> {
        PathTable { legs: legs.to_vec(), shape: Shape::Walked }
    }

    /// Where the path leads from a place through a set.
    #[inline]
    pub fn from(&self, board: &Board, place: usize, through: Bits<N>, facing: Facing) -> Bits<N> {
        let way = usize::from(facing == Facing::South);
        match &self.shape {
            Shape::Fixed(sets) => sets[way].get(place).copied().unwrap_or_default(),
            Shape::Lines(lines) => {
                let Some((rays, rising)) = lines[way].get(place) else { return Bits::EMPTY };
                let mut out = Bits::EMPTY;
                for (index, ray) in rays.iter().enumerate() {
                    let stops = ray.grid.minus(through);
                    let stop = if index < *rising { stops.lowest() } else { stops.highest() };
                    out = out.or(match stop {
                        None => ray.grid.or(ray.beyond),
                        Some(stop) if index < *rising => ray.grid.up_to(stop),
                        Some(stop) => ray.grid.down_to(stop),
                    });
                }
                out
            }
            Shape::Exactly(ends) => {
                let Some(ends) = ends[way].get(place) else { return Bits::EMPTY };
                let mut out = Bits::EMPTY;
                for (between, end) in ends {
                    if between.minus(through).is_empty() {
                        out.insert(*end);
                    }
                }
                out
            }
            Shape::Walked => board.path(&self.legs, place, through, facing),
        }
    }
}

/// Where so many steps lead from each place: the squares between, and the last.
fn exactly<const N: usize>(board: &Board, dirs: Directions, steps: u32, facing: Facing) -> Vec<Vec<(Bits<N>, usize)>> {
    let ends = |place: usize| {
        let ways = (0..DIRECTIONS.len()).filter(|&direction| dirs.contains(direction, facing));
        ways.filter_map(|direction| {
            let (mut at, mut between) = (place, Bits::EMPTY);
            for step in 1..=steps {
                at = board.step(at, direction)?;
                if step < steps {
                    between.insert(at);
                }
            }
            Some((between, at))
        })
        .collect()
    };
    (0..board.places()).map(ends).collect()
}

/// The lines of each place; `None` when some line cannot be told by the order of its places.
fn lines<const N: usize>(
    board: &Board,
    dirs: Directions,
    max: u32,
    facing: Facing,
) -> Option<Vec<(Vec<Ray<N>>, usize)>> {
    let mut out = Vec::with_capacity(board.places());
    for place in 0..board.places() {
        let (mut rising, mut falling) = (Vec::new(), Vec::new());
        for (direction, &(files, ranks)) in DIRECTIONS.iter().enumerate() {
            if !dirs.contains(direction, facing) {
                continue;
            }
            let mut ray = Ray { grid: Bits::EMPTY, beyond: Bits::EMPTY };
            let mut at = place;
            let mut steps = 0;
            while steps < max
                && let Some(next) = board.step(at, direction)
            {
                at = next;
                steps += 1;
                if at >= board.grid() {
                    // Only the last place may lie beyond: through such a place nothing goes on here.
                    ray.beyond.insert(at);
                    if steps < max && board.step(at, direction).is_some() {
                        return None;
                    }
                } else if ray.beyond.is_empty() {
                    ray.grid.insert(at);
                } else {
                    return None;
                }
            }
            if ray.grid.is_empty() && ray.beyond.is_empty() {
                continue;
            }
            let up = ranks > 0 || (ranks == 0 && files > 0);
            if up { rising.push(ray) } else { falling.push(ray) }
        }
        let count = rising.len();
        rising.extend(falling);
        out.push((rising, count));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_leads_where_walking_does() {
        let board = Board::new(5, 6, &[(0, -1), (1, 6)]).expect("a board");
        let steps = |dirs, min, max| vec![Leg::Steps { dirs, min, max, free: false, turning: false }];
        let all = [Directions::Any, Directions::Straight, Directions::Diagonal, Directions::Forward, Directions::Ahead];
        for dirs in all {
            for (min, max) in [(1, 1), (1, 3), (1, 99), (2, 2), (3, 3)] {
                let legs = steps(dirs, min, max);
                let (table, walked) = (PathTable::<1>::new(&board, &legs), PathTable::<1>::walked(&legs));
                let tabled = !matches!(table.shape, Shape::Walked);
                assert!(tabled && matches!(walked.shape, Shape::Walked), "{legs:?}");
                for place in 0..board.places() {
                    for word in [0, u64::MAX, 0x5a5a_1234_9e37_79b9, 0xf0ff_ff7e_f7ff_ffff] {
                        let through = Bits([word]).and(Bits::first(board.grid()));
                        for facing in FACINGS {
                            let (quick, slow) = (
                                table.from(&board, place, through, facing),
                                walked.from(&board, place, through, facing),
                            );
                            assert_eq!(quick, slow, "{legs:?} from {place} through {through:?} facing {facing:?}");
                        }
                    }
                }
            }
        }
    }
}
