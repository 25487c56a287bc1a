//! The line tables of an executable: which functions are inlined at an address, and where.

use std::borrow::Cow;
use std::error::Error;

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, RunTimeEndian, SectionId};
use benchgate_core::explain::Frame;
use object::{Object as _, ObjectSection as _, SymbolMap, SymbolMapName};

/// The line tables of an executable.
pub(crate) struct LineTables<'a> {
    lines: Context<EndianSlice<'a, RunTimeEndian>>,
    symbols: SymbolMap<SymbolMapName<'a>>,
}

impl<'a> LineTables<'a> {
    /// Of the file itself: rustc writes no other debug file unless asked to, and compresses nothing.
    ///
    /// # Errors
    /// Says why they cannot be read.
    pub(crate) fn of(executable: &'a [u8]) -> Result<Self, String> {
        let tables = Self::parse(executable);
        tables.map_err(|error| format!("its line tables cannot be read: {error}"))
    }

    fn parse(executable: &'a [u8]) -> Result<Self, Box<dyn Error>> {
        let file = object::File::parse(executable)?;
        let endian =
            if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let section = |id: SectionId| -> Result<_, Box<dyn Error>> {
            let section = file.section_by_name(id.name());
            let data = match section.map(|section| section.uncompressed_data()).transpose()? {
                Some(Cow::Borrowed(data)) => data,
                Some(Cow::Owned(_)) => return Err("they are compressed".into()),
                None => &[],
            };
            Ok(EndianSlice::new(data, endian))
        };
        Ok(Self { lines: Context::from_dwarf(Dwarf::load(section)?)?, symbols: file.symbol_map() })
    }

    /// The inline chain of an address, innermost frame first; empty where none is known.
    pub(crate) fn chain(&self, address: u64, checkout: &str) -> Vec<Frame> {
        let Ok(mut frames) = self.lines.find_frames(address).skip_all_loads() else {
            return Vec::new();
        };
        let mut chain = Vec::new();
        // A frame that cannot be read ends the chain: then it is shorter, and nothing is counted wrongly.
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            let place = frame.location.as_ref();
            let file = place.and_then(|place| place.file).unwrap_or_default();
            let line = place.and_then(|place| place.line).unwrap_or_default();
            // Line tables have no name of a function that inlines nothing: it is that of the symbol.
            let symbol = || self.symbols.containing(address).map(|symbol| symbol.name().into());
            let Some(name) = name.or_else(symbol) else { continue };
            chain.push(Frame::read(&name, file, line, checkout));
        }
        chain
    }
}
