//! Why a message could not be decoded, and where in it, or encoded.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::wire::WireType;

/// Input that is not a valid encoding of the message.
///
/// One pointer wide, so that the results of the decoder's small steps stay in registers.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: DecodeErrorKind,
    /// Innermost first, as it is found.
    path: Vec<(&'static str, &'static str)>,
}

/// The kind of an error in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The input ends inside a value, or a length goes beyond the end of what encloses it.
    Truncated,
    /// A varint of more than ten bytes or more than 64 bits.
    InvalidVarint,
    /// A field key with number zero, an unknown wire type, or more than 32 bits.
    InvalidKey {
        /// The key as it stands in the input.
        key: u64,
    },
    /// A known field with a wire type that its type cannot have.
    WireType {
        /// The wire type in the input.
        found: WireType,
    },
    /// A `string` field whose bytes are not UTF-8.
    InvalidUtf8,
    /// The end of a group that was not begun, or of another one.
    UnexpectedEndGroup,
    /// Messages nested deeper than [`RECURSION_LIMIT`](crate::RECURSION_LIMIT).
    RecursionLimit,
    /// A message that needs more memory than [`Arena::with_limit`](crate::Arena::with_limit) allows.
    ArenaLimit {
        /// The limit in bytes.
        limit: usize,
        /// Bytes that the arena would have held with the next piece of memory; the whole message may need more.
        needed: usize,
    },
}

impl DecodeError {
    /// An error with an empty path.
    #[cold]
    #[inline(never)]
    pub fn new(kind: DecodeErrorKind) -> Self {
        Self(Box::new(Inner { kind, path: Vec::new() }))
    }

    /// The same error, found inside `field` of `message`.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn within(mut self, message: &'static str, field: &'static str) -> Self {
        self.0.path.push((message, field));
        self
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> DecodeErrorKind {
        self.0.kind
    }

    /// Message and field names from the outermost message to the field that is wrong.
    pub fn path(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.0.path.iter().rev().copied()
    }
}

impl fmt::Display for DecodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("input ends too early"),
            Self::InvalidVarint => f.write_str("varint is longer than 64 bits"),
            Self::InvalidKey { key } => write!(f, "invalid field key {key}"),
            Self::WireType { found } => write!(f, "unexpected wire type {found:?}"),
            Self::InvalidUtf8 => f.write_str("string is not UTF-8"),
            Self::UnexpectedEndGroup => f.write_str("unexpected end of group"),
            Self::RecursionLimit => f.write_str("messages are nested too deeply"),
            Self::ArenaLimit { limit, needed } => {
                write!(f, "arena of {needed} bytes needed, limit is {limit}")
            }
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed to decode protobuf message: ")?;
        for (message, field) in self.path() {
            write!(f, "{message}.{field}: ")?;
        }
        self.0.kind.fmt(f)
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeError")
            .field("kind", &self.0.kind)
            .field("path", &self.path().collect::<Vec<_>>())
            .finish()
    }
}

impl core::error::Error for DecodeError {}

impl From<DecodeErrorKind> for DecodeError {
    #[cold]
    fn from(kind: DecodeErrorKind) -> Self {
        Self::new(kind)
    }
}

/// A buffer that is too short for an encoding. Nothing was written to it.
///
/// # Examples
///
/// ```
/// let error = defiant::EncodeError { needed: 9, available: 8 };
/// assert_eq!(error.to_string(), "the encoding has 9 bytes, and the buffer has room for 8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeError {
    /// Bytes of the encoding, with its length in front where that was asked for.
    pub needed: usize,
    /// Bytes that the buffer has room for.
    pub available: usize,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { needed, available } = self;
        write!(f, "the encoding has {needed} bytes, and the buffer has room for {available}")
    }
}

impl core::error::Error for EncodeError {}

/// A number that is not a value of an `enum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEnumValue(pub i32);

impl fmt::Display for UnknownEnumValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown enumeration value {}", self.0)
    }
}

impl core::error::Error for UnknownEnumValue {}
