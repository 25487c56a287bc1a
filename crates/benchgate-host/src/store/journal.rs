//! The journal of a run: a file that grows by a line with every turn.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use benchgate_core::journal::{self, Entry, Header, Kept, Place};
use benchgate_core::model::{BenchmarkKey, Stage};
use benchgate_core::schedule::Turn;
use fs_err as fs;

use crate::HostError;
use crate::system::{files, interrupt};

/// Turns that were measured before, and the file to which turns are appended.
pub struct Journal {
    kept: BTreeMap<Place, Kept>,
    file: RefCell<fs::File>,
    path: PathBuf,
    stopped: RefCell<Option<String>>,
}

impl Journal {
    /// Begins a new one; an older one of that name is lost.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(path: &Path, header: &Header) -> Result<Self, HostError> {
        files::write_atomically(path, header.to_line().as_bytes())?;
        Self::open(path, BTreeMap::new())
    }

    /// Goes on with one, once its header is found to be of the same run.
    ///
    /// # Errors
    /// When it cannot be read or written; names the line that is wrong.
    pub fn resume(
        path: &Path,
        is_same: impl FnOnce(&Header) -> Result<(), HostError>,
    ) -> Result<Self, HostError> {
        let (header, kept) = read(path)?;
        is_same(&header)?;
        // Without a line that was being written when the run ended.
        let bytes = files::read(path)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        files::write_atomically(path, &bytes[..whole])?;
        Self::open(path, kept)
    }

    fn open(path: &Path, kept: BTreeMap<Place, Kept>) -> Result<Self, HostError> {
        let file = fs::OpenOptions::new().append(true).open(path)?;
        let (file, path) = (RefCell::new(file), path.to_owned());
        Ok(Self { kept, file, path, stopped: RefCell::default() })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends the run as an interruption does, for a file that could not be used: on a full disk, the measured rounds
    /// are worth more than the error alone.
    pub fn stop(&self, error: &std::io::Error) {
        *self.stopped.borrow_mut() = Some(error.to_string());
        interrupt::stop();
    }

    /// Why the run was ended, if a file could not be used.
    pub fn stopped(&self) -> Option<String> {
        self.stopped.borrow().clone()
    }

    /// The number of turns that were kept from an earlier run.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    pub(crate) fn kept(&self, part: &str, key: &BenchmarkKey, turn: &Turn) -> Option<&Kept> {
        self.kept.get(&(part.to_owned(), key.clone(), turn.stage, turn.pair))
    }

    /// The number of turns of the first stage that were kept of a benchmark.
    pub(crate) fn kept_of(&self, part: &str, key: &BenchmarkKey) -> usize {
        let place = |pair| (part.to_owned(), key.clone(), Stage::Screening, pair);
        self.kept.range(place(0)..=place(u32::MAX)).count()
    }

    pub(crate) fn add(
        &self,
        part: &str,
        key: &BenchmarkKey,
        turn: &Turn,
        kept: &Kept,
    ) -> Result<(), HostError> {
        let Some(entry) = Entry::of(part, key, turn, kept) else { return Ok(()) };
        // In one call: what is torn by a full disk is the last line.
        Ok(self.file.borrow_mut().write_all(entry.to_line().as_bytes())?)
    }
}

/// The header of a journal.
///
/// # Errors
/// When it cannot be read; names the line that is wrong.
pub fn header(path: &Path) -> Result<Header, HostError> {
    read(path).map(|(header, _)| header)
}

fn read(path: &Path) -> Result<(Header, BTreeMap<Place, Kept>), HostError> {
    let bytes = files::read(path)?;
    journal::read(&String::from_utf8_lossy(&bytes)).map_err(|error| HostError::format(path, error))
}
