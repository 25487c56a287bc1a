//! The parts of the wire format that know nothing of messages.

mod arrays;
pub mod key;
pub mod skip;
pub mod varint;

pub(crate) use arrays::arrays;
pub use key::WireType;
