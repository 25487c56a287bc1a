//! Writes the wire format field by field: what no library's own code has a part in.

/// Bytes of a message.
#[derive(Default)]
pub(super) struct Wire(pub(super) Vec<u8>);

impl Wire {
    pub(super) fn raw_varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(super) fn varint(&mut self, field: u64, value: u64) {
        self.raw_varint(field << 3);
        self.raw_varint(value);
    }

    pub(super) fn fixed64(&mut self, field: u64, value: u64) {
        self.raw_varint(field << 3 | 1);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn float64(&mut self, field: u64, value: f64) {
        self.fixed64(field, value.to_bits());
    }

    pub(super) fn float32(&mut self, field: u64, value: f32) {
        self.raw_varint(field << 3 | 5);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, field: u64, content: &[u8]) {
        self.raw_varint(field << 3 | 2);
        self.delimited(content);
    }

    pub(super) fn delimited(&mut self, content: &[u8]) {
        self.raw_varint(content.len() as u64);
        self.0.extend_from_slice(content);
    }
}
