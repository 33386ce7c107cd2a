//! The words and signs of a text, without their grammar.
//!
//! In: a text. Out: its tokens in order, each with its place; comments and texts in quotes are one token each. Total: every
//! byte that is no white space belongs to exactly one token.

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// Nothing but white space before it on its line.
    pub first: bool,
    /// How many bytes of white space are before it on its line, where it is the first.
    pub column: usize,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and `_`.
    Word,
    /// `"…"`
    Text,
    /// `"` without a second one on its line.
    OpenText,
    /// `'…'` on one line.
    ForeignText,
    /// `// …`
    Comment,
    /// `/* … */`, `# …`
    ForeignComment,
    /// `==`, `&&`, `||`, `;` and the like, single signs, and paragraphs such as `§5`.
    Sign,
}

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Tokens<'_> {
    // A byte order mark is no part of the text.
    let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    Tokens { text, at, line_start: at, first: true }
}

/// An iterator over the tokens of a text.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    line_start: usize,
    first: bool,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at).filter(|byte| b" \t\r\n".contains(byte)) {
            self.at += 1;
            if *byte == b'\n' {
                self.line_start = self.at;
                self.first = true;
            }
        }
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let (kind, length) = measure(rest);
        let token = Token { kind, start, end: start + length, first: self.first, column: start - self.line_start };
        self.at = token.end;
        self.first = false;
        Some(token)
    }
}

fn measure(rest: &str) -> (TokenKind, usize) {
    let line = || rest.find('\n').unwrap_or(rest.len());
    let bytes = rest.as_bytes();
    let second = bytes.get(1).copied().unwrap_or(0);
    match bytes.first().copied().unwrap_or(0) {
        byte if is_word_byte(byte) => {
            let length = bytes.iter().take_while(|byte| is_word_byte(**byte)).count();
            (TokenKind::Word, length)
        }
        b'"' => match quoted(rest, '"') {
            Some(length) => (TokenKind::Text, length),
            None => (TokenKind::OpenText, rest.get(..line()).map_or(1, |line| line.trim_end().len())),
        },
        b'\'' => match quoted(rest, '\'') {
            Some(length) => (TokenKind::ForeignText, length),
            None => (TokenKind::Sign, 1),
        },
        b'/' if second == b'/' => (TokenKind::Comment, line()),
        b'/' if second == b'*' => {
            let end = rest.get(2..).and_then(|inner| inner.find("*/"));
            (TokenKind::ForeignComment, end.map_or(rest.len(), |end| end + 4))
        }
        b'#' => (TokenKind::ForeignComment, line()),
        b'.' if second == b'.' => (TokenKind::Sign, 2),
        first if b"=&|!<>".contains(&first) => {
            let double = (first == second && b"=&|".contains(&first)) || (second == b'=' && b"!<>".contains(&first));
            (TokenKind::Sign, 1 + usize::from(double))
        }
        _ if rest.starts_with('§') => {
            let inner =
                rest.trim_start_matches('§').trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.');
            (TokenKind::Sign, rest.len() - inner.len())
        }
        _ => (TokenKind::Sign, rest.chars().next().map_or(1, char::len_utf8)),
    }
}

fn quoted(rest: &str, quote: char) -> Option<usize> {
    let inner = rest.get(1..)?;
    let end = inner.find([quote, '\n'])?;
    inner.get(end..)?.starts_with(quote).then_some(end + 2)
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
