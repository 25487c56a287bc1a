//! Code shared by the suites of the framed stream: messages, streams of them, and the ways of
//! writing and reading that `flatstream` is compared with.

pub mod hand_written;
pub mod messages;
pub mod model;
pub mod protobuf;
#[cfg(feature = "comparative_bench")]
pub mod serde_frames;
pub mod stream;
pub mod v1;
