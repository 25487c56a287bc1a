//! Writes JSON, for people with the line ends of `serde_json`, and with one write for each line's beginning: a file of
//! ten thousand benchmarks has half a million lines.
//!
//! Both layouts are one formatter, because a serializer is built for each: every format would be built twice.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// A comma, a line end and spaces: what is before a value, from the part that is needed on.
const BEGINNING: &str = ",\n                                                                ";

/// The text of a value for people; empty if it cannot be serialized. `capacity` is about how long it is.
pub(crate) fn pretty(value: &impl Serialize, capacity: usize) -> String {
    text(value, capacity, Layout::default())
}

/// Like `pretty`, without white space.
pub(crate) fn one_line(value: &impl Serialize, capacity: usize) -> String {
    text(value, capacity, Layout { is_one_line: true, ..Layout::default() })
}

fn text(value: &impl Serialize, capacity: usize, layout: Layout) -> String {
    let mut bytes = Vec::with_capacity(capacity);
    match value.serialize(&mut Serializer::with_formatter(&mut bytes, layout)) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

#[derive(Default)]
struct Layout {
    is_one_line: bool,
    depth: usize,
    /// Whether something is in the list or object that is being written.
    is_filled: bool,
}

impl Layout {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: u8) -> io::Result<()> {
        self.depth += 1;
        self.is_filled = false;
        writer.write_all(&[bracket])
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: u8) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if self.is_filled {
            self.line(writer, true)?;
        }
        self.is_filled = true;
        writer.write_all(&[bracket])
    }

    fn line<W: ?Sized + Write>(&self, writer: &mut W, first: bool) -> io::Result<()> {
        let start = usize::from(first);
        let end = if self.is_one_line { 1 } else { 2 + 2 * self.depth };
        let shown = BEGINNING.as_bytes().get(start..end.min(BEGINNING.len()));
        writer.write_all(shown.unwrap_or_default())?;
        // Deeper than any of our formats.
        (BEGINNING.len()..end).try_for_each(|_| writer.write_all(b" "))
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b'[')
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b']')
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.line(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b'{')
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b'}')
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.line(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(if self.is_one_line { b":" } else { b": " })
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn the_texts_are_those_of_serde_json() {
        let mut deep = json!(1);
        for _ in 0..40 {
            deep = json!([deep, {}]);
        }
        for value in [
            json!(null),
            json!([]),
            json!({}),
            json!({"a": [], "b": {}, "c": [1, 2.5, "x\n\u{1}ü", [[]], [{}]], "d": {"e": {"f": null}}}),
            deep,
        ] {
            assert_eq!(pretty(&value, 0), serde_json::to_string_pretty::<Value>(&value).unwrap());
            assert_eq!(one_line(&value, 0), serde_json::to_string::<Value>(&value).unwrap());
        }
    }
}
