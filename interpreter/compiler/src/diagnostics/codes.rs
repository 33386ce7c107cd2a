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
    // model and graph
    entry(
        "ambiguous",
        "a name that fits several items",
        "`without NAME` names more than one thing; say which kind is meant.",
    ),
    entry(
        "board-size",
        "a board that is too large or too small",
        "A board has from 1 to 512 squares, those beyond the grid included.",
    ),
    entry(
        "circular",
        "something made of itself",
        "Definitions, zones, geometries, spans and the order of rules must end somewhere.",
    ),
    entry("clock-unticked", "a clock that nothing ticks", "A clock that no action or rule ticks never runs out."),
    entry(
        "double-write",
        "one value written twice at one event",
        "Two rules that an event starts write the same value, and nothing says which comes first.",
    ),
    entry(
        "duplicate",
        "a name that is there already",
        "A name is given once; a ruleset that extends another changes an item with `replace`.",
    ),
    entry(
        "endless-reaction",
        "a rule that starts itself again",
        "What a rule reports starts it again, so it would never end.",
    ),
    entry(
        "hidden-name",
        "a name that would hide another",
        "Within a definition or rule a name may not be that of something else.",
    ),
    entry(
        "language-version",
        "a file in another version of the language",
        "A file says which version of the language it is written in, and this program reads one.",
    ),
    entry("missing-part", "a part that every ruleset needs", "A ruleset has a board, sides and kinds of piece."),
    entry(
        "never-fires",
        "a rule or action that can never happen",
        "Nothing starts the rule, or a condition of it holds for no value of the options.",
    ),
    entry("no-file", "a file that is not there", "A ruleset, a library or a plugin that is named cannot be found."),
    entry(
        "no-order",
        "a choice that is not always settled",
        "`the … by` must end with `order`, so that it singles out one square.",
    ),
    entry(
        "nothing-to-replace",
        "an item to change that is not there",
        "`replace` and `without` name an item of the ruleset that is extended.",
    ),
    entry("off-board", "squares that are not on the board", "A square, rank or file lies beyond the board."),
    entry("option-unread", "an option that nothing asks for", "An option that no rule reads changes nothing."),
    entry(
        "phase-stays",
        "a phase that cannot be left",
        "No action of the phase leads to another one or decides the game.",
    ),
    entry("phase-unreached", "a phase to which nothing leads", "No action or rule goes to the phase."),
    entry(
        "plugin",
        "a plugin that does not fit",
        "A plugin module is invalid, lacks a function, or has another signature than the ruleset declares.",
    ),
    entry(
        "same-action",
        "two actions that can be one",
        "Two actions of one phase can be written alike, and nothing says which of them counts.",
    ),
    entry(
        "too-large",
        "a ruleset that is too large",
        "Expanded definitions, values of a position, or actions pass their limits.",
    ),
    entry("unknown-name", "a name that is not known", "The message gives the nearest name that is known."),
    entry("wrong-notation", "a notation that does not fit", "A field names no choice, or a choice is not shown."),
    entry(
        "wrong-place",
        "something where it may not stand",
        "`choose` stands at the top of an action, `replace` in a ruleset that extends another, and so on.",
    ),
    entry(
        "wrong-type",
        "a value of another type than expected",
        "Sets of squares, squares, sides, kinds, numbers and tests are told apart.",
    ),
    entry(
        "wrong-value",
        "a value outside of its range",
        "A number, word or letter is not one of those that are possible.",
    ),
];

/// The entry of a code.
pub fn code(name: &str) -> Option<&'static Code> {
    CODES.iter().find(|entry| entry.code == name)
}
