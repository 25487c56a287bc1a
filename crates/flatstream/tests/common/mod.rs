//! Every kind of frame that the enabled features allow, under one name each.

use flatstream::{DefaultDeframer, DefaultFramer, Deframer, Framer, StreamWriter};

pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) framer: Box<dyn Framer>,
    pub(crate) deframer: Box<dyn Deframer>,
}

pub(crate) fn kinds() -> Vec<Kind> {
    let mut kinds = vec![Kind {
        name: "none",
        framer: Box::new(DefaultFramer),
        deframer: Box::new(DefaultDeframer),
    }];
    kinds.extend(checksummed_kinds());
    kinds
}

pub(crate) fn checksummed_kinds() -> Vec<Kind> {
    #[cfg(any(feature = "crc16", feature = "crc32", feature = "xxhash"))]
    fn kind<C: flatstream::Checksum + Copy + 'static>(name: &'static str, checksum: C) -> Kind {
        let framer = Box::new(flatstream::ChecksumFramer(checksum));
        Kind { name, framer, deframer: Box::new(flatstream::ChecksumDeframer(checksum)) }
    }
    vec![
        #[cfg(feature = "crc16")]
        kind("crc16", flatstream::Crc16),
        #[cfg(feature = "crc32")]
        kind("crc32", flatstream::Crc32),
        #[cfg(feature = "xxhash")]
        kind("xxh3", flatstream::XxHash64),
    ]
}

/// The stream that holds `payloads` and nothing else.
pub(crate) fn stream_of<P: AsRef<[u8]>>(kind: &Kind, payloads: &[P]) -> Vec<u8> {
    let mut writer = StreamWriter::new(Vec::new(), &kind.framer);
    for payload in payloads {
        writer.write_payload(payload.as_ref()).expect("a Vec takes everything");
    }
    writer.into_inner()
}
