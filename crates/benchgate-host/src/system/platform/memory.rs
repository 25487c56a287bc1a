//! Memory that a process held, and that is available.

use std::fs;
use std::path::Path;

/// Most bytes that a process held at once, until now; `None` where it is not known.
pub(crate) fn peak_memory(process: u32) -> Option<u64> {
    field(&fs::read_to_string(format!("/proc/{process}/status")).ok()?, "VmHWM:")
}

/// Bytes that new processes may hold before the system, or the control group of this process, runs short of memory;
/// `None` where neither says.
pub(crate) fn available_memory() -> Option<u64> {
    let of_system = fs::read_to_string("/proc/meminfo").ok();
    let of_system = of_system.and_then(|text| field(&text, "MemAvailable:"));
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    // The limit of each group above counts, too.
    let folders = Path::new("/sys/fs/cgroup").join(own);
    let of_groups = folders.ancestors().take_while(|path| path.starts_with("/sys/fs/cgroup"));
    of_system.into_iter().chain(of_groups.filter_map(left_of_group)).min()
}

/// The limit of a control group without what its processes hold; caches that can be given up do not count.
fn left_of_group(folder: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let (most, held) = (number("memory.max")?, number("memory.current")?);
    let cached = read("memory.stat").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("inactive_file "))?;
        line.parse::<u64>().ok()
    });
    Some(most.saturating_sub(held.saturating_sub(cached.unwrap_or_default())))
}

/// A field in kB, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_this_process_touches_is_in_its_peak() {
        let before = peak_memory(std::process::id()).unwrap();
        let touched = vec![1_u8; 64 << 20];
        let after = peak_memory(std::process::id()).unwrap();
        assert!(std::hint::black_box(&touched).len() as u64 <= after);
        assert!(after >= before);
        assert!(available_memory().is_some_and(|bytes| bytes > 0));
    }

    #[test]
    fn a_group_has_what_its_processes_do_not_hold() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(left_of_group(folder.path()), None);
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!(left_of_group(folder.path()), None);
        write("memory.max", "1000\n");
        assert_eq!(left_of_group(folder.path()), Some(300));
        write("memory.stat", "anon 500\ninactive_file 200\n");
        assert_eq!(left_of_group(folder.path()), Some(500));
    }
}
