//! Reading a stream from any source.

use std::io::{self, Read};
use std::iter::FusedIterator;
use std::ops::Range;

use flatbuffers::{Follow, Verifiable, VerifierOptions};

use crate::error::{Error, Result};
use crate::framing::{
    DEFAULT_MAX_FRAME_LEN, Deframer, MAX_HEADER_LEN, Scan, are_recognisable, scan,
};
use crate::typed;

/// Bytes a reader asks its source for at first, as much as the buffers of `std::io`.
const DEFAULT_CAPACITY: usize = 8 * 1024;

/// Reads frames from any [`Read`] and lends each payload until the next is asked for.
///
/// The reader has its own buffer, so the source needs no [`std::io::BufReader`]: it asks for as much
/// as fits and serves from one read as many frames as arrived, but never waits for more than the
/// next frame needs. Each payload is copied once, by the source. The buffer doubles as the bytes of
/// a long frame arrive, so a header that lies costs no memory; it never shrinks, so reading
/// allocates nothing once the longest frame has been seen.
///
/// An error is about the frame at [`offset`](Self::offset), which is not consumed: asking again
/// tries that frame again. After [`Error::TornHeader`], [`Error::TornPayload`] and [`Error::Read`]
/// this goes on where the source stopped, which suits a file that is still being written.
#[derive(Debug)]
pub struct StreamReader<R, D> {
    source: R,
    deframer: D,
    max_frame_len: u32,
    buffer: Vec<u8>,
    at: Window,
    stopped: Option<Stopped>,
}

/// A search for the next frame that the source stopped before the byte at `offset` could be judged.
#[derive(Debug, Clone, Copy)]
struct Stopped {
    /// Where the damage begins.
    begin: u64,
    offset: u64,
}

/// Where a reader is. Small and copied around, so that loops over messages keep it in registers:
/// going through memory for every message takes a third longer.
#[derive(Debug, Clone, Copy, Default)]
struct Window {
    /// `buffer[start..end]` is read and not yet handed out.
    start: usize,
    end: usize,
    /// Where `start` is in the stream.
    offset: u64,
}

impl<R: Read, D: Deframer> StreamReader<R, D> {
    /// A reader of frames with at most [`DEFAULT_MAX_FRAME_LEN`] bytes of payload and a buffer of
    /// 8 KiB.
    pub fn new(source: R, deframer: D) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, source, deframer)
    }

    /// A reader that begins with a buffer of `capacity` bytes: what it asks the source for at once.
    pub fn with_capacity(capacity: usize, source: R, deframer: D) -> Self {
        Self {
            source,
            deframer,
            max_frame_len: DEFAULT_MAX_FRAME_LEN,
            buffer: vec![0; capacity.max(MAX_HEADER_LEN)],
            at: Window::default(),
            stopped: None,
        }
    }

    /// Accepts at most `len` bytes of payload in a frame.
    #[inline]
    #[must_use]
    pub fn with_max_frame_len(mut self, len: u32) -> Self {
        self.max_frame_len = len;
        self
    }

    /// The payload of the next frame, or `None` where the stream ends between two frames.
    ///
    /// # Errors
    ///
    /// [`Error::TornHeader`], [`Error::TornPayload`], [`Error::FrameTooLong`],
    /// [`Error::WrongChecksum`] or [`Error::Read`].
    #[inline]
    pub fn read_message(&mut self) -> Result<Option<&[u8]>> {
        let mut at = self.at;
        let found = self.advance(&mut at);
        self.at = at;
        Ok(found?.map(|payload| &self.buffer[payload]))
    }

    /// The verified root of the next frame's payload, or `None` where the stream ends between two
    /// frames.
    ///
    /// # Errors
    ///
    /// As [`read_message`](Self::read_message), or [`Error::InvalidFlatbuffer`], after which the
    /// next call goes on with the next frame.
    #[inline]
    pub fn read_root<'a, T>(&'a mut self) -> Result<Option<T::Inner>>
    where
        T: Follow<'a> + Verifiable + 'a,
    {
        let offset = self.at.offset;
        let Some(payload) = self.read_message()? else { return Ok(None) };
        typed::root::<T>(payload)
            .map(Some)
            .map_err(|source| Error::InvalidFlatbuffer { offset, source: Box::new(source) })
    }

    /// As [`read_root`](Self::read_root), with limits of the caller's for the verifier.
    ///
    /// # Errors
    ///
    /// As [`read_root`](Self::read_root), and if a limit is exceeded.
    #[inline]
    pub fn read_root_with<'a, T>(
        &'a mut self,
        options: &VerifierOptions,
    ) -> Result<Option<T::Inner>>
    where
        T: Follow<'a> + Verifiable + 'a,
    {
        let offset = self.at.offset;
        let Some(payload) = self.read_message()? else { return Ok(None) };
        typed::root_with::<T>(payload, options)
            .map(Some)
            .map_err(|source| Error::InvalidFlatbuffer { offset, source: Box::new(source) })
    }

    /// Goes past damage: to the next byte at which a frame with its right checksum begins, and says
    /// how many bytes are passed over; `None` if no such frame follows, or if frames have no checksum
    /// by which one could be recognised. Then reading goes on from there. Frames without a payload
    /// are not recognised, since zeros may look like them. Of checksums of two bytes, one in 65,536
    /// places of other bytes passes for a frame.
    ///
    /// A length of other bytes may ask for as many bytes as [`with_max_frame_len`] allows before it
    /// is found to be none: a small limit bounds the time and the buffer.
    ///
    /// After `None` and after an error, the reader is at the first byte at which a frame may begin
    /// that has not arrived whole. Called again, the search resumes there, and its count includes
    /// what was passed over before.
    ///
    /// [`with_max_frame_len`]: Self::with_max_frame_len
    ///
    /// # Errors
    ///
    /// [`Error::Read`].
    pub fn resynchronize(&mut self) -> Result<Option<u64>> {
        if !are_recognisable(&self.deframer) {
            return Ok(None);
        }
        let begin = match self.stopped.take() {
            Some(stopped) if stopped.offset == self.at.offset => stopped.begin,
            _ => {
                let Window { start, end, offset } = self.at;
                if start == end {
                    self.fill(start, end, offset)?;
                    if self.at.end == 0 {
                        return Ok(None);
                    }
                }
                // The frame here was refused.
                self.pass_over(1);
                offset
            }
        };
        loop {
            let mut at = self.at;
            match self.advance(&mut at) {
                Ok(Some(payload)) if !payload.is_empty() => {
                    let frame = self.deframer.header_len() + payload.len();
                    self.at = Window {
                        start: at.start - frame,
                        end: at.end,
                        offset: at.offset - frame as u64,
                    };
                    return Ok(Some(self.at.offset - begin));
                }
                Err(Error::Read { offset, source }) => {
                    self.stopped = Some(Stopped { begin, offset });
                    return Err(Error::Read { offset, source });
                }
                Ok(None) | Err(Error::TornHeader { .. } | Error::TornPayload { .. }) => {
                    return Ok(self.search_rest(begin));
                }
                Ok(Some(_)) | Err(_) => self.pass_over(1),
            }
        }
    }

    fn pass_over(&mut self, bytes: usize) {
        self.at.start += bytes;
        self.at.offset += bytes as u64;
    }

    /// At the source's end, looks at what is at hand behind a frame that is cut. If there is none,
    /// stays before that frame: the source may be a file that is still being written.
    fn search_rest(&mut self, begin: u64) -> Option<u64> {
        let rest = &self.buffer[self.at.start..self.at.end];
        let begins = |skipped: &usize| {
            let found = scan(&self.deframer, &rest[*skipped..], 0, self.max_frame_len);
            matches!(found, Ok(Scan::Whole { payload_len: 1.., .. }))
        };
        let skipped = (1..rest.len()).find(begins);
        match skipped {
            Some(bytes) => self.pass_over(bytes),
            None => self.stopped = Some(Stopped { begin, offset: self.at.offset }),
        }
        skipped.map(|_| self.at.offset - begin)
    }

    /// The messages one by one, each lent until the next: a cursor for `while let`.
    #[inline]
    pub fn messages(&mut self) -> Messages<'_, R, D> {
        Messages { at: self.at, reader: self }
    }

    /// The messages as an [`Iterator`] of owned copies, one allocation each.
    #[inline]
    pub fn owned_messages(&mut self) -> OwnedMessages<'_, R, D> {
        OwnedMessages { messages: Some(self.messages()) }
    }

    /// Lends every remaining payload to `process` and says how many there were.
    ///
    /// # Errors
    ///
    /// As [`read_message`](Self::read_message).
    #[inline]
    pub fn process_all(&mut self, mut process: impl FnMut(&[u8])) -> Result<u64> {
        self.try_process_all(|payload| {
            process(payload);
            Ok(())
        })
    }

    /// Lends payloads to `process` until one is refused or the stream ends, and says how many there
    /// were.
    ///
    /// # Errors
    ///
    /// The first error of `process`, whose frame is consumed, or as
    /// [`read_message`](Self::read_message).
    #[inline]
    pub fn try_process_all<E: From<Error>>(
        &mut self,
        mut process: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut messages = self.messages();
        let mut count = 0;
        loop {
            // All whole frames at hand in one go, the place of each following from a pointer alone.
            let Messages { reader, at } = &mut messages;
            let mut rest = &reader.buffer[at.start..at.end];
            while let Scan::Whole { header_len, payload_len } =
                scan(&reader.deframer, rest, at.offset, reader.max_frame_len)?
            {
                let (frame, behind) = rest.split_at(header_len + payload_len);
                rest = behind;
                at.start = at.end - rest.len();
                at.offset += frame.len() as u64;
                process(&frame[header_len..])?;
                count += 1;
            }
            let Some(payload) = messages.next()? else { break };
            process(payload)?;
            count += 1;
        }
        Ok(count)
    }

    /// Bytes from where this reader began to the frame that is read next.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.at.offset
    }

    /// Begins another stream with the same buffer, and returns the source of the one before.
    /// Bytes that were read from that and not handed out are dropped.
    #[inline]
    pub fn restart(&mut self, source: R) -> R {
        self.at = Window::default();
        self.stopped = None;
        std::mem::replace(&mut self.source, source)
    }

    /// Bytes the buffer takes now.
    #[inline]
    pub fn buffer_len(&self) -> usize {
        self.buffer.len()
    }

    /// The source, and the bytes that were read from it and not handed out.
    pub fn into_parts(mut self) -> (R, Vec<u8>) {
        self.buffer.truncate(self.at.end);
        self.buffer.drain(..self.at.start);
        (self.source, self.buffer)
    }

    /// Goes past the next frame and says where in the buffer its payload is.
    #[inline(always)]
    fn advance(&mut self, at: &mut Window) -> Result<Option<Range<usize>>> {
        loop {
            let at_hand = &self.buffer[at.start..at.end];
            match scan(&self.deframer, at_hand, at.offset, self.max_frame_len)? {
                Scan::Whole { header_len, payload_len } => {
                    let from = at.start + header_len;
                    at.start = from + payload_len;
                    at.offset += (header_len + payload_len) as u64;
                    return Ok(Some(from..at.start));
                }
                part => {
                    let had = at.end - at.start;
                    // Not the window as a whole: that goes by reference, and would then live in
                    // memory and no longer in registers.
                    let filled = self.fill(at.start, at.end, at.offset);
                    *at = self.at;
                    filled?;
                    if at.end == had {
                        return part.torn(at.offset, had).map_or(Ok(None), Err);
                    }
                }
            }
        }
    }

    /// Moves the bytes from `start` to `end` to the front and reads once from the source behind
    /// them. `self.at` says where they are afterwards, even when reading fails. At the source's end
    /// they are as many as before.
    #[cold]
    #[inline(never)]
    fn fill(&mut self, start: usize, end: usize, offset: u64) -> Result<()> {
        // Less than a frame is left, and the next calls find it at the front already.
        self.buffer.copy_within(start..end, 0);
        self.at = Window { start: 0, end: end - start, offset };
        if self.at.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.at.end..]) {
                Ok(count) => {
                    self.at.end += count;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(Error::Read { offset, source }),
            }
        }
    }
}

/// A lending cursor over the messages of a [`StreamReader`].
///
/// It is no [`Iterator`], because each payload lives only until the next is asked for.
#[derive(Debug)]
pub struct Messages<'r, R, D> {
    reader: &'r mut StreamReader<R, D>,
    /// Ahead of the reader's own until this is dropped; forgotten, its messages come again.
    at: Window,
}

impl<R, D> Drop for Messages<'_, R, D> {
    #[inline]
    fn drop(&mut self) {
        self.reader.at = self.at;
    }
}

impl<R: Read, D: Deframer> Messages<'_, R, D> {
    /// The payload of the next frame, or `None` where the stream ends between two frames.
    ///
    /// # Errors
    ///
    /// As [`StreamReader::read_message`].
    #[expect(clippy::should_implement_trait, reason = "an Iterator cannot lend")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<&[u8]>> {
        let found = self.reader.advance(&mut self.at)?;
        Ok(found.map(|payload| &self.reader.buffer[payload]))
    }
}

/// The messages of a [`StreamReader`] as owned copies. After the end or the first error it stays at its end.
#[derive(Debug)]
pub struct OwnedMessages<'r, R, D> {
    messages: Option<Messages<'r, R, D>>,
}

impl<R: Read, D: Deframer> Iterator for OwnedMessages<'_, R, D> {
    type Item = Result<Vec<u8>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let message = self.messages.as_mut()?.next().map(|payload| payload.map(<[u8]>::to_vec));
        if !matches!(message, Ok(Some(_))) {
            self.messages = None;
        }
        message.transpose()
    }
}

impl<R: Read, D: Deframer> FusedIterator for OwnedMessages<'_, R, D> {}
