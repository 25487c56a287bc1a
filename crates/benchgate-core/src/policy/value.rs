//! Values of the policy that have a range or a form: what is wrong is an error at the value, with what is expected.

use std::fmt;
use std::time::Duration;

use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use serde::{Deserialize as _, Serialize as _, Serializer};

use crate::model::Unit;

/// A whole number of a range.
pub(super) fn count<'de, const LEAST: u32, const MOST: u32, D: Deserializer<'de>>(
    value: D,
) -> Result<u32, D::Error> {
    let count = i64::deserialize(value)?;
    let in_range = u32::try_from(count).ok().filter(|count| (LEAST..=MOST).contains(count));
    in_range.ok_or_else(|| {
        D::Error::custom(format!("{count} is out of range: expected {LEAST} to {MOST}"))
    })
}

/// A percentage, which stays one.
pub(super) fn percent<'de, D: Deserializer<'de>>(value: D) -> Result<f64, D::Error> {
    checked_percent(f64::deserialize(value)?).map_err(D::Error::custom)
}

/// # Errors
/// Says what is expected.
pub(super) fn checked_percent(percent: f64) -> Result<f64, String> {
    if percent > 0.0 && percent <= 1_000.0 {
        return Ok(percent);
    }
    Err(format!(
        "invalid threshold {percent}: expected a percentage above 0 and up to 1000, such as 5"
    ))
}

/// A change that is accepted: a report prints one for whatever it measured, so there is no largest.
///
/// # Errors
/// Says what is expected.
pub(super) fn checked_ceiling(percent: f64) -> Result<f64, String> {
    if percent > 0.0 && percent.is_finite() {
        return Ok(percent);
    }
    Err(format!("invalid ceiling {percent}: expected a percentage above 0, such as 13"))
}

/// Whether a text says something: reports print `<why>` where somebody has to write.
pub(super) fn is_said(text: &str) -> bool {
    let text = text.trim();
    !(text.is_empty() || text.starts_with('<') && text.ends_with('>'))
}

/// Nanoseconds below which a slowdown is none.
pub(super) fn floor<'de, D: Deserializer<'de>>(value: D) -> Result<f64, D::Error> {
    checked_floor(f64::deserialize(value)?).map_err(D::Error::custom)
}

/// # Errors
/// Says what is expected.
pub(super) fn checked_floor(floor: f64) -> Result<f64, String> {
    if floor >= 0.0 && floor.is_finite() {
        return Ok(floor);
    }
    Err(format!("invalid floor {floor}: expected nanoseconds, at least 0, such as 0.25"))
}

/// A duration as people write it.
pub(super) mod duration {
    use super::*;

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        value: D,
    ) -> Result<Duration, D::Error> {
        let text = String::deserialize(value)?;
        match humantime::parse_duration(&text) {
            Ok(duration) if !duration.is_zero() => Ok(duration),
            Ok(_) => Err(D::Error::custom("a duration of zero measures nothing")),
            Err(error) => Err(D::Error::custom(format!(
                "invalid duration `{text}`: expected such as \"30ms\", \"2s\" or \"2min\" ({error})"
            ))),
        }
    }

    pub(in super::super) fn serialize<S: Serializer>(
        duration: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        humantime::format_duration(*duration).to_string().serialize(serializer)
    }
}

/// A number of bytes as people write it; `None` for "auto".
pub(super) mod memory {
    use super::*;

    const AUTO: &str = "auto";

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        value: D,
    ) -> Result<Option<u64>, D::Error> {
        let text = String::deserialize(value)?;
        match Unit::Bytes.parse(&text) {
            _ if text == AUTO => Ok(None),
            Ok(bytes) if bytes >= 1.0 => Ok(Some(bytes as u64)),
            _ => Err(D::Error::custom(format!(
                "invalid memory `{}`: expected \"auto\" or such as \"2GiB\"",
                text.escape_debug()
            ))),
        }
    }

    #[expect(clippy::ref_option, reason = "serde gives a reference to the field")]
    pub(in super::super) fn serialize<S: Serializer>(
        bytes: &Option<u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        bytes.map_or_else(|| AUTO.to_owned(), |bytes| format!("{bytes}B")).serialize(serializer)
    }
}

/// Paths inside the checkout.
pub(super) fn inside<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    value.deserialize_seq(Each(checked_inside))
}

/// # Errors
/// Of a path that leaves the checkout.
pub(super) fn checked_inside(text: &str) -> Result<(), String> {
    if text.is_empty() || text.starts_with('/') || text.split('/').any(|part| part == "..") {
        return Err(format!(
            "invalid path `{text}`: expected one inside the checkout, without `..`"
        ));
    }
    Ok(())
}

/// Paths inside or outside of the checkout.
pub(super) fn paths<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    value.deserialize_seq(Each(checked_path))
}

fn checked_path(text: &str) -> Result<(), String> {
    let of_another = text.starts_with('~') && !text.starts_with("~/");
    if text.is_empty()
        || of_another
        || text.contains('\0')
        || text.split('/').any(|part| part == "..")
    {
        return Err(format!(
            "invalid path `{}`: expected an absolute one, `~/…`, `$NAME/…`, or one inside the checkout, without `..`",
            text.escape_debug()
        ));
    }
    Ok(())
}

/// Names of variables, or beginnings of them.
pub(super) fn variables<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    value.deserialize_seq(Each(checked_variable))
}

fn checked_variable(text: &str) -> Result<(), String> {
    let letters = text.strip_suffix('*').unwrap_or(text);
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if letters.is_empty() || !letters.bytes().all(is_of_name) {
        return Err(format!(
            "invalid variable `{}`: expected a name of letters, digits and `_`, or the beginning of some and `*`",
            text.escape_debug()
        ));
    }
    Ok(())
}

type Checked = fn(&str) -> Result<(), String>;

/// A list of strings. An error is at the string: one that is found after the list was read would be at the list.
struct Each(Checked);

struct One(Checked);

impl<'de> Visitor<'de> for Each {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = list.next_element_seed(One(self.0))? {
            texts.push(text);
        }
        Ok(texts)
    }
}

impl<'de> DeserializeSeed<'de> for One {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<String, D::Error> {
        value.deserialize_str(self)
    }
}

impl Visitor<'_> for One {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        (self.0)(text).map_err(E::custom)?;
        Ok(text.to_owned())
    }
}
