//! Counts of instructions, kept between runs by what was counted: a base that was counted is not counted again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::evidence::instructions;
use crate::harness::Suite;
use crate::system::files;
use crate::{Availability, HostError};

const SCHEMA: &str = "benchgate.instructions/1";

/// Maximum number of counts that are kept.
const MOST: usize = 4_000;

/// A folder of counts.
#[derive(Clone, Debug)]
pub struct InstructionStore {
    folder: PathBuf,
    /// What `valgrind --version` says; empty if there is none.
    valgrind: String,
    /// SHA-256 of the executables that were asked for: one has many benchmarks.
    digests: RefCell<BTreeMap<PathBuf, String>>,
}

/// A count, and everything that it depends on.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    schema: String,
    /// The commit, whose files a bench may read.
    commit: String,
    /// SHA-256 of the executable.
    executable: String,
    id: String,
    valgrind: String,
    instructions: u64,
}

impl Record {
    fn name(&self) -> String {
        let all = [&self.commit, &self.executable, &self.id, &self.valgrind];
        let digest = files::digest_of(serde_json::json!(all).to_string().as_bytes());
        format!("{}.json", &digest[..32])
    }
}

impl InstructionStore {
    /// The store below the user's folder for what can be made again.
    pub fn below(cache: &Path) -> Self {
        let version = Command::new("valgrind").arg("--version").output();
        let valgrind = version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
        let folder = cache.join("benchgate").join("instructions");
        Self { folder, valgrind: valgrind.unwrap_or_default(), digests: RefCell::default() }
    }

    /// The instructions of one iteration of a benchmark of a commit, as they were counted before, or counted now.
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used.
    pub fn count(
        &self,
        commit: &str,
        suite: &dyn Suite,
        id: &str,
        timeout: Duration,
        scratch: &Path,
    ) -> Result<Availability<u64>, HostError> {
        let mut record = Record {
            schema: SCHEMA.to_owned(),
            commit: commit.to_owned(),
            executable: self.digest(&suite.executable().path)?,
            id: id.to_owned(),
            valgrind: self.valgrind.clone(),
            instructions: 0,
        };
        if let Some(instructions) = self.kept(&record) {
            return Ok(Availability::Available(instructions));
        }
        let counted = instructions::count(suite, id, timeout, scratch)?;
        if let Availability::Available(instructions) = counted {
            record.instructions = instructions;
            self.keep(&record);
        }
        Ok(counted)
    }

    fn digest(&self, executable: &Path) -> Result<String, HostError> {
        if let Some(digest) = self.digests.borrow().get(executable) {
            return Ok(digest.clone());
        }
        let digest = files::digest(executable)?;
        self.digests.borrow_mut().insert(executable.to_owned(), digest.clone());
        Ok(digest)
    }

    fn kept(&self, wanted: &Record) -> Option<u64> {
        let bytes = files::read_written(&self.folder.join(wanted.name())).ok()?;
        let record: Record = serde_json::from_slice(&bytes).ok()?;
        let instructions = record.instructions;
        let is_it = Record { instructions: 0, ..record } == *wanted;
        (is_it && instructions > 0).then_some(instructions)
    }

    /// Keeps a count. Where that is not possible, it is counted again the next time.
    fn keep(&self, record: &Record) {
        if let Ok(text) = serde_json::to_vec(record) {
            let _ = fs::create_dir_all(&self.folder);
            let _ = files::write_atomically(&self.folder.join(record.name()), &text);
        }
    }

    /// Removes the oldest counts beyond the number that is kept.
    pub fn prune(&self) {
        self.prune_to(MOST);
    }

    /// Removes all counts; returns how many there were.
    pub fn clear(&self) -> usize {
        self.prune_to(0)
    }

    /// How many counts are kept, and their bytes.
    pub fn size(&self) -> (usize, u64) {
        let sizes: Vec<u64> = self.entries().map(|(_, bytes, _)| bytes).collect();
        (sizes.len(), sizes.iter().sum())
    }

    fn prune_to(&self, most: usize) -> usize {
        let mut entries: Vec<_> = self.entries().collect();
        entries.sort();
        let oldest = entries.iter().rev().skip(most);
        oldest.filter(|(_, _, path)| fs::remove_file(path).is_ok()).count()
    }

    /// When each was written, its bytes and its path.
    fn entries(&self) -> impl Iterator<Item = (SystemTime, u64, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Some((modified, metadata.len(), entry.path()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str) -> Record {
        let [commit, executable, valgrind] = ["c0", "e1", "valgrind-3.22.0"].map(str::to_owned);
        let schema = SCHEMA.to_owned();
        Record { schema, commit, executable, id: id.to_owned(), valgrind, instructions: 0 }
    }

    #[test]
    fn the_oldest_counts_are_removed_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = InstructionStore {
            folder: folder.path().to_owned(),
            valgrind: String::new(),
            digests: RefCell::default(),
        };
        for (age, id) in [(3_000, "old"), (2_000, "middle"), (1_000, "new")] {
            store.keep(&Record { instructions: 7, ..record(id) });
            let written = SystemTime::now() - Duration::from_secs(age);
            let file = fs::File::options().append(true).open(folder.path().join(record(id).name()));
            file.unwrap().file().set_modified(written).unwrap();
        }
        assert_eq!(store.prune_to(2), 1);
        assert_eq!(
            ["old", "middle", "new"].map(|id| store.kept(&record(id)).is_some()),
            [false, true, true]
        );
        assert_eq!((store.size().0, store.clear(), store.size()), (2, 2, (0, 0)));
    }

    #[test]
    fn a_count_is_kept_for_what_was_counted_and_a_damaged_one_is_counted_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = InstructionStore {
            folder: folder.path().join("counts"),
            valgrind: String::new(),
            digests: RefCell::default(),
        };
        assert_eq!(store.kept(&record("a")), None);
        store.keep(&Record { instructions: 7, ..record("a") });
        assert_eq!(store.kept(&record("a")), Some(7));
        let different = [
            record("b"),
            Record { commit: "c1".to_owned(), ..record("a") },
            Record { executable: "e2".to_owned(), ..record("a") },
            Record { valgrind: "valgrind-3.23.0".to_owned(), ..record("a") },
        ];
        assert_eq!(different.map(|other| store.kept(&other)), [None; 4]);
        let path = store.folder.join(record("a").name());
        for damaged in ["{", "{}", &fs::read_to_string(&path).unwrap().replace(":7", ":0")] {
            fs::write(&path, damaged).unwrap();
            assert_eq!(store.kept(&record("a")), None, "{damaged}");
        }
        // Of another benchmark, under this one's name.
        let other = serde_json::to_vec(&Record { instructions: 9, ..record("b") }).unwrap();
        fs::write(&path, other).unwrap();
        assert_eq!(store.kept(&record("a")), None);
    }
}
