//! The operations that are measured of every library.

use crate::model::{Container, Sink};

/// A library and its measured operations.
pub trait Library: Default {
    /// Its name in benchmarks.
    const NAME: &'static str;

    /// Writes the message, and hands its bytes over.
    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R;

    /// Reads every value.
    fn decode(&self, bytes: &[u8], sink: &mut impl Sink);

    /// Reads `location`.
    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R;

    /// Gives the first item another name, and hands the new bytes over.
    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R;
}
