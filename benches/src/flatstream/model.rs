//! The messages.

use flatbuffers::{FlatBufferBuilder, InvalidFlatbuffer, Push, Vector, WIPOffset};
use flatstream::StreamSerialize;

/// Messages of a suite that measures few.
pub const SMALL_MESSAGE_COUNT: usize = 100;
/// Messages of a suite that measures cycles, or long messages.
pub const LARGE_MESSAGE_COUNT: usize = 50;
/// Messages of a suite that measures a steady flow.
pub const HIGH_FREQUENCY_COUNT: usize = 1000;
/// Bytes in a [`Blob`] of the suites about large messages.
pub const LARGE_MESSAGE_SIZE: usize = 64 * 1024;

/// One reading of one device: 24 bytes, packed into a FlatBuffer whose root is a vector of bytes.
/// That makes 32 bytes of payload and, without a checksum, 36 of frame.
#[cfg_attr(feature = "comparative_bench", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TelemetryEvent {
    /// Which device.
    pub device_id: u64,
    /// When, in seconds since 1970.
    pub timestamp: u64,
    /// The value it read.
    pub value: f64,
}

impl TelemetryEvent {
    /// Bytes of the three fields.
    pub const SIZE: usize = 24;

    /// The event with number `i`.
    #[must_use]
    pub fn new(i: u64) -> Self {
        Self { device_id: i, timestamp: 1_672_531_200 + i, value: i as f64 * 1.5 }
    }

    /// The fields one after the other, little-endian.
    #[inline]
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.device_id.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.timestamp.to_le_bytes());
        bytes[16..].copy_from_slice(&self.value.to_le_bytes());
        bytes
    }

    /// Verifies a payload and reads every field of it, which is the work that a deserializer of
    /// owned values does.
    ///
    /// # Errors
    ///
    /// If the FlatBuffers verifier rejects the payload.
    ///
    /// # Panics
    ///
    /// If the vector is sound and has less than [`SIZE`](Self::SIZE) bytes.
    #[inline]
    pub fn read(payload: &[u8]) -> Result<Self, InvalidFlatbuffer> {
        let [device_id, timestamp, value] = unpack(payload)?;
        Ok(Self {
            device_id: u64::from_le_bytes(device_id),
            timestamp: u64::from_le_bytes(timestamp),
            value: f64::from_le_bytes(value),
        })
    }
}

impl StreamSerialize for TelemetryEvent {
    type Root<'b> = Vector<'b, u8>;

    #[inline(always)]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Vector<'b, u8>> {
        pack(builder, self.to_bytes())
    }
}

/// The same event, built with the safe function of the FlatBuffers crate, which copies the bytes one
/// by one.
#[derive(Debug, Clone, Copy)]
pub struct ByCreateVector(pub TelemetryEvent);

impl StreamSerialize for ByCreateVector {
    type Root<'b> = Vector<'b, u8>;

    #[inline(always)]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Vector<'b, u8>> {
        builder.create_vector(&self.0.to_bytes())
    }
}

/// Three fields as FlatBuffers lays out a struct: their bytes in one piece.
struct Packed([u8; TelemetryEvent::SIZE]);

impl Push for Packed {
    type Output = Self;

    #[inline]
    unsafe fn push(&self, dst: &mut [u8], _written_len: usize) {
        dst.copy_from_slice(&self.0);
    }
}

/// Builds the vector that `create_vector` makes of the same bytes. That copies them one by one, in
/// a loop that takes half the time of writing a message; here they go in as generated code puts a
/// struct in.
// Always inlined, or the suites would time what the compiler decided about this function.
#[inline(always)]
pub fn pack<'b>(
    builder: &mut FlatBufferBuilder<'b>,
    bytes: [u8; TelemetryEvent::SIZE],
) -> WIPOffset<Vector<'b, u8>> {
    builder.start_vector::<u8>(bytes.len());
    builder.push(Packed(bytes));
    builder.end_vector(TelemetryEvent::SIZE)
}

/// Verifies a payload and takes the three fields out of it.
#[inline]
fn unpack(payload: &[u8]) -> Result<[[u8; 8]; 3], InvalidFlatbuffer> {
    let bytes = flatstream::root::<Vector<'_, u8>>(payload)?.bytes();
    Ok(std::array::from_fn(|i| {
        let mut field = [0; 8];
        field.copy_from_slice(&bytes[i * 8..i * 8 + 8]);
        field
    }))
}

/// The events with numbers from 0.
#[must_use]
pub fn telemetry(count: usize) -> Vec<TelemetryEvent> {
    (0..count as u64).map(TelemetryEvent::new).collect()
}

/// The smallest message there is: one byte.
#[derive(Debug, Clone, Copy)]
pub struct Tick(pub u8);

impl StreamSerialize for Tick {
    type Root<'b> = Vector<'b, u8>;

    #[inline]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Vector<'b, u8>> {
        builder.create_vector(&[self.0])
    }
}

/// A message of any length.
#[derive(Debug, Clone)]
pub struct Blob(pub Vec<u8>);

impl StreamSerialize for Blob {
    type Root<'b> = Vector<'b, u8>;

    #[inline]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Vector<'b, u8>> {
        builder.create_vector(&self.0)
    }
}

/// Blobs of `size` bytes, each different.
#[must_use]
pub fn blobs(count: usize, size: usize) -> Vec<Blob> {
    (0..count).map(|i| Blob((0..size).map(|j| (i + j) as u8).collect())).collect()
}

/// Three numbers, packed as [`TelemetryEvent`] is.
#[cfg_attr(feature = "comparative_bench", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinimalNumeric {
    /// The number of the message.
    pub a: u64,
    /// Three times `a`.
    pub b: u64,
    /// Seven more than `a`.
    pub c: u64,
}

impl MinimalNumeric {
    /// The message with number `i`.
    #[must_use]
    pub fn new(i: u64) -> Self {
        Self { a: i, b: i * 3, c: i + 7 }
    }

    /// Verifies a payload and reads every field of it.
    ///
    /// # Errors
    ///
    /// If the FlatBuffers verifier rejects the payload.
    ///
    /// # Panics
    ///
    /// If the vector is sound and has less than 24 bytes.
    #[inline]
    pub fn read(payload: &[u8]) -> Result<Self, InvalidFlatbuffer> {
        let [a, b, c] = unpack(payload)?.map(u64::from_le_bytes);
        Ok(Self { a, b, c })
    }
}

impl StreamSerialize for MinimalNumeric {
    type Root<'b> = Vector<'b, u8>;

    #[inline(always)]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Vector<'b, u8>> {
        let mut bytes = [0; 24];
        for (field, out) in [self.a, self.b, self.c].iter().zip(bytes.chunks_exact_mut(8)) {
            out.copy_from_slice(&field.to_le_bytes());
        }
        pack(builder, bytes)
    }
}

/// Sixteen characters.
#[cfg_attr(feature = "comparative_bench", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, PartialEq)]
pub struct MinimalString {
    /// The characters.
    pub s: String,
}

impl MinimalString {
    /// The message that the suites repeat.
    #[must_use]
    pub fn sample() -> Self {
        Self { s: "0123456789abcdef".to_owned() }
    }
}

impl StreamSerialize for MinimalString {
    type Root<'b> = &'b str;

    #[inline(always)]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<&'b str> {
        builder.create_string(&self.s)
    }
}
