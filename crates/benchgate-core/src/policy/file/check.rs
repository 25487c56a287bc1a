//! Values that are wrong by themselves: what is wrong, with the line and the valid choices.

use std::ops::Range;

use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::policy::nearest::nearest_name;
use crate::policy::value::{checked_ceiling, checked_floor, checked_percent, is_said};

/// A policy that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct PolicyError {
    /// Line in the file, from 1.
    pub line: usize,
    /// Column of the line in characters, from 1.
    pub column: usize,
    /// Number of characters that are wrong, at least 1.
    pub width: usize,
    /// The line itself.
    pub text: String,
    /// Description of the error, and the valid choices.
    pub message: String,
}

/// Maximum number of characters of a line that are shown.
const LONGEST_LINE: usize = 160;

impl PolicyError {
    /// An error at a place of a file's text; without a place, at its first line.
    pub(in crate::policy) fn at(text: &str, span: Option<Range<usize>>, message: &str) -> Self {
        let span = span.unwrap_or(0..0);
        // The end of a file is at the end of its last line.
        let start = span.start.min(text.trim_end().len());
        let before = text.get(..start).unwrap_or_default();
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        let line = text.get(begin..).unwrap_or_default().lines().next().unwrap_or_default();
        let wrong = line.get(start - begin..span.end.saturating_sub(begin).min(line.len()));
        Self {
            line: line_of(text, start),
            column: text.get(begin..start).unwrap_or_default().chars().count() + 1,
            width: wrong.unwrap_or_default().chars().count().max(1),
            text: line.to_owned(),
            message: crate::json::plain(message),
        }
    }

    /// The same with the name that probably was meant, where one that is known is near.
    pub(super) fn with_meant(mut self) -> Self {
        if let Some(meant) = meant(&self.message) {
            self.message = format!("{}; did you mean `{meant}`?", self.message);
        }
        self
    }

    /// The line with a caret under the place, for people.
    pub fn excerpt(&self) -> String {
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let line: String = self.text.chars().take(LONGEST_LINE).map(plain).collect();
        let number = self.line.to_string();
        let (gap, before) = (" ".repeat(number.len()), " ".repeat(self.column - 1));
        let carets = "^".repeat(self.width.min(LONGEST_LINE));
        format!("{gap} |\n{number} | {line}\n{gap} | {before}{carets}")
    }
}

/// The known name that is near to an unknown one. serde says both in its message alone: "unknown field `a`, expected
/// one of `b`, `c`".
fn meant(message: &str) -> Option<&str> {
    let named = ["unknown field `", "unknown variant `"];
    let rest = named.iter().find_map(|start| message.strip_prefix(start))?;
    let (unknown, expected) = rest.rsplit_once("`, expected ")?;
    nearest_name(unknown, expected.split('`').skip(1).step_by(2))
}

pub(in crate::policy) struct Check<'a> {
    text: &'a str,
}

/// The line of a place in a text, from 1.
pub(in crate::policy) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

impl<'a> Check<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// The line of a place, from 1.
    pub(in crate::policy) fn line(&self, span: &Range<usize>) -> usize {
        line_of(self.text, span.start)
    }

    pub(in crate::policy) fn error(&self, span: &Range<usize>, message: &str) -> PolicyError {
        PolicyError::at(self.text, Some(span.clone()), message)
    }

    /// The place of the value of a key; the beginning of the file where it does not have the key.
    pub(super) fn place(&self, table: &str, key: &str) -> Option<Range<usize>> {
        let file = DeTable::parse(self.text).ok()?;
        let (_, value) = file.get_ref().iter().find(|(name, _)| name.get_ref() == table)?;
        let DeValue::Table(keys) = value.get_ref() else { return None };
        keys.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value.span())
    }

    /// A percentage, as a fraction.
    pub(in crate::policy) fn percent(
        &self,
        value: &Option<Spanned<f64>>,
    ) -> Result<Option<f64>, PolicyError> {
        Ok(self.checked(value, checked_percent)?.map(|percent| percent / 100.0))
    }

    /// The change that is accepted, as a fraction.
    pub(in crate::policy) fn ceiling(
        &self,
        value: &Option<Spanned<f64>>,
    ) -> Result<Option<f64>, PolicyError> {
        Ok(self.checked(value, checked_ceiling)?.map(|percent| percent / 100.0))
    }

    pub(super) fn floor(&self, value: &Option<Spanned<f64>>) -> Result<Option<f64>, PolicyError> {
        self.checked(value, checked_floor)
    }

    fn checked(
        &self,
        value: &Option<Spanned<f64>>,
        checked: fn(f64) -> Result<f64, String>,
    ) -> Result<Option<f64>, PolicyError> {
        let Some(value) = value else { return Ok(None) };
        let of_value = checked(*value.get_ref());
        of_value.map(Some).map_err(|message| self.error(&value.span(), &message))
    }

    /// An amount of a metric that is counted.
    pub(in crate::policy) fn amount(
        &self,
        value: &Option<Spanned<f64>>,
    ) -> Result<Option<f64>, PolicyError> {
        let Some(value) = value else { return Ok(None) };
        let amount = *value.get_ref();
        if amount >= 0.0 && amount.is_finite() {
            return Ok(Some(amount));
        }
        Err(self.error(&value.span(), &format!("invalid count {amount}: must be >= 0")))
    }

    /// A reason that says something.
    pub(in crate::policy) fn reason(&self, value: Spanned<String>) -> Result<String, PolicyError> {
        if !is_said(value.get_ref()) {
            return Err(self.error(&value.span(), "the reason is empty: say why"));
        }
        Ok(value.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use crate::policy::Policy;

    #[test]
    fn an_error_shows_its_line_with_a_caret_under_the_place() {
        let table: String = [
            "[thresholds]\nnote = 2\nwarnning = 5",
            "[thresholds]\n  critical =\t-10 # fast",
            "[[skip]]\nbenchmark = \"größe\"\nreason = \" \"",
            "[[skip]]\nreason = \"r\"",
            "[measure]\nwarm-up = [\n  1,\n]",
            "thresholds = [\n\n",
            "[measure",
        ]
        .iter()
        .map(|text| {
            let error = Policy::parse(text).unwrap_err();
            format!("{}:{}: {}\n{}\n\n", error.line, error.column, error.message, error.excerpt())
        })
        .collect();
        insta::assert_snapshot!(table);
    }
}
