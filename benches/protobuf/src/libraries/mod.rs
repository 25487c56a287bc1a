//! The work that is measured of each library, one file for each.
//!
//! Work is defined here once and measured twice: the suite `dataset` times it, the suite
//! `allocations` counts what it asks of the allocator, under the same ids.
//!
//! # Equal work
//!
//! | operation | every library | what differs, because the library is like that |
//! |---|---|---|
//! | `decode` | bytes to a fresh message, which is dropped again | **not the same result**: prost's message owns its text; defiant's borrows it from the input, which has to stay. It also needs an arena: a new one for each message, dropped with it. pilota decodes from `Bytes`, whose reference count goes up and down, and its strings hold on to them |
//! | `decode_copied` | bytes to a fresh message that the input need not outlive | only defiant has both forms: the encoding is copied into the arena in one piece. Compare it with prost's `decode`, whose text is a `String` each |
//! | `decode_reused` | the same into memory of the message before | defiant: one arena, reset after each message. prost: one message, `clear` and `merge` as in its own bench: texts and lists of the message itself keep their memory, the parts of lists do not. pilota is not measured |
//! | `encode` | a message to bytes at the start of a buffer that is large enough and is used again and again | prost and defiant append to a cleared `Vec<u8>`; pilota to a reset `LinkedBytes`, a list of buffers for `writev`. Of a proto2 message pilota writes 295 bytes where the others write 228: it has no absence of fields with a default and writes their defaults, except those that are zero or false |
//! | `encoded_len` | how many bytes a message would take | pilota's adds up a second number, of the bytes that it would not copy |
//!
//! Each is called as its users would call it. That makes prost and pilota compute the encoded
//! length before they encode, to see whether there is room; defiant makes room as it goes.
//!
//! Every library also checks that text is UTF-8 while it decodes, and skips unknown fields.
//!
//! # Left out
//!
//! [`NOT_MEASURED`] names what a library cannot do.

mod defiant;
pub mod packed;
mod pilota;
mod prost;

use crate::datasets::Dataset;

/// A measured operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Bytes to a fresh message, which is dropped again.
    Decode,
    /// Bytes to a message in the memory of the one before.
    DecodeReused,
    /// Bytes to a fresh message that does not borrow from them, which is what prost's never does.
    DecodeCopied,
    /// Bytes to a fresh message in memory that was asked for at once. Counted and not
    /// timed.
    DecodeWithCapacity,
    /// A message to bytes in a buffer that is large enough and used again and again.
    Encode,
    /// How many bytes a message would take.
    EncodedLen,
}

impl Operation {
    /// Those that are timed of a dataset. Text that is not ASCII makes a difference only where it
    /// is checked.
    #[must_use]
    pub fn timed(dataset: Dataset) -> &'static [Self] {
        match dataset {
            Dataset::GoogleMessage2Utf8 => &[Self::Decode, Self::DecodeCopied],
            _ => &[
                Self::Decode,
                Self::DecodeReused,
                Self::DecodeCopied,
                Self::Encode,
                Self::EncodedLen,
            ],
        }
    }

    /// Those whose allocations are counted.
    pub const COUNTED: [Self; 6] = [
        Self::Decode,
        Self::DecodeReused,
        Self::DecodeCopied,
        Self::DecodeWithCapacity,
        Self::Encode,
        Self::EncodedLen,
    ];

    /// The name in benchmark ids.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::DecodeReused => "decode_reused",
            Self::DecodeCopied => "decode_copied",
            Self::DecodeWithCapacity => "decode_with_capacity",
            Self::Encode => "encode",
            Self::EncodedLen => "encoded_len",
        }
    }
}

/// Names the benchmarks of all libraries of a dataset and an operation.
#[must_use]
pub fn group_name(dataset: Dataset, operation: Operation) -> String {
    format!("dataset/{}/{}", dataset.name(), operation.name())
}

/// A receiver of a library's work, which times it or counts its allocations.
pub trait Meter {
    /// Measures `work`, which deals with every payload of the dataset once and can be repeated.
    fn measure(&mut self, library: &'static str, work: impl FnMut());
}

/// Something that a library cannot do. No benchmark stands for it.
#[derive(Clone, Copy, Debug)]
pub struct NotMeasured {
    /// As in benchmark ids.
    pub library: &'static str,
    /// The messages.
    pub dataset: Dataset,
    /// The reason.
    pub reason: &'static str,
}

/// Benchmarks that are missing because a library cannot do the work, not because they failed.
pub const NOT_MEASURED: &[NotMeasured] = &[
    NotMeasured { library: "pilota", dataset: Dataset::GoogleMessage2, reason: NO_GROUPS },
    NotMeasured { library: "pilota", dataset: Dataset::GoogleMessage2Utf8, reason: NO_GROUPS },
];

const NO_GROUPS: &str = "it has no groups, of which the message consists: its code for them refuses \
                         every message with `invalid wire type`";

/// Hands the work of every library to `meter`, one line for each library.
pub fn measure(
    meter: &mut impl Meter,
    dataset: Dataset,
    operation: Operation,
    payloads: &[Vec<u8>],
) {
    prost::measure(meter, dataset, operation, payloads);
    defiant::measure(meter, dataset, operation, payloads);
    pilota::measure(meter, dataset, operation, payloads);
}
