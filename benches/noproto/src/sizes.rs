//! The sizes of the message in each format: exact, and the same on every machine.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::libraries::{self, ForEach, Library};
use crate::model::Container;

/// The sizes of one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its library.
    pub library: &'static str,
    /// Bytes of the message.
    pub bytes: usize,
    /// Bytes of it after zlib, at the default level as published. Another version of the library
    /// that compresses may give others.
    pub zlib: usize,
}

/// The name of the format of the JSON lines.
pub const SCHEMA: &str = "benchgate.counts/1";

impl Size {
    /// A line for each of the two figures, as the gate reads them.
    #[must_use]
    pub fn json(&self) -> [String; 2] {
        let Self { library, bytes, zlib } = self;
        [("size.bytes", bytes), ("size.zlib", zlib)].map(|(metric, value)| {
            format!(
                r#"{{"schema":"{SCHEMA}","id":"noproto/size/{library}","metric":"{metric}","unit":"bytes","value":{value}}}"#
            )
        })
    }
}

/// The sizes of all formats.
#[must_use]
pub fn all() -> Vec<Size> {
    let mut sizes = Sizes(Vec::new());
    libraries::for_each(&mut sizes);
    sizes.0
}

struct Sizes(Vec<Size>);

impl ForEach for Sizes {
    fn library<L: Library>(&mut self) {
        L::default().encode(&Container::published(), |bytes| {
            self.0.push(Size { library: L::NAME, bytes: bytes.len(), zlib: zlib(bytes) });
        });
    }
}

fn zlib(bytes: &[u8]) -> usize {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_or(0, |packed| packed.len())
}
