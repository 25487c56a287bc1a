//! A day of the calendar, without a clock or a time zone.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A day, written and read as `2026-12-31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
#[serde(into = "String", try_from = "String")]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Default for Date {
    /// The first day of Unix time.
    fn default() -> Self {
        Self { year: 1970, month: 1, day: 1 }
    }
}

impl Date {
    /// A day; `None` where the calendar has no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let days = match month {
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u8::from(leap),
            1..=12 => 31,
            _ => return None,
        };
        ((1..=days).contains(&day) && (1..=9999).contains(&year)).then_some(Self {
            year,
            month,
            day,
        })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error = || format!("invalid date `{text}`: expected YYYY-MM-DD");
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return Err(error()) };
        let digits =
            |part: &str, length| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
        if !(digits(year, 4) && digits(month, 2) && digits(day, 2)) {
            return Err(error());
        }
        let (Ok(year), Ok(month), Ok(day)) = (year.parse(), month.parse(), day.parse()) else {
            return Err(error());
        };
        Self::new(year, month, day).ok_or_else(error)
    }
}

impl From<Date> for String {
    fn from(date: Date) -> Self {
        date.to_string()
    }
}

impl TryFrom<String> for Date {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_they_are_written_and_follow_each_other() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        assert_eq!(day("2028-02-29").to_string(), "2028-02-29");
        assert!(day("2026-12-31") < day("2027-01-01"));
        assert!(day("2026-09-30") < day("2026-10-01"));
    }

    #[test]
    fn what_the_calendar_does_not_have_is_not_a_day() {
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "2026-01-00",
            "0000-01-01",
            "2026-1-1",
            "26-01-01",
            "2026-01-01T00:00:00Z",
            "+026-01-01",
            "soon",
            "",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
