//! What a stream may begin with: which frames follow.

use std::io::{self, Read};

use crate::checksum::{Checksum, FrameKind};
use crate::error::{Error, Result};

const MAGIC: [u8; 4] = *b"FLST";
const VERSION: u8 = 1;
const COVERED: u8 = 1;

/// The first bytes of a stream that says which frames it has, for streams that outlive the agreement of
/// both ends. A stream without it is a stream too: it is written and read before the first frame.
///
/// | bytes | what |
/// |---|---|
/// | 4 | `FLST` |
/// | 1 | the version of the format, 1 |
/// | 1 | the checksum, [`Checksum::ID`] |
/// | 1 | 1 if the checksum covers the length ([`CoveredFramer`](crate::CoveredFramer)), else 0 |
/// | 1 | 0 |
///
/// ```
/// use flatstream::{DefaultDeframer, DefaultFramer, NoChecksum, SliceReader, StreamHeader, StreamWriter};
///
/// # fn main() -> flatstream::Result<()> {
/// let header = StreamHeader::of::<NoChecksum>();
/// let mut writer = StreamWriter::new(header.to_bytes().to_vec(), DefaultFramer);
/// writer.write_payload(b"hi")?;
/// let stream = writer.into_inner();
///
/// let mut source = stream.as_slice();
/// StreamHeader::read(&mut source)?.expect(header)?;
/// assert_eq!(SliceReader::new(source, DefaultDeframer).count(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamHeader {
    /// The frames that follow.
    pub frames: FrameKind,
}

impl StreamHeader {
    /// Bytes of a header.
    pub const LEN: usize = 8;

    /// The header of a stream whose frames carry the checksum `C` of their payload.
    #[must_use]
    pub fn of<C: Checksum>() -> Self {
        Self { frames: FrameKind { checksum: C::ID, is_length_covered: false } }
    }

    /// The header of a stream whose frames carry the checksum `C` of payload and length.
    #[must_use]
    pub fn covering_length<C: Checksum>() -> Self {
        Self { frames: FrameKind { checksum: C::ID, is_length_covered: true } }
    }

    /// The header as it is in the stream.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::LEN] {
        let [a, b, c, d] = MAGIC;
        let FrameKind { checksum, is_length_covered } = self.frames;
        [a, b, c, d, VERSION, checksum, u8::from(is_length_covered), 0]
    }

    /// Takes a header apart. The inverse of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`Error::NotAStream`] or [`Error::OtherVersion`].
    pub fn from_bytes(bytes: [u8; Self::LEN]) -> Result<Self> {
        let [a, b, c, d, version, checksum, covered, reserved] = bytes;
        if [a, b, c, d] != MAGIC {
            return Err(Error::NotAStream);
        }
        if version != VERSION {
            return Err(Error::OtherVersion { found: version, expected: VERSION });
        }
        if covered > COVERED || reserved != 0 {
            return Err(Error::NotAStream);
        }
        Ok(Self { frames: FrameKind { checksum, is_length_covered: covered == COVERED } })
    }

    /// Reads a header from the beginning of a source, and nothing behind it.
    ///
    /// # Errors
    ///
    /// [`Error::NotAStream`] also where the source is shorter, [`Error::OtherVersion`] or
    /// [`Error::Read`].
    pub fn read(source: &mut impl Read) -> Result<Self> {
        let mut bytes = [0; Self::LEN];
        match source.read_exact(&mut bytes) {
            Ok(()) => Self::from_bytes(bytes),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Error::NotAStream),
            Err(source) => Err(Error::Read { offset: 0, source }),
        }
    }

    /// The same header, if it is the one of the frames that the reader can read.
    ///
    /// # Errors
    ///
    /// [`Error::OtherFrames`]. A checksum of which nothing is said is as any other of that kind.
    pub fn expect(self, expected: Self) -> Result<Self> {
        if self == expected {
            return Ok(self);
        }
        Err(Error::OtherFrames { found: self.frames, expected: expected.frames })
    }
}
