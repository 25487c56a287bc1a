//! The parts of the wire format that know nothing of messages.

pub mod key;
pub mod skip;
pub mod varint;

pub use key::WireType;
