//! Lines of bounded length.

use std::io::{self, BufRead};

/// The longest line, in bytes, its end not counted.
pub(crate) const LINE_BYTES: usize = 1 << 20;

/// A line that was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end.
    Text(Vec<u8>),
    /// A line that was too long; it was read over, not kept.
    TooLong,
    /// There is no more.
    End,
}

/// Reads a line and keeps no more than [`LINE_BYTES`] of it.
pub(crate) fn read_line(reader: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let newline = chunk.iter().position(|byte| *byte == b'\n');
        let text = chunk.get(..newline.unwrap_or(chunk.len())).unwrap_or_default();
        too_long |= line.len() + text.len() > LINE_BYTES;
        if !too_long {
            line.extend_from_slice(text);
        }
        let used = newline.map_or(chunk.len(), |at| at + 1);
        reader.consume(used);
        if newline.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(match (any, too_long) {
        (false, _) => Line::End,
        (true, true) => Line::TooLong,
        (true, false) => Line::Text(line),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines_end_where_they_should() {
        let long = "x".repeat(LINE_BYTES);
        let text = format!("a\r\n\n{long}\n{long}y\nz");
        let mut reader = io::BufReader::with_capacity(1000, text.as_bytes());
        let text = |text: &str| Line::Text(text.as_bytes().to_vec());
        for expected in [text("a"), text(""), text(&long), Line::TooLong, text("z"), Line::End, Line::End] {
            assert!(read_line(&mut reader).unwrap() == expected);
        }
    }
}
