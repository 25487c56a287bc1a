//! The encoder's place in its output.

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr;

use crate::codec::Codec;
use crate::map::{Map, MapValue};
use crate::message::Message;
use crate::wire::varint;

/// The end of a `Vec<u8>` that is being written to, or a place in memory of a fixed size.
///
/// Holds the end as a pointer, because the vector's own length would be loaded and stored for
/// each field. The vector's length is set by [`Self::finish`]; what was written is lost without.
///
/// # Examples
///
/// ```
/// let mut buf = vec![1];
/// let mut out = defiant::Writer::new(&mut buf);
/// out.varint_field(8, 300);
/// out.finish();
/// assert_eq!(buf, [1, 8, 0xac, 0x02]);
/// ```
pub struct Writer<'b> {
    /// Where the vector's or the place's memory begins.
    start: *mut u8,
    next: *mut u8,
    end: *mut u8,
    /// What can be made larger; a place cannot.
    buf: Option<&'b mut Vec<u8>>,
}

impl<'b> Writer<'b> {
    /// A writer that appends to `buf`.
    #[inline]
    pub fn new(buf: &'b mut Vec<u8>) -> Self {
        let (start, next, end) = spare(buf);
        Self { start, next, end, buf: Some(buf) }
    }

    /// Makes the written bytes part of the vector.
    #[inline]
    pub fn finish(self) {
        let len = self.len();
        let Some(buf) = self.buf else { return };
        // SAFETY: all bytes up to `next` are initialised: the vector's own, and those that
        // `advance` was called for.
        unsafe { buf.set_len(len) };
    }

    /// Lets `write` fill `place`, which has as many bytes as it writes, and returns how many they
    /// were. Bytes behind those are not read, and may have been written to.
    ///
    /// # Panics
    ///
    /// If `write` writes more than there is room for, or puts another writer in the place of its own.
    pub(crate) fn fill(place: &'b mut [MaybeUninit<u8>], write: impl FnOnce(&mut Self)) -> usize {
        let Range { start, end } = place.as_mut_ptr_range();
        let (start, end) = (start.cast::<u8>(), end.cast());
        let mut out = Self { start, next: start, end, buf: None };
        write(&mut out);
        // A caller makes what was written part of its buffer, so it must be in this place.
        assert!(
            out.buf.is_none() && out.start == start,
            "a message put another writer in the place of its own"
        );
        out.len()
    }

    /// Bytes in the vector and behind it.
    #[inline(always)]
    fn len(&self) -> usize {
        self.next.addr() - self.start.addr()
    }

    #[inline(always)]
    fn room(&self) -> usize {
        self.end.addr() - self.next.addr()
    }

    // The vector may be exactly as large as the message, so what a field needs is counted to the
    // byte, but for varints of more than one byte: those are stored as whole words if there is
    // room, and otherwise by the functions at the end.

    /// Appends a varint field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn varint_field(&mut self, key: u32, value: u64) {
        if value < 0x80 {
            return self.fixed_field(key, &[value as u8]);
        }
        if self.room() < key_len(key) + varint::MAX_LEN {
            return self.varint_field_at_end(key, value);
        }
        // SAFETY: there is room for the key and any varint.
        unsafe {
            self.put_key(key);
            self.put_varint(value);
        }
    }

    /// Appends a field of four bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn fixed32_field(&mut self, key: u32, value: [u8; 4]) {
        self.fixed_field(key, &value);
    }

    /// Appends a field of eight bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn fixed64_field(&mut self, key: u32, value: [u8; 8]) {
        self.fixed_field(key, &value);
    }

    #[inline(always)]
    fn fixed_field(&mut self, key: u32, value: &[u8]) {
        self.make_room(key_len(key) + value.len());
        // SAFETY: there is room for the key and the value.
        unsafe {
            self.put_key(key);
            self.put(value);
        }
    }

    /// Appends a field of a length and as many bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn bytes_field(&mut self, key: u32, value: &[u8]) {
        self.varint_field(key, value.len() as u64);
        self.bytes(value);
    }

    /// Appends a sub-message with its length in front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn message<'a, M: Message<'a>>(&mut self, key: u32, message: &M) {
        self.fixed_field(key, &[]);
        self.delimited(message);
    }

    /// Appends a length and a message.
    ///
    /// The length is known when the message is written, so one byte is left for it, and longer
    /// messages are moved. To compute the length first would visit each message once for each
    /// level it is nested in.
    pub fn delimited<'a, M: Message<'a>>(&mut self, message: &M) {
        self.bytes(&[0]);
        let start = self.len();
        message.encode_raw(self);
        // A message could have put another writer in this one's place.
        let Some(len) = self.len().checked_sub(start) else {
            panic!("a message took away what was written before it")
        };
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn group<'a, M: Message<'a>>(&mut self, key: u32, message: &M) {
        self.fixed_field(key, &[]);
        message.encode_raw(self);
        // The end's wire type is the begin's plus one.
        self.fixed_field(key + 1, &[]);
    }

    /// Appends the elements of a packed field, if there are any.
    pub fn packed<'a, C: Codec<'a>>(&mut self, key: u32, values: &[C::Value]) {
        if values.is_empty() {
            return;
        }
        self.varint(key.into());
        self.varint(values.iter().map(|value| C::len(*value)).sum::<usize>() as u64);
        C::write_packed(self, values);
    }

    /// Appends what `bytes` makes of each of `values`.
    pub(crate) fn arrays<T: Copy, const N: usize>(
        &mut self,
        values: &[T],
        bytes: impl Fn(T) -> [u8; N],
    ) {
        let len = values.len().saturating_mul(N);
        self.make_room(len);
        let start = self.next.cast::<[u8; N]>();
        // SAFETY: there is room for all values. The end moves once, after the loop, because the
        // compiler then sees a copy of all values in one piece.
        unsafe {
            for (at, value) in values.iter().enumerate() {
                start.add(at).write(bytes(*value));
            }
            self.advance(len);
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn varint(&mut self, value: u64) {
        if value < 0x80 {
            return self.bytes(&[value as u8]);
        }
        if self.room() < varint::MAX_LEN {
            return self.varint_at_end(value);
        }
        // SAFETY: there is room for any varint.
        unsafe { self.put_varint(value) };
    }

    /// Appends `bytes` as they are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        // SAFETY: there is room for the bytes.
        unsafe { self.put(bytes) };
    }

    #[cold]
    #[inline(never)]
    fn varint_field_at_end(&mut self, key: u32, value: u64) {
        self.varint_at_end(key.into());
        self.varint_at_end(value);
    }

    #[cold]
    #[inline(never)]
    fn varint_at_end(&mut self, value: u64) {
        let (bytes, len) = varint::write(value);
        self.bytes(&bytes[..len]);
    }

    #[inline(always)]
    fn make_room(&mut self, len: usize) {
        if self.room() < len {
            self.reserve(len);
        }
    }

    /// Makes the vector larger if it has no room for `more` bytes.
    #[cold]
    #[inline(never)]
    fn reserve(&mut self, more: usize) {
        let (len, room) = (self.len(), self.room());
        let Some(buf) = &mut self.buf else {
            assert!(room >= more, "a message has more bytes than its `encoded_len`");
            return;
        };
        // SAFETY: as in `finish`.
        unsafe { buf.set_len(len) };
        buf.reserve(more);
        (self.start, self.next, self.end) = spare(buf);
    }

    /// # Safety
    ///
    /// There must be room for `bytes.len()` bytes.
    #[inline(always)]
    unsafe fn put(&mut self, bytes: &[u8]) {
        // SAFETY: there is room; vector and place are borrowed mutably, so `bytes` are not in them.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, bytes.len());
            self.advance(bytes.len());
        }
    }

    /// # Safety
    ///
    /// There must be room for the key.
    #[inline(always)]
    unsafe fn put_key(&mut self, key: u32) {
        let (bytes, _) = varint::write(key.into());
        // The key is known to the compiler, so these are one or two stores.
        // SAFETY: there is room for the key.
        unsafe { self.put(&bytes[..key_len(key)]) };
    }

    /// # Safety
    ///
    /// There must be room for ten bytes.
    #[inline(always)]
    unsafe fn put_varint(&mut self, value: u64) {
        let (bytes, len) = varint::write(value);
        // SAFETY: there is room for the longest varint, and whole words are written.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, bytes.len());
            self.advance(len);
        }
    }

    /// # Safety
    ///
    /// `len` bytes from `next` must be written and in the vector's or the place's memory.
    #[inline(always)]
    unsafe fn advance(&mut self, len: usize) {
        // SAFETY: in that memory, as the caller promises.
        self.next = unsafe { self.next.add(len) };
    }
}

/// Where the memory of `buf` begins, and where the unused part of it begins and ends, as pointers that
/// are good for all of it: the length of a message is written before what has become the vector's own
/// meanwhile.
#[inline(always)]
fn spare(buf: &mut Vec<u8>) -> (*mut u8, *mut u8, *mut u8) {
    let (start, len, capacity) = (buf.as_mut_ptr(), buf.len(), buf.capacity());
    // SAFETY: `len <= capacity`, the size of the allocation at `start`.
    unsafe { (start, start.add(len), start.add(capacity)) }
}

#[inline(always)]
const fn key_len(key: u32) -> usize {
    varint::len(key as u64)
}
