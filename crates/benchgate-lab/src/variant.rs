//! The variants of the kernels.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Code that the compiler makes: whether its functions are aligned, and bytes of padding in front of it.
pub(crate) type Code = (bool, u32);

/// A build of the kernels that is compared with the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Variant {
    /// A byte copy of the base.
    Same,
    /// This many percent more units of work.
    Slower(u32),
    /// Three more additions of the kernel of a few nanoseconds: somewhat less than 15 percent of its time, part of which
    /// is Criterion's.
    Small,
    /// This many bytes of padding in front of the code.
    Address(u32),
    /// One more allocation of this many bytes at start-up, never freed.
    Heap(u32),
    /// As [`Variant::Address`], both sides built without alignment of functions; without padding it is
    /// the base of the others, not a variant.
    Unaligned(u32),
}

/// The purpose of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// An identical executable.
    Same,
    /// A true slowdown.
    Slower,
    /// A true slowdown of a few nanoseconds.
    Small,
    /// Identical work at other addresses.
    Address,
    /// Identical work with another heap.
    Heap,
    /// Identical work at other addresses, which alignment would have absorbed.
    Unaligned,
}

impl Variant {
    /// All of them.
    pub(crate) const ALL: [Self; 18] = [
        Self::Same,
        Self::Slower(2),
        Self::Slower(3),
        Self::Slower(5),
        Self::Slower(6),
        Self::Slower(10),
        Self::Slower(12),
        Self::Small,
        Self::Address(16),
        Self::Address(32),
        Self::Address(48),
        Self::Heap(16),
        Self::Heap(256),
        Self::Heap(4096),
        Self::Heap(65536),
        Self::Unaligned(16),
        Self::Unaligned(32),
        Self::Unaligned(48),
    ];

    /// Slowdowns, in percent of the work.
    pub(crate) const PERCENTS: [u32; 6] = [2, 3, 5, 6, 10, 12];

    /// Its purpose.
    pub(crate) fn family(self) -> Family {
        match self {
            Self::Same => Family::Same,
            Self::Slower(_) => Family::Slower,
            Self::Small => Family::Small,
            Self::Address(_) => Family::Address,
            Self::Heap(_) => Family::Heap,
            Self::Unaligned(_) => Family::Unaligned,
        }
    }

    /// All of a family.
    pub(crate) fn of(family: Family) -> Vec<Self> {
        Self::ALL.into_iter().filter(|variant| variant.family() == family).collect()
    }

    /// More units of work, in percent.
    pub(crate) fn percent(self) -> u32 {
        match self {
            Self::Slower(percent) => percent,
            Self::Small => 23,
            _ => 0,
        }
    }

    /// Whether functions are aligned as the gate builds them.
    pub(crate) fn is_aligned(self) -> bool {
        !matches!(self, Self::Unaligned(_))
    }

    /// Its code.
    pub(crate) fn code(self) -> Code {
        (self.is_aligned(), self.padding())
    }

    /// The code of the base that it is compared with.
    pub(crate) fn base_code(self) -> Code {
        (self.is_aligned(), 0)
    }

    /// Bytes of padding in front of the code.
    pub(crate) fn padding(self) -> u32 {
        match self {
            Self::Address(bytes) | Self::Unaligned(bytes) => bytes,
            _ => 0,
        }
    }

    /// Bytes of one more allocation.
    pub(crate) fn heap(self) -> u32 {
        match self {
            Self::Heap(bytes) => bytes,
            _ => 0,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Same => "same".to_owned(),
            Self::Slower(percent) => format!("slower-{percent}"),
            Self::Small => "small".to_owned(),
            Self::Address(bytes) => format!("address-{bytes}"),
            Self::Heap(bytes) => format!("heap-{bytes}"),
            Self::Unaligned(bytes) => format!("unaligned-{bytes}"),
        };
        f.pad(&name)
    }
}

impl From<Variant> for String {
    fn from(variant: Variant) -> Self {
        variant.to_string()
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|variant| variant.to_string() == text)
            .ok_or_else(|| format!("unknown variant `{text}`"))
    }
}

impl TryFrom<String> for Variant {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_padded_to_equal_length() {
        let lengths = Variant::ALL.map(|variant| format!("{variant:_<16}").len());
        assert_eq!(lengths, [16; Variant::ALL.len()]);
    }

    #[test]
    fn every_variant_is_read_back_from_its_name() {
        for variant in Variant::ALL {
            assert_eq!(variant.to_string().parse(), Ok(variant));
        }
        assert_eq!("slower-7".parse::<Variant>(), Err("unknown variant `slower-7`".to_owned()));
    }
}
