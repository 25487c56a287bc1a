//! Field keys: a field number and how the value after it is laid out.

/// How a value is laid out, the low three bits of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum WireType {
    /// One varint.
    Varint = 0,
    /// Eight bytes.
    Fixed64 = 1,
    /// A length and as many bytes.
    Delimited = 2,
    /// The begin of a group.
    StartGroup = 3,
    /// The end of a group.
    EndGroup = 4,
    /// Four bytes.
    Fixed32 = 5,
}

impl WireType {
    /// The wire type of `key`; `None` for the two unassigned ones.
    pub const fn of(key: u32) -> Option<Self> {
        Some(match key & 7 {
            0 => Self::Varint,
            1 => Self::Fixed64,
            2 => Self::Delimited,
            3 => Self::StartGroup,
            4 => Self::EndGroup,
            5 => Self::Fixed32,
            _ => return None,
        })
    }
}

/// The key of field `number` with wire type `wire`.
pub const fn key(number: u32, wire: WireType) -> u32 {
    number << 3 | wire as u32
}

/// The field number of `key`.
pub const fn number(key: u32) -> u32 {
    key >> 3
}

/// Encoded bytes of any key of field `number`: 1 to 5.
pub const fn len(number: u32) -> usize {
    super::varint::len((number as u64) << 3)
}
