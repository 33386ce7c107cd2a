//! The table of all codes.
//!
//! In: nothing. Out: `CODES`, one entry for each code that a stage may raise. A test sees to it that no code appears twice.

/// A kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The code, as in `error[syntax]`.
    pub code: &'static str,
    /// A few words.
    pub title: &'static str,
    /// One sentence.
    pub explanation: &'static str,
}

const fn entry(code: &'static str, title: &'static str, explanation: &'static str) -> Code {
    Code { code, title, explanation }
}

/// All codes, by stage.
pub const CODES: &[Code] = &[
    // syntax
    entry(
        "syntax",
        "text that does not fit the grammar",
        "Something stands where the language expects something else; the message names both.",
    ),
    entry(
        "syntax-unknown-item",
        "unknown first word of an item",
        "Outside of braces every item begins with one of the item words such as `zone`, `piece`, `action` or `rule`.",
    ),
    entry(
        "syntax-foreign-operator",
        "a spelling from another language",
        "The language writes `and`, `or`, `not`, `=` and text in double quotes, and needs no `;`.",
    ),
    entry(
        "syntax-unbalanced",
        "a brace or parenthesis without its partner",
        "Every `{` and `(` needs its `}` or `)` within the same item.",
    ),
    entry(
        "syntax-unclosed-text",
        "text in quotes without its end",
        "Text in quotes ends with `\"` on the line where it began.",
    ),
    entry(
        "syntax-nesting",
        "too much nesting",
        "Parentheses, braces and chains of operators may lie at most 64 deep in each other; a `define` gives a part a name.",
    ),
    entry("syntax-number", "a number that is too large", "Numbers go up to 2,147,483,647."),
    entry("syntax-too-large", "a file that is too large", "A file may hold at most 256 KiB of text."),
];

/// The entry of a code.
pub fn code(name: &str) -> Option<&'static Code> {
    CODES.iter().find(|entry| entry.code == name)
}
