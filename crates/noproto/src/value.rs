//! The values that are neither numbers nor text.

use core::fmt;
use core::str::FromStr;

use crate::{Error, Kind, Result};

/// A choice of an enum by its number. As text, a choice is read and set by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice(pub u8);

/// The units of a decimal: of `decimal(2)`, 150 is 1.50.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(pub i64);

/// Milliseconds since the beginning of 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(pub u64);

/// A UUID. Its text is `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

/// A ULID. Its text is 26 letters and digits of Crockford's base 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ulid(pub u128);

/// A place on Earth, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Geo {
    /// North is positive.
    pub latitude: f64,
    /// East is positive.
    pub longitude: f64,
}

const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl FromStr for Uuid {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let is_dashed =
            text.len() == 36 && [8, 13, 18, 23].iter().all(|at| text.as_bytes()[*at] == b'-');
        let (mut bytes, mut number) = ([0; 16], 0);
        for digit in text.chars().filter(|c| *c != '-') {
            let digit = digit.to_digit(16).ok_or(Error::DoesNotFit(Kind::Uuid))? as u8;
            let place = bytes.get_mut(number / 2).ok_or(Error::DoesNotFit(Kind::Uuid))?;
            *place = *place << 4 | digit;
            number += 1;
        }
        if is_dashed && number == 32 { Ok(Self(bytes)) } else { Err(Error::DoesNotFit(Kind::Uuid)) }
    }
}

impl fmt::Display for Ulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..26).rev().try_for_each(|place| {
            let digit = (self.0 >> (5 * place)) as usize & 31;
            write!(f, "{}", char::from(CROCKFORD[digit]))
        })
    }
}

impl FromStr for Ulid {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        // 26 digits of five bits are 130, so the first one is at most 7.
        if text.len() != 26 || !matches!(text.as_bytes()[0], b'0'..=b'7') {
            return Err(Error::DoesNotFit(Kind::Ulid));
        }
        text.bytes()
            .try_fold(0, |bits, byte| {
                let digit =
                    CROCKFORD.iter().position(|known| *known == byte.to_ascii_uppercase())?;
                Some(bits << 5 | digit as u128)
            })
            .map(Self)
            .ok_or(Error::DoesNotFit(Kind::Ulid))
    }
}

impl Geo {
    pub(crate) fn is_on_earth(self) -> bool {
        (-90.0..=90.0).contains(&self.latitude) && (-180.0..=180.0).contains(&self.longitude)
    }
}
