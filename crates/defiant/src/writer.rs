//! The encoder's place in its output.

use alloc::vec::Vec;
use core::ptr;

use crate::codec::Codec;
use crate::map::{Map, MapValue};
use crate::message::Message;
use crate::wire::varint;

/// Room that any key and any scalar fit in: 5 + 10 bytes, and 5 that a store of whole words may
/// spill behind them.
const ROOM: usize = 20;

/// The end of a `Vec<u8>` that is being written to.
///
/// Holds the end as a pointer, because the vector's own length would be loaded and stored for
/// each field. The vector's length is set by [`Self::finish`]; what was written is lost without.
pub struct Writer<'b> {
    buf: &'b mut Vec<u8>,
    next: *mut u8,
    end: *mut u8,
}

impl<'b> Writer<'b> {
    /// A writer that appends to `buf`.
    #[inline]
    pub fn new(buf: &'b mut Vec<u8>) -> Self {
        let spare = buf.spare_capacity_mut().as_mut_ptr_range();
        let (next, end) = (spare.start.cast(), spare.end.cast());
        Self { buf, next, end }
    }

    /// Makes the written bytes part of the vector.
    #[inline]
    pub fn finish(self) {
        let len = self.len();
        // SAFETY: all bytes up to `next` are initialised: the vector's own, and those that
        // `advance` was called for.
        unsafe { self.buf.set_len(len) };
    }

    /// Bytes in the vector and behind it.
    #[inline(always)]
    fn len(&self) -> usize {
        self.next.addr() - self.buf.as_ptr().addr()
    }

    #[inline(always)]
    fn room(&self) -> usize {
        self.end.addr() - self.next.addr()
    }

    /// Appends a varint field.
    #[inline(always)]
    pub fn varint_field(&mut self, key: u32, value: u64) {
        if self.room() < ROOM {
            return self.varint_field_at_end(key, value);
        }
        // SAFETY: there is room for any key and any varint.
        unsafe {
            self.put_varint(key.into());
            self.put_varint(value);
        }
    }

    /// Appends a field of four bytes.
    #[inline(always)]
    pub fn fixed32_field(&mut self, key: u32, value: [u8; 4]) {
        if self.room() < ROOM {
            return self.fixed_field_at_end(key, &value);
        }
        // SAFETY: there is room for any key and eight bytes.
        unsafe {
            self.put_varint(key.into());
            self.put(&value);
        }
    }

    /// Appends a field of eight bytes.
    #[inline(always)]
    pub fn fixed64_field(&mut self, key: u32, value: [u8; 8]) {
        if self.room() < ROOM {
            return self.fixed_field_at_end(key, &value);
        }
        // SAFETY: there is room for any key and eight bytes.
        unsafe {
            self.put_varint(key.into());
            self.put(&value);
        }
    }

    /// Appends a field of a length and as many bytes.
    #[inline(always)]
    pub fn bytes_field(&mut self, key: u32, value: &[u8]) {
        if self.room() < value.len().saturating_add(ROOM) {
            return self.bytes_field_at_end(key, value);
        }
        // SAFETY: there is room for any key, any length and the bytes.
        unsafe {
            self.put_varint(key.into());
            self.put_varint(value.len() as u64);
            self.put(value);
        }
    }

    /// Appends a sub-message with its length in front.
    #[inline(always)]
    pub fn message<'a, M: Message<'a>>(&mut self, key: u32, message: &M) {
        self.varint(key.into());
        self.delimited(message);
    }

    /// Appends a length and a message.
    ///
    /// The length is known when the message is written, so one byte is left for it, and longer
    /// messages are moved. To compute the length first would visit each message once for each
    /// level it is nested in.
    pub fn delimited<'a, M: Message<'a>>(&mut self, message: &M) {
        self.byte(0);
        let start = self.len();
        message.encode_raw(self);
        let len = self.len() - start;
        if len < 0x80 {
            // SAFETY: the byte before `start` is the one written above.
            unsafe { self.next.sub(len + 1).write(len as u8) };
        } else {
            self.widen_length(len);
        }
    }

    /// Moves the last `len` bytes to make room for their length, of which one byte is there.
    #[cold]
    #[inline(never)]
    fn widen_length(&mut self, len: usize) {
        let (bytes, width) = varint::write(len as u64);
        self.reserve(width - 1);
        // SAFETY: one byte of length and `len` bytes lie before `next`, and there is room for
        // `width - 1` more.
        unsafe {
            let start = self.next.sub(len + 1);
            ptr::copy(start.add(1), start.add(width), len);
            ptr::copy_nonoverlapping(bytes.as_ptr(), start, width);
            self.advance(width - 1);
        }
    }

    /// Appends a sub-message between the keys that begin and end a group.
    #[inline(always)]
    pub fn group<'a, M: Message<'a>>(&mut self, key: u32, message: &M) {
        self.varint(key.into());
        message.encode_raw(self);
        // The end's wire type is the begin's plus one.
        self.varint((key + 1).into());
    }

    /// Appends the elements of a packed field, if there are any.
    pub fn packed<'a, C: Codec<'a>>(&mut self, key: u32, values: &[C::Value]) {
        if values.is_empty() {
            return;
        }
        self.varint(key.into());
        self.varint(values.iter().map(|value| C::len(*value)).sum::<usize>() as u64);
        for value in values {
            C::write(self, *value);
        }
    }

    /// Appends the entries of a map.
    pub fn map<'a, K, V>(&mut self, key: u32, entries: Map<'a, K::Value, V::Value>)
    where
        K: Codec<'a, Value: Ord>,
        V: MapValue<'a>,
    {
        for (name, value) in entries {
            self.varint(key.into());
            self.varint((1 + K::len(*name) + V::field_len(value)) as u64);
            K::write_field(self, crate::wire::key::key(1, K::WIRE), *name);
            V::write_field(self, value);
        }
    }

    /// Appends one varint.
    #[inline(always)]
    pub fn varint(&mut self, value: u64) {
        if self.room() < ROOM {
            let (bytes, len) = varint::write(value);
            return self.bytes(&bytes[..len]);
        }
        // SAFETY: there is room for any varint.
        unsafe { self.put_varint(value) };
    }

    /// Appends `bytes` as they are.
    #[inline(always)]
    pub fn bytes(&mut self, bytes: &[u8]) {
        if self.room() < bytes.len() {
            self.reserve(bytes.len());
        }
        // SAFETY: there is room for the bytes.
        unsafe { self.put(bytes) };
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.bytes(&[byte]);
    }

    // The vector may be exactly as large as the message, so near its end the room is counted to
    // the byte. That is the slow way, but only for the last field or two.

    #[cold]
    #[inline(never)]
    fn varint_field_at_end(&mut self, key: u32, value: u64) {
        let (bytes, len) = varint::write(value);
        self.fixed_field_at_end(key, &bytes[..len]);
    }

    #[cold]
    #[inline(never)]
    fn fixed_field_at_end(&mut self, key: u32, value: &[u8]) {
        let (bytes, len) = varint::write(key.into());
        self.bytes(&bytes[..len]);
        self.bytes(value);
    }

    #[cold]
    #[inline(never)]
    fn bytes_field_at_end(&mut self, key: u32, value: &[u8]) {
        self.varint_field_at_end(key, value.len() as u64);
        self.bytes(value);
    }

    /// Makes the vector larger if it has no room for `more` bytes.
    #[cold]
    #[inline(never)]
    fn reserve(&mut self, more: usize) {
        let len = self.len();
        // SAFETY: as in `finish`.
        unsafe { self.buf.set_len(len) };
        self.buf.reserve(more);
        let spare = self.buf.spare_capacity_mut().as_mut_ptr_range();
        (self.next, self.end) = (spare.start.cast(), spare.end.cast());
    }

    /// # Safety
    ///
    /// There must be room for `bytes.len()` bytes.
    #[inline(always)]
    unsafe fn put(&mut self, bytes: &[u8]) {
        // SAFETY: there is room; the vector is borrowed mutably, so `bytes` are not in it.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, bytes.len());
            self.advance(bytes.len());
        }
    }

    /// # Safety
    ///
    /// There must be room for ten bytes.
    #[inline(always)]
    unsafe fn put_varint(&mut self, value: u64) {
        // SAFETY: there is room for the longest varint, and whole words are written.
        unsafe {
            if value < 0x80 {
                self.next.write(value as u8);
                return self.advance(1);
            }
            let (bytes, len) = varint::write(value);
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, bytes.len());
            self.advance(len);
        }
    }

    /// # Safety
    ///
    /// `len` bytes from `next` must be written and in the vector's memory.
    #[inline(always)]
    unsafe fn advance(&mut self, len: usize) {
        // SAFETY: in the vector's memory, as the caller promises.
        self.next = unsafe { self.next.add(len) };
    }
}
