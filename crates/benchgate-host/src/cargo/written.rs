//! What a build writes into its checkout: nothing else says that a bench reads it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fs_err as fs;

use crate::HostError;
use crate::system::files;

/// The files of a checkout, as they were before a build.
pub(crate) struct Listing(BTreeMap<PathBuf, (Option<SystemTime>, u64)>);

impl Listing {
    /// Lists a checkout. git is not asked after a build: that may have written what git obeys.
    pub(crate) fn of(top: &Path) -> Result<Self, HostError> {
        let mut all = BTreeMap::new();
        let mut pending = vec![top.to_owned()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                if entry.file_name() == ".git" {
                    continue;
                }
                let (path, metadata) = (entry.path(), entry.metadata()?);
                if metadata.is_dir() {
                    pending.push(path);
                } else {
                    all.insert(path, (metadata.modified().ok(), metadata.len()));
                }
            }
        }
        Ok(Self(all))
    }

    /// The files that are new, other or gone since then, but for this one; by path from the top, with the SHA-256 of each.
    pub(crate) fn since(
        &self,
        top: &Path,
        but: &Path,
    ) -> Result<BTreeMap<String, Option<String>>, HostError> {
        let now = Self::of(top)?;
        let paths = self.0.keys().chain(now.0.keys());
        let other = paths.filter(|path| self.0.get(*path) != now.0.get(*path) && **path != *but);
        let written = other.map(|path| {
            let inside = path.strip_prefix(top).unwrap_or(path).to_string_lossy().into_owned();
            // Of what is no file, such as a link, only that it was written is known.
            let digest = files::read_written(path).ok().map(|bytes| files::digest_of(&bytes));
            (inside, digest)
        });
        Ok(written.collect())
    }
}

/// The first file that builds of two sides wrote differently.
pub(crate) fn difference<'a>(
    base: &'a BTreeMap<String, Option<String>>,
    head: &'a BTreeMap<String, Option<String>>,
) -> Option<&'a str> {
    let names = base.keys().chain(head.keys());
    let is_other = |name: &&String| {
        let [old, new] = [base, head].map(|side| side.get(*name).cloned().flatten());
        old.is_none() || old != new
    };
    names.into_iter().find(is_other).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_other_or_gone_was_written() {
        let top = tempfile::tempdir().unwrap();
        for name in ["same", "other", "gone", "lock"] {
            fs::write(top.path().join(name), "1").unwrap();
        }
        let before = Listing::of(top.path()).unwrap();
        fs::write(top.path().join("other"), "22").unwrap();
        fs::write(top.path().join("lock"), "22").unwrap();
        fs::remove_file(top.path().join("gone")).unwrap();
        fs::create_dir(top.path().join("new")).unwrap();
        fs::write(top.path().join("new/file"), "1").unwrap();
        let written = before.since(top.path(), &top.path().join("lock")).unwrap();
        assert_eq!(written.keys().collect::<Vec<_>>(), ["gone", "new/file", "other"]);
        let mut remaining = written.clone();
        remaining.remove("gone");
        assert_eq!(difference(&remaining, &remaining), None);
        assert_eq!(difference(&remaining, &BTreeMap::new()), Some("new/file"));
        // Of a file that is gone, or a link, nothing proves that it is the same.
        assert_eq!(difference(&written, &written), Some("gone"));
    }
}
