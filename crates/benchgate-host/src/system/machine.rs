//! The machine's fingerprint, from `/proc` and `/sys`. What a system does not report stays unknown.

use benchgate_core::adapters::kernel::{boost, field, kib, stepping, switch};
use benchgate_core::model::{Machine, slug};

use crate::HostError;

/// The machine that this runs on; `name` replaces the folder name derived from its hardware.
///
/// # Errors
/// When `name` is not a valid folder name.
pub fn fingerprint(name: Option<&str>) -> Result<Machine, HostError> {
    let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
    let cpu = field(&cpuinfo, "model name")
        .or_else(|| field(&cpuinfo, "CPU part").map(|part| format!("CPU part {part}")))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism()
        .map_or(0, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX));
    let memory_mib = memory_mib(&read("/proc/meminfo").unwrap_or_default());
    let proposed = slug(&format!("{cpu} {cores}c {}g", memory_mib.div_ceil(1024)));
    let name = match name {
        None => proposed,
        Some(name) if slug(name) == name && !name.is_empty() => name.to_owned(),
        Some(name) => {
            return Err(HostError::usage(
                format!("`{name}` cannot name a machine"),
                format!("use lower-case letters, digits, dots and dashes, such as `{proposed}`"),
            ));
        }
    };
    let system = read("/proc/sys/kernel/ostype").unwrap_or_else(|| std::env::consts::OS.to_owned());
    let release = read("/proc/sys/kernel/osrelease").unwrap_or_default();
    Ok(Machine {
        name,
        cpu,
        stepping: stepping(&cpuinfo),
        cores,
        microcode: field(&cpuinfo, "microcode"),
        kernel: format!("{} {}", system.trim(), release.trim()).trim().to_owned(),
        governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
            .map(|governor| governor.trim().to_owned()),
        boost: boost(
            read("/sys/devices/system/cpu/intel_pstate/no_turbo").as_deref(),
            read("/sys/devices/system/cpu/cpufreq/boost").as_deref(),
        ),
        smt: read("/sys/devices/system/cpu/smt/active").and_then(|text| switch(&text)),
        memory_mib,
    })
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn memory_mib(meminfo: &str) -> u64 {
    const STEP: u64 = 256;
    (kib(meminfo, "MemTotal").unwrap_or(0) / 1024 + STEP / 2) / STEP * STEP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_more_or_less_memory_at_the_next_boot_is_the_same_machine() {
        assert_eq!(memory_mib("MemTotal:       24688552 kB\n"), 24_064);
        assert_eq!(memory_mib("MemTotal:       24612000 kB\n"), 24_064);
        assert_eq!(memory_mib(""), 0);
    }

    #[test]
    fn the_name_of_a_machine_cannot_leave_its_folder() {
        assert!(fingerprint(Some("../x")).is_err());
        assert_eq!(fingerprint(Some("workshop-1")).unwrap().name, "workshop-1");
        assert!(!fingerprint(None).unwrap().name.is_empty());
    }
}
