//! Answers of plugins, remembered by their arguments. Plugin functions are pure (see [`crate::hostcall`]), so an answer holds
//! for good, and the same ones are asked again and again: for each aim, and when an action that was found is played.

use crate::hostcall::HostValue;

/// How many answers are kept; a power of two. Each question has one place, and the newest stays.
const PLACES: usize = 1024;

/// Remembered answers.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The question that was asked last: the function, then its arguments, each in as many words as its type has.
    key: Vec<u64>,
    /// Empty until a plugin is asked.
    places: Vec<(Vec<u64>, HostValue)>,
}

impl Memo {
    /// Begins a question.
    pub fn ask(&mut self, function: u16) {
        self.key.clear();
        self.key.push(u64::from(function));
    }

    /// Adds words of an argument.
    pub fn with(&mut self, words: impl IntoIterator<Item = u64>) {
        self.key.extend(words);
    }

    fn place(&self) -> usize {
        let mixed =
            self.key.iter().fold(0u64, |hash, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95));
        (mixed >> 32) as usize & (PLACES - 1)
    }

    /// The answer, if this question has been asked before.
    pub fn answer(&self) -> Option<HostValue> {
        let (key, answer) = self.places.get(self.place())?;
        (*key == self.key).then_some(*answer)
    }

    /// Remembers the answer to the question.
    pub fn learn(&mut self, answer: HostValue) {
        if self.places.is_empty() {
            // A function always has a number, so an empty key is no question.
            self.places.resize(PLACES, (Vec::new(), HostValue::Test(false)));
        }
        let place = self.place();
        let (key, known) = &mut self.places[place];
        key.clone_from(&self.key);
        *known = answer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_belongs_to_its_arguments() {
        let mut memo = Memo::default();
        for number in 0..5_000u64 {
            memo.ask(1);
            memo.with([number]);
            assert_eq!(memo.answer(), None);
            memo.learn(HostValue::Number(number as i32));
            assert_eq!(memo.answer(), Some(HostValue::Number(number as i32)));
            memo.ask(2);
            memo.with([number]);
            assert_eq!(memo.answer(), None, "of another function");
        }
    }
}
