//! Counting positions.

use crate::fault::Fault;
use crate::game::Game;
use crate::history::Beside;
use crate::position::Position;

impl<const N: usize> Game<N> {
    /// How many chains of `depth` decisions start at a position; a finished game has none below it. What lies beside a
    /// position is not known: no history, and rules that wait for a phase to open are not judged. `bulk` counts the last
    /// decisions without playing them, which is the same number.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn perft(&self, pos: &Position<N>, depth: u32, bulk: bool, stop: &dyn Fn() -> bool) -> Result<u64, Fault> {
        if depth == 0 {
            return Ok(1);
        }
        let legal = self.legal(pos, None)?;
        if bulk && depth == 1 {
            return Ok(legal.len() as u64);
        }
        let mut nodes = 0;
        for action in legal {
            if stop() {
                break;
            }
            let done = self.apply(pos, action, Beside { counting: true, ..Beside::default() })?;
            nodes += self.perft(&done.pos, depth - 1, bulk, stop)?;
        }
        Ok(nodes)
    }
}
