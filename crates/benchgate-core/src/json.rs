//! Reads JSON, with errors that name the key, and writes it for people.

mod pretty;

use serde::de::DeserializeOwned;
use thiserror::Error;

pub(crate) use self::pretty::pretty;

/// Text that does not have the expected format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", key.as_ref().map(|key| format!("`{key}`: ")).unwrap_or_default())]
pub struct FormatError {
    /// Path of the wrong key within the file; `None` where the whole file is wrong.
    pub key: Option<String>,
    /// The problem and, where it is known, the fix.
    pub problem: String,
}

impl FormatError {
    pub(crate) fn at(key: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { key: Some(key.into()), problem: problem.into() }
    }

    pub(crate) fn whole(problem: impl Into<String>) -> Self {
        Self { key: None, problem: problem.into() }
    }
}

/// Parses `bytes`. The path of a wrong key is found in a second pass, because tracking it doubles the
/// time of the first.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    if bytes.is_empty() {
        return Err(FormatError::whole(
            "the file is empty (0 bytes); Criterion empties the files of a baseline that is saved \
             under the name `new`",
        ));
    }
    if starts_with(bytes) != Some(b'{') {
        return Err(FormatError::whole("this is not a JSON object"));
    }
    parse_any(bytes)
}

/// Parses `bytes` that hold a list.
pub(crate) fn parse_list<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    match starts_with(bytes) {
        None => Err(FormatError::whole("the file is empty (0 bytes)")),
        Some(b'[') => parse_any(bytes),
        Some(_) => Err(FormatError::whole("this is not a JSON list")),
    }
}

/// The first byte that is no white space.
fn starts_with(bytes: &[u8]) -> Option<u8> {
    bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn parse_any<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    // Checked as a whole, which is much faster than string by string; and what reads bytes would be built once more
    // for every format: an eighth of the time that building this crate takes.
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count();
        FormatError::whole(format!("line {line} is not UTF-8"))
    })?;
    serde_json::from_str(text).map_err(|first| {
        let mut text = serde_json::Deserializer::from_str(text);
        match serde_path_to_error::deserialize::<_, T>(&mut text) {
            Err(error) if !matches!(error.path().to_string().as_str(), "." | "?") => {
                FormatError::at(error.path().to_string(), plain(&error.inner().to_string()))
            }
            _ => FormatError::whole(plain(&first.to_string())),
        }
    })
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
    fn bytes_that_are_no_text_are_refused_by_line() {
        let read = |bytes: &[u8]| parse::<serde_json::Value>(bytes).map_err(|e| e.to_string());
        assert_eq!(read(b"{\n\"a\": \"\xff\"}").unwrap_err(), "line 2 is not UTF-8");
        assert_eq!(read(b"{\"\xc3").unwrap_err(), "line 1 is not UTF-8");
        assert!(read("{\"ä\": 1}".as_bytes()).is_ok());
    }
}
