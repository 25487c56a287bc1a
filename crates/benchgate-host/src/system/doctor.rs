//! Reads the files that the checks of `doctor` name. A missing file is omitted; an unreadable one has no
//! text.

use std::io::{ErrorKind, Read as _};
use std::path::Path;

use benchgate_core::doctor::{CHECKS, CpuCounting, Facts, component_matches};

use crate::system::awake::Awake;
use crate::system::platform;

/// Maximum number of bytes read from one file: `/proc/cpuinfo` of some hundred CPUs.
const MOST: u64 = 1 << 20;

/// Reads the files of a machine below a root folder; the free disk space is that of the folder that the
/// gate builds in.
pub fn facts(root: &Path, builds_in: &Path) -> Facts {
    let mut facts = Facts::default();
    for pattern in CHECKS.iter().flat_map(|check| check.reads) {
        let components: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        walk(root, String::new(), &components, &mut facts);
    }
    facts.free_disk = platform::free_disk(builds_in);
    facts.counters = (root == Path::new("/")).then(counting);
    facts.landlock = (root == Path::new("/")).then(platform::landlock_version);
    facts.awake = (root == Path::new("/")).then(|| Awake::refusal().map_or(Ok(()), Err));
    facts.has_filter = facts.landlock.is_some() && platform::can_filter();
    facts
}

fn counting() -> CpuCounting {
    match platform::can_count() {
        Ok(()) => CpuCounting::Works,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            CpuCounting::Refused(error.to_string())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            CpuCounting::Missing("it has no such events".to_owned())
        }
        Err(error) => CpuCounting::Missing(error.to_string()),
    }
}

/// Adds the files below `root` + `path` that match the rest of a pattern.
fn walk(root: &Path, path: String, rest: &[&str], facts: &mut Facts) {
    let Some((first, rest)) = rest.split_first() else {
        if let Some(text) = text(&root.join(path.trim_start_matches('/'))) {
            facts.insert(path, text);
        }
        return;
    };
    if !first.contains('*') {
        return walk(root, format!("{path}/{first}"), rest, facts);
    }
    let folder = root.join(path.trim_start_matches('/'));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if component_matches(first, &name) {
            walk(root, format!("{path}/{name}"), rest, facts);
        }
    }
}

fn text(path: &Path) -> Option<String> {
    // A dangling link, as of a unit that was removed, exists all the same.
    if path.symlink_metadata().ok()?.is_dir() {
        return None;
    }
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // The bytes before an error count.
        let _ = file.take(MOST).read_to_end(&mut bytes);
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn files_are_read_below_the_root_and_a_masked_unit_is_an_empty_one() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("proc/loadavg", "0.10 0.10 0.10 1/1 1\n");
        for cpu in 0..11 {
            let file = format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor");
            write(&file, "performance\n");
        }
        write("sys/devices/system/cpu/cpufreq/boost", "0\n");
        std::fs::create_dir_all(root.path().join("etc/systemd/system/timers.target.wants"))
            .unwrap();
        symlink("/dev/null", root.path().join("etc/systemd/system/man-db.timer")).unwrap();
        let wanted = "etc/systemd/system/timers.target.wants/gone.timer";
        symlink("/no/such/unit", root.path().join(wanted)).unwrap();

        let facts = facts(root.path(), root.path());
        assert_eq!(facts.text("/proc/loadavg"), Some("0.10 0.10 0.10 1/1 1"));
        let governors = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";
        assert_eq!(facts.values(governors).into_iter().collect::<Vec<_>>(), [("performance", 11)]);
        assert_eq!(facts.text("/sys/devices/system/cpu/cpufreq/boost"), Some("0"));
        assert!(facts.exists("/etc/systemd/system/man-db.timer"));
        assert_eq!(facts.text("/etc/systemd/system/man-db.timer"), None);
        assert!(facts.exists(&format!("/{wanted}")));
        assert!(!facts.exists("/proc/meminfo"));
        assert!(facts.free_disk.is_some());
    }

    #[test]
    fn this_machine_can_be_read() {
        let facts = facts(Path::new("/"), Path::new("."));
        assert!(facts.text("/proc/meminfo").is_some_and(|text| text.contains("MemAvailable")));
    }
}
