//! The protobuf wire format, write only: <https://protobuf.dev/programming-guides/encoding/>.
//!
//! The generator writes bytes by itself instead of through a library that is benched, so that a
//! new version of that library cannot change the data it is measured on.

/// Bytes in the wire format, appended field by field.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn varint(&mut self, field: u32, value: u64) {
        self.key(field, 0);
        self.raw_varint(value);
    }

    pub(super) fn fixed64(&mut self, field: u32, value: u64) {
        self.key(field, 1);
        self.bytes.extend(value.to_le_bytes());
    }

    /// A string, bytes or an encoded sub-message.
    pub(super) fn delimited(&mut self, field: u32, content: &[u8]) {
        self.key(field, 2);
        self.raw_varint(content.len() as u64);
        self.bytes.extend(content);
    }

    pub(super) fn group(&mut self, field: u32, content: impl FnOnce(&mut Self)) {
        self.key(field, 3);
        content(self);
        self.key(field, 4);
    }

    pub(super) fn float(&mut self, field: u32, value: f32) {
        self.key(field, 5);
        self.bytes.extend(value.to_le_bytes());
    }

    fn key(&mut self, field: u32, wire_type: u32) {
        self.raw_varint(u64::from(field << 3 | wire_type));
    }

    fn raw_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

/// How many bytes `value` takes as a varint.
pub(super) fn varint_len(value: u64) -> u32 {
    // Seven bits a byte; zero takes one byte too.
    (u64::BITS - (value | 1).leading_zeros()).div_ceil(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_varint_takes_one_byte_more_at_every_seventh_bit() {
        assert_eq!(varint_len(0), 1);
        for bytes in 1..=9 {
            let first_longer = 1u64 << (7 * bytes);
            assert_eq!(varint_len(first_longer - 1), bytes);
            assert_eq!(varint_len(first_longer), bytes + 1);
        }
        assert_eq!(varint_len(u64::MAX), 10);
    }

    #[test]
    fn fields_are_written_as_in_the_examples_of_the_specification() {
        let mut writer = Writer::default();
        writer.varint(1, 150);
        writer.delimited(2, b"testing");
        assert_eq!(writer.into_bytes(), b"\x08\x96\x01\x12\x07testing");
    }
}
