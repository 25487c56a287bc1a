//! The files of a machine that the checks read.

use std::collections::BTreeMap;

use wildmatch::WildMatch;

/// Files by their absolute path, and facts that are in no file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub(super) files: BTreeMap<String, String>,
    /// Bytes that are free where the gate builds.
    pub free_disk: Option<u64>,
    /// Whether the running kernel lets this user count cycles and instructions.
    pub counters: Option<CpuCounting>,
    /// The version of Landlock that the running kernel has; 0 for none.
    pub landlock: Option<u32>,
    /// Whether the running kernel filters system calls.
    pub has_filter: bool,
    /// Whether processors are kept from halting while the gate measures, or why not.
    pub awake: Option<Result<(), String>>,
}

/// Whether cycles and instructions are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CpuCounting {
    /// They are.
    Works,
    /// This user may not: the system's reason.
    Refused(String),
    /// The machine has no counters: the system's reason.
    Missing(String),
}

impl Facts {
    /// Adds a file's text. A file that exists but cannot be read has an empty one.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.files.insert(path.into(), text.into());
    }

    /// The text of a file, without the white space around it; `None` for a file that is missing or
    /// empty.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(|text| text.trim()).filter(|text| !text.is_empty())
    }

    /// Whether the file exists.
    pub fn exists(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The files that match a pattern, with their texts.
    pub fn matching(&self, pattern: &str) -> impl Iterator<Item = (&str, &str)> {
        let parts: Vec<String> = pattern.split('/').map(str::to_owned).collect();
        self.files.iter().filter_map(move |(path, text)| {
            let mut components = path.split('/');
            let fits = parts
                .iter()
                .all(|part| components.next().is_some_and(|name| component_matches(part, name)));
            (fits && components.next().is_none()).then_some((path.as_str(), text.trim()))
        })
    }

    /// The distinct texts of the files that match a pattern, and the number of files with each.
    pub fn values(&self, pattern: &str) -> BTreeMap<&str, usize> {
        let mut values = BTreeMap::new();
        for (_, text) in self.matching(pattern) {
            *values.entry(text).or_default() += 1;
        }
        values
    }
}

/// Whether one component of a path matches one of a pattern.
pub fn component_matches(pattern: &str, name: &str) -> bool {
    if pattern.contains('*') { WildMatch::new(pattern).matches(name) } else { pattern == name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_within_its_component() {
        let mut facts = Facts::default();
        for path in ["/sys/cpu0/freq/governor", "/sys/cpu1/freq/governor", "/sys/cpu/governor"] {
            facts.insert(path, "performance\n");
        }
        assert_eq!(facts.matching("/sys/cpu*/freq/governor").count(), 2);
        assert_eq!(facts.matching("/sys/cpu*").count(), 0);
        assert_eq!(facts.matching("/*/*/*/governor").count(), 2);
        assert_eq!(
            facts.values("/sys/cpu*/freq/governor").into_iter().collect::<Vec<_>>(),
            [("performance", 2)]
        );
    }

    #[test]
    fn an_empty_file_exists_and_has_no_text() {
        let mut facts = Facts::default();
        facts.insert("/etc/systemd/system/man-db.timer", "");
        assert!(facts.exists("/etc/systemd/system/man-db.timer"));
        assert_eq!(facts.text("/etc/systemd/system/man-db.timer"), None);
    }
}
