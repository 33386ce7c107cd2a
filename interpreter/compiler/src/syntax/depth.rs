//! A bound on nesting, before anything recursive reads the text.
//!
//! In: the tokens of one item, one after the other. Out: whether more than `MAX_DEPTH` constructs may be open at one place.
//! The count never lies below the depth of the recursion of the grammar (apart from a factor of two for comparisons); it
//! may lie above, as it does not know where an expression ends. What follows a token that does not fit the grammar does
//! not matter, since reading stops there.

use super::words::is_statement_word;

/// How many parentheses, braces, operators and words that hold expressions may lie in each other.
pub(super) const MAX_DEPTH: usize = 64;

/// A pair of brackets, or the item itself.
#[derive(Default)]
struct Frame {
    brace: bool,
    /// Words that hold an expression which only the end of the statement is sure to close, with all that was open there.
    held: usize,
    /// Prefixes, `of`, signs of arithmetic: closed by the next `and`, `or`, `else`, `with`.
    chain: usize,
    /// `the … by` was seen: a comma goes on with its keys instead of closing it.
    keys: bool,
}

impl Frame {
    fn close(&mut self) {
        self.held = 0;
        self.chain = 0;
        self.keys = false;
    }
}

/// The nesting of one item.
pub(super) struct Depth {
    frames: Vec<Frame>,
    /// Of all frames but the last: one each, and what they hold.
    below: usize,
    after_is: bool,
}

impl Depth {
    pub fn new() -> Depth {
        Depth { frames: vec![Frame::default()], below: 0, after_is: false }
    }

    /// Takes the next word or sign; answers whether the nesting is still allowed.
    pub fn step(&mut self, token: &str) -> bool {
        let after_is = self.after_is;
        self.after_is = token == "is" || (after_is && token == "not");
        let outermost = self.frames.len() == 1;
        let Some(frame) = self.frames.last_mut() else { return true };
        match token {
            "(" => {
                self.below += 1 + frame.held + frame.chain;
                self.frames.push(Frame::default());
            }
            "{" => {
                // No expression goes on with a brace.
                frame.close();
                self.below += 1;
                self.frames.push(Frame { brace: true, ..Frame::default() });
            }
            ")" | "}" if !outermost => {
                self.frames.pop();
                if let Some(frame) = self.frames.last_mut() {
                    self.below = self.below.saturating_sub(1 + frame.held + frame.chain);
                    if token == "}" && frame.brace {
                        frame.close();
                    }
                }
            }
            "," if !frame.keys => frame.close(),
            // `option.x is set`: any word may stand there as a value.
            word if frame.brace && !after_is && is_statement_word(word) && word != "if" => frame.close(),
            "if" | "those" | "the" | "replace" | "add" => {
                frame.held += 1 + frame.chain;
                frame.chain = 0;
                frame.keys |= token == "the";
            }
            "and" | "or" | "else" | "with" => frame.chain = 0,
            // `rank a` stands for `ranks a..a`: the tree doubles with each of them.
            "rank" | "file" => frame.chain += 8,
            "not" | "!" | "some" | "no" | "count" | "of" | "through" | "from" | "ranks" | "files" | "-" | "+" | "*"
            | "/" => {
                frame.chain += 1;
            }
            _ => {}
        }
        let here = self.frames.last().map_or(0, |frame| frame.held + frame.chain);
        self.below + here <= MAX_DEPTH
    }
}
