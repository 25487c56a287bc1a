//! What is outside of the checkout and may say which of its files a run reads: places that the policy allows, and what git
//! and cargo are configured by.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Place, Sandbox, places};
use crate::system::files;

/// The state of each place; `None` where it is not known.
pub(crate) type Places = BTreeMap<String, Option<String>>;

/// Maximum number of files and folders of a place.
const MOST: usize = 2_000;

/// Larger files are known by their size and time.
const LARGEST: u64 = 1 << 20;

impl Sandbox {
    /// What may lead a run to other files of its checkout and has no state that is known; `None` where nothing may.
    pub(crate) fn leads_elsewhere(&self) -> Option<&'static str> {
        if !self.restricts() {
            return Some(
                "without a sandbox, any file of the machine may say what it reads; what was observed counts too",
            );
        }
        self.access.has_network.then_some(
            "it has the network, which may say what it reads; what was observed counts too",
        )
    }

    /// The state of the places outside of the checkout that a run may read.
    pub(crate) fn places_outside(&self) -> Places {
        let named = self.reach.read.iter().chain(&self.reach.write);
        let named = named.filter_map(|path| match Place::of(path) {
            Place::Absolute(path) => Some(path),
            Place::InCheckout | Place::Nowhere => None,
        });
        let all: Vec<PathBuf> = match self.restricts() {
            true => named.chain(places::of_user()).collect(),
            false => Vec::new(),
        };
        all.into_iter().map(|path| (path.display().to_string(), state(&path))).collect()
    }
}

/// The state of a file or folder, and of what is in it.
pub(crate) fn state(place: &Path) -> Option<String> {
    let mut all = String::new();
    let mut left = vec![place.to_owned()];
    let mut number = 0_usize;
    while let Some(path) = left.pop() {
        number += 1;
        if number > MOST {
            return None;
        }
        // What a link leads to: that is read.
        let Ok(metadata) = path.metadata() else {
            all.push_str(&format!("{} is not there\n", path.display()));
            continue;
        };
        if metadata.is_dir() {
            let entries = std::fs::read_dir(&path).ok()?;
            let mut entries: Vec<PathBuf> =
                entries.map(|entry| Some(entry.ok()?.path())).collect::<Option<_>>()?;
            entries.sort();
            left.extend(entries);
        }
        let content = match metadata.is_file() && metadata.len() <= LARGEST {
            true => files::digest(&path).ok()?,
            false => {
                let since =
                    metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
                format!("{} {since:?}", metadata.len())
            }
        };
        // The time of a folder is that of what appeared in it last, which is listed.
        let content = if metadata.is_dir() { String::new() } else { content };
        all.push_str(&format!("{} {} {content}\n", path.display(), metadata.is_dir()));
    }
    Some(files::digest_of(all.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_another_state_with_another_file_and_none_that_is_known_with_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let of = || state(folder.path());
        let empty = of();
        std::fs::create_dir(folder.path().join("deep")).unwrap();
        std::fs::write(folder.path().join("deep/page"), "a").unwrap();
        let first = of();
        assert!(first.is_some() && first != empty);
        std::fs::write(folder.path().join("deep/page"), "b").unwrap();
        assert_ne!(of(), first);
        std::fs::write(folder.path().join("deep/page"), "a").unwrap();
        assert_eq!(of(), first);
        std::fs::rename(folder.path().join("deep/page"), folder.path().join("page")).unwrap();
        assert_ne!(of(), first);
        for number in 0..MOST {
            std::fs::write(folder.path().join(number.to_string()), "").unwrap();
        }
        assert_eq!(of(), None);
        assert!(state(&folder.path().join("none")).is_some());
    }

    #[test]
    fn without_a_sandbox_and_with_the_network_anything_may_lead_a_run() {
        assert!(Sandbox::default().leads_elsewhere().is_some_and(|it| it.contains("sandbox")));
        assert!(Sandbox::default().places_outside().is_empty());
    }
}
