//! Screening pairs run copies of the executables in turn, at the path of the built executable.
//!
//! Where the pages of a file lie in memory can make a benchmark a tenth faster or slower for as long as they lie there. With
//! one file a side that passes for a change, or hides one, in every pair of a run; with a copy for each pair the pairs
//! scatter by it, and the bounds see it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use benchgate_core::model::{Side, SuiteKey};
use fs_err as fs;

use crate::HostError;
use crate::system::files;

/// The copies of a suite take no more than this on each side, unless they are [`FEWEST`].
const MOST_BYTES: u64 = 256 << 20;

const FEWEST: u64 = 4;

const MOST: u64 = 30;

/// The copies of the suites of both sides, each made for the first pair that needs it.
pub(super) struct Copies {
    folder: PathBuf,
    numbers: RefCell<BTreeMap<(Side, SuiteKey), u64>>,
}

impl Copies {
    /// None yet, below this folder.
    pub(super) fn below(folder: &Path) -> Self {
        Self { folder: folder.join("copies"), numbers: RefCell::default() }
    }

    /// Puts the copy of this pair in place of an executable.
    pub(super) fn place(
        &self,
        side: Side,
        suite: &SuiteKey,
        executable: &Path,
        pair: u32,
    ) -> Result<(), HostError> {
        let mut numbers = self.numbers.borrow_mut();
        let number = match numbers.get(&(side, suite.clone())) {
            Some(number) => *number,
            None => {
                let bytes = fs::metadata(executable)?.len();
                let number = (MOST_BYTES / bytes.max(1)).clamp(FEWEST, MOST);
                *numbers.entry((side, suite.clone())).or_insert(number)
            }
        };
        let folder = self.folder.join(side.name()).join(suite.to_string());
        let copy = folder.join((u64::from(pair) % number).to_string());
        if !copy.exists() {
            fs::create_dir_all(&folder)?;
            let making = folder.join("making");
            fs::copy(executable, &making)?;
            fs::rename(&making, &copy)?;
        }
        // The same file under a second name, which takes the place of the other one.
        let next = folder.join("next");
        files::remove_file(&next)?;
        fs::hard_link(&copy, &next)?;
        Ok(fs::rename(&next, executable)?)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    #[test]
    fn every_pair_has_another_file_of_the_same_content_until_they_come_again() {
        let folder = tempfile::tempdir().unwrap();
        let executable = folder.path().join("p.speed");
        fs::write(&executable, "the code").unwrap();
        let copies = Copies::below(folder.path());
        let suite = SuiteKey::new("p", "speed");
        let mut inodes = Vec::new();
        for pair in 0..u32::try_from(MOST).unwrap() + 2 {
            copies.place(Side::Base, &suite, &executable, pair).unwrap();
            assert_eq!(fs::read_to_string(&executable).unwrap(), "the code");
            inodes.push(fs::metadata(&executable).unwrap().ino());
        }
        let distinct: std::collections::BTreeSet<_> = inodes.iter().collect();
        assert_eq!(distinct.len() as u64, MOST);
        assert_eq!(inodes[..2], inodes[inodes.len() - 2..]);
    }

    #[test]
    fn a_large_executable_has_few_copies() {
        let folder = tempfile::tempdir().unwrap();
        let executable = folder.path().join("p.speed");
        let file = fs::File::create(&executable).unwrap();
        file.file().set_len(MOST_BYTES / 2).unwrap();
        let copies = Copies::below(folder.path());
        let suite = SuiteKey::new("p", "speed");
        for pair in 0..6 {
            copies.place(Side::Head, &suite, &executable, pair).unwrap();
        }
        let made = fs::read_dir(folder.path().join("copies/head/p.speed")).unwrap().count();
        assert_eq!(made as u64, FEWEST);
    }
}
