use core::fmt;

use crate::Kind;

/// A result with this crate's [`Error`].
pub type Result<T> = core::result::Result<T, Error>;

/// An error in a schema, a path, a value or a buffer.
///
/// It owns nothing, so that it costs nothing where none occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A schema or a JSON text is not well formed.
    Syntax {
        /// The byte of the text at which it is noticed.
        at: usize,
        /// A description of what was expected there.
        expected: &'static str,
    },
    /// A schema describes something that cannot be.
    Schema(&'static str),
    /// The bytes are not a buffer of this format and version.
    NotABuffer,
    /// Something in the buffer would reach beyond its end.
    Truncated {
        /// Where in the buffer it would begin.
        at: usize,
    },
    /// Parts of the buffer overlap, which no buffer of this crate does.
    Overlap,
    /// Text that is not UTF-8.
    NotText,
    /// An enum's number for which the schema has no name.
    UnknownChoice(u8),
    /// A bool that is neither 0 nor 1.
    NotABool(u8),
    /// The buffer has fields that this schema does not know, so that it cannot be copied whole.
    NewerSchema,
    /// The schema has nothing at this path.
    NoSuchPath {
        /// The part of the path, from 0, that it does not have.
        part: usize,
    },
    /// A struct has no field of this name.
    NoSuchField,
    /// The path was made for another schema.
    ForeignPath,
    /// A value of one type was asked for, or given, where the schema has another.
    WrongType {
        /// The kind that the schema has.
        schema: Kind,
    },
    /// An index beyond the end of a list or tuple, or a field that a struct does not have.
    OutOfRange {
        /// The index.
        index: usize,
        /// How many there are.
        len: usize,
    },
    /// A value does not fit into its type.
    DoesNotFit(Kind),
    /// A buffer of more than 4 GiB.
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { at, expected } => write!(f, "expected {expected} at byte {at}"),
            Self::Schema(problem) => write!(f, "not a schema: {problem}"),
            Self::NotABuffer => f.write_str("not a buffer of this format"),
            Self::Truncated { at } => write!(f, "what begins at byte {at} reaches beyond the end"),
            Self::Overlap => f.write_str("parts of the buffer overlap"),
            Self::NotText => f.write_str("text that is not UTF-8"),
            Self::UnknownChoice(number) => write!(f, "the enum has no choice {number}"),
            Self::NotABool(byte) => write!(f, "{byte} is not a bool"),
            Self::NewerSchema => {
                f.write_str("the buffer has fields that this schema does not know")
            }
            Self::NoSuchPath { part } => write!(f, "the schema has no part {part} of the path"),
            Self::NoSuchField => f.write_str("the schema has no field of this name"),
            Self::ForeignPath => f.write_str("the path belongs to another schema"),
            Self::WrongType { schema } => {
                write!(f, "the schema has a value of type {schema} there")
            }
            Self::OutOfRange { index, len } => write!(f, "there is no {index} among {len}"),
            Self::DoesNotFit(kind) => write!(f, "the value does not fit into {kind}"),
            Self::TooLarge => f.write_str("a buffer has at most 4 GiB"),
        }
    }
}

impl core::error::Error for Error {}
