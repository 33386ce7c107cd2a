//! Answers remembered by their arguments.
//!
//! In: the number of a function and its arguments as words. Out: the answer of an earlier equal call. A
//! fixed number of slots, each holding the latest call that fell into it: bounded, and without any order
//! that could show. Functions are pure, so whether an answer is remembered changes only the speed.

use fullcourt_engine::hostcall::HostValue;

/// The number of slots, a power of two.
const SLOTS: usize = 4096;

struct Slot {
    function: u16,
    row: Vec<u64>,
    answer: HostValue,
}

/// A bounded store of answers.
#[derive(Default)]
pub(crate) struct Memo {
    /// Empty until the first answer.
    slots: Vec<Option<Slot>>,
}

impl Memo {
    /// The answer to a call, when it is remembered.
    pub(crate) fn get(&self, function: u16, row: &[u64]) -> Option<HostValue> {
        let slot = self.slots.get(index(function, row))?.as_ref()?;
        (slot.function == function && slot.row == row).then_some(slot.answer)
    }

    /// Remembers an answer, in the place of an older one.
    pub(crate) fn put(&mut self, function: u16, row: &[u64], answer: HostValue) {
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        match &mut self.slots[index(function, row)] {
            Some(slot) => {
                slot.function = function;
                // PERF: the row keeps its allocation.
                slot.row.clear();
                slot.row.extend_from_slice(row);
                slot.answer = answer;
            }
            empty => *empty = Some(Slot { function, row: row.to_vec(), answer }),
        }
    }
}

/// The slot of a call: multiplication mixes upwards, so the high bits count.
fn index(function: u16, row: &[u64]) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let start = u64::from(function).wrapping_add(1).wrapping_mul(MIX);
    let mixed = row.iter().fold(start, |hash, word| (hash.rotate_left(23) ^ word).wrapping_mul(MIX));
    (mixed >> (64 - SLOTS.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_belong_to_function_and_arguments() {
        let mut memo = Memo::default();
        assert_eq!(memo.get(0, &[1, 2]), None);
        memo.put(0, &[1, 2], HostValue::Number(7));
        assert_eq!(memo.get(0, &[1, 2]), Some(HostValue::Number(7)));
        assert_eq!(memo.get(1, &[1, 2]), None);
        assert_eq!(memo.get(0, &[2, 1]), None);
        assert_eq!(memo.get(0, &[1]), None);
    }

    #[test]
    fn it_stays_bounded_and_right() {
        let mut memo = Memo::default();
        for word in 0..100_000u64 {
            memo.put(3, &[word], HostValue::Number(word as i32));
        }
        assert_eq!(memo.slots.len(), SLOTS);
        let mut kept = 0;
        for word in 0..100_000u64 {
            if let Some(answer) = memo.get(3, &[word]) {
                assert_eq!(answer, HostValue::Number(word as i32));
                kept += 1;
            }
        }
        assert!(kept > SLOTS / 2, "{kept}");
    }
}
