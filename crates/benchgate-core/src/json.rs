//! Reads JSON, with errors that name the key, and writes it for people.

mod write;

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

pub(crate) use self::write::{one_line, pretty};

/// The problem of a file without a byte.
pub(crate) const EMPTY: &str = "the file is empty (0 bytes)";

/// Text that does not have the expected format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", key.as_ref().map(|key| format!("`{key}`: ")).unwrap_or_default())]
pub struct FormatError {
    /// Path of the wrong key within the file; `None` where the whole file is wrong.
    pub key: Option<String>,
    /// The problem and, if it is known, the fix.
    pub problem: String,
}

impl FormatError {
    pub(crate) fn at(key: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { key: Some(key.into()), problem: problem.into() }
    }

    pub(crate) fn whole(problem: impl Into<String>) -> Self {
        Self { key: None, problem: problem.into() }
    }

    /// Adds the key of the part of the file that it is about.
    pub(crate) fn within(self, at: &str) -> Self {
        let key = self.key.map_or(at.to_owned(), |key| format!("{at}.{key}"));
        Self { key: Some(key), ..self }
    }
}

/// Parses `bytes`; an error names the key.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    tracked(object(bytes)?)
}

/// Like `parse`, for files that hold thousands of benchmarks: tracking the key doubles the time, so that only an error's key is
/// looked for. What is parsed this way is built twice.
pub(crate) fn parse_large<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    let text = object(bytes)?;
    serde_json::from_str(text).or_else(|_| tracked(text))
}

/// Text of JSON in which numbers that are none, such as `NaN`, are `null`: google/benchmark and Python write them.
pub(crate) fn without_nan(bytes: &[u8]) -> Result<Cow<'_, str>, FormatError> {
    const NONE: [&str; 4] = ["-NaN", "NaN", "-Infinity", "Infinity"];
    let text = text(bytes)?;
    // In each of the others there is one of these, and a file may be large.
    if !["NaN", "Infinity"].iter().any(|word| text.contains(word)) {
        return Ok(Cow::Borrowed(text));
    }
    let mut plain = String::with_capacity(text.len());
    let (mut rest, mut is_string, mut is_escaped) = (text, false, false);
    while let Some(c) = rest.chars().next() {
        let word = NONE.iter().find_map(|word| rest.strip_prefix(word)).filter(|_| !is_string);
        rest = word.unwrap_or_else(|| rest.strip_prefix(c).unwrap_or_default());
        match word {
            Some(_) => plain.push_str("null"),
            None => plain.push(c),
        }
        is_string ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
    }
    Ok(Cow::Owned(plain))
}

/// The text of a file in UTF-8, without a mark of the byte order: PowerShell's `>` writes UTF-16, and others put the
/// mark before UTF-8.
pub fn unmarked(bytes: Vec<u8>) -> Vec<u8> {
    let wide = |of: fn([u8; 2]) -> u16| {
        let (units, _) = bytes.as_chunks();
        units.iter().skip(1).map(|unit| of(*unit)).collect::<Vec<u16>>()
    };
    match bytes.as_slice() {
        [0xEF, 0xBB, 0xBF, text @ ..] => text.to_vec(),
        [0xFF, 0xFE, ..] => String::from_utf16_lossy(&wide(u16::from_le_bytes)).into_bytes(),
        [0xFE, 0xFF, ..] => String::from_utf16_lossy(&wide(u16::from_be_bytes)).into_bytes(),
        _ => bytes,
    }
}

/// How much of a file is looked at to know its format.
const LOOKED_AT: usize = 64 << 10;

/// The beginning of a file, by which its format is known.
pub(crate) fn beginning(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.get(..LOOKED_AT).unwrap_or(bytes))
}

/// Parses a text into values that borrow from it, such as entries that stay text.
pub(crate) fn parse_borrowed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, FormatError> {
    match text.is_empty() {
        true => Err(FormatError::whole(EMPTY)),
        false => serde_json::from_str(text).or_else(|_| tracked(text)),
    }
}

/// Parses one entry of a list; `at` is its place.
pub(crate) fn parse_entry<T: DeserializeOwned>(at: &str, text: &str) -> Result<T, FormatError> {
    tracked(text).map_err(|mut error: FormatError| {
        // Lines would be counted from the entry's.
        error.problem.truncate(error.problem.find(" at line ").unwrap_or(error.problem.len()));
        if let Some((before, _)) = error.problem.split_once("expected struct ") {
            error.problem = format!("{before}expected an object");
        }
        error.within(at)
    })
}

/// Parses a text that holds a list, whose entries stay text.
pub(crate) fn parse_list<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, FormatError> {
    match starts_with(text.as_bytes()) {
        None | Some(b'[') => parse_borrowed(text),
        Some(_) => Err(FormatError::whole("this is not a JSON list")),
    }
}

fn object(bytes: &[u8]) -> Result<&str, FormatError> {
    if bytes.is_empty() {
        return Err(FormatError::whole(EMPTY));
    }
    if starts_with(bytes) != Some(b'{') {
        return Err(FormatError::whole("this is not a JSON object"));
    }
    text(bytes)
}

/// The first byte that is not white space.
fn starts_with(bytes: &[u8]) -> Option<u8> {
    bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// Checked as a whole, which is much faster than string by string.
fn text(bytes: &[u8]) -> Result<&str, FormatError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count();
        FormatError::whole(format!("line {line} is not UTF-8"))
    })
}

fn tracked<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, FormatError> {
    let whole = |error: &serde_json::Error| FormatError::whole(plain(&error.to_string()));
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        match error.path().to_string().as_str() {
            "." | "?" => whole(error.inner()),
            path => FormatError::at(path, plain(&error.inner().to_string())),
        }
    })?;
    reader.end().map_err(|error| whole(&error))?;
    Ok(read)
}

/// Replaces Rust's names of number types in serde's message.
pub(crate) fn plain(message: &str) -> String {
    message
        .trim_end()
        .replace("expected f64", "expected a number")
        .replace("expected i64", "expected a whole number")
        .replace("expected u64", "expected a whole number from 0 on")
        .replace("expected u32", "expected a whole number from 0 on")
}

/// Checks that a time or a deviation is finite and above zero.
pub(crate) fn positive(key: &str, value: f64) -> Result<f64, FormatError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(FormatError::at(key, format!("invalid time {value}: must be > 0")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_text_are_refused_by_line() {
        let read = |bytes: &[u8]| parse::<serde_json::Value>(bytes).map_err(|e| e.to_string());
        assert_eq!(read(b"{\n\"a\": \"\xff\"}").unwrap_err(), "line 2 is not UTF-8");
        assert_eq!(read(b"{\"\xc3").unwrap_err(), "line 1 is not UTF-8");
        assert!(read("{\"ä\": 1}".as_bytes()).is_ok());
    }

    #[test]
    fn a_text_with_a_mark_is_the_same_without_it() {
        let text = "{\"é\": 1}\n";
        let wide = |of: fn(u16) -> [u8; 2]| {
            format!("\u{feff}{text}").encode_utf16().flat_map(of).collect::<Vec<u8>>()
        };
        let forms =
            [wide(u16::to_le_bytes), wide(u16::to_be_bytes), format!("\u{feff}{text}").into()];
        for form in forms {
            assert_eq!(unmarked(form), text.as_bytes());
        }
        for unchanged in [text.as_bytes(), b"", b"\xff", b"\xff\xff"] {
            assert_eq!(unmarked(unchanged.to_vec()), unchanged);
        }
    }

    #[test]
    fn a_number_that_is_none_is_null_and_a_text_stays_what_it_is() {
        let table = [
            (
                r#"{"a": NaN, "b": [-Infinity,Infinity, -NaN]}"#,
                r#"{"a": null, "b": [null,null, null]}"#,
            ),
            (r#"{"NaN": "\"NaN\\", "é": NaN}"#, r#"{"NaN": "\"NaN\\", "é": null}"#),
        ];
        for (text, expected) in table {
            assert_eq!(without_nan(text.as_bytes()).unwrap(), expected);
        }
    }
}
