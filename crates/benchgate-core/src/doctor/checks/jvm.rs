//! Checks what a Java virtual machine derives from the limits of the machine.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const JAVA: [&str; 2] = ["/usr/bin/java", "/usr/local/bin/java"];
const CPU_INFO: &str = "/proc/cpuinfo";
const MEMORY_INFO: &str = "/proc/meminfo";
const CPU_MAX: &str = "/sys/fs/cgroup/cpu.max";
const MEMORY_MAX: &str = "/sys/fs/cgroup/memory.max";

/// With less, or on one CPU, it chooses the serial collector: a machine of its class "server" has so much.
const SERVER_KIB: u64 = 1792 * 1024;

/// Settings that say what it would otherwise take from the limits.
const FIX: &str =
    "say it in @Fork(jvmArgsAppend = …): -XX:+UseSerialGC -XX:ActiveProcessorCount=2 -Xms1g -Xmx1g";

pub(super) const CHECK: Check = Check {
    name: "jvm",
    reads: &[JAVA[0], JAVA[1], CPU_INFO, MEMORY_INFO, CPU_MAX, MEMORY_MAX],
    why: "a Java virtual machine takes its collector and its threads from the CPUs and the memory that it may use",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    if !JAVA.iter().any(|path| facts.exists(path)) {
        return Observation::ok("no java: no suite runs on one");
    }
    let cpus = facts.text(CPU_INFO).map_or(0, |text| parse::fields(text, "processor").count());
    let total = facts.text(MEMORY_INFO).and_then(|text| parse::kib(text, "MemTotal"));
    let (Some(total), 1..) = (total, cpus) else {
        return Observation::unknown("not reported by the system");
    };
    if let Some(allowed) = facts.text(CPU_MAX).and_then(quota) {
        let state =
            format!("{cpus} CPUs, of which it counts {allowed}, by the control group's limit");
        return Observation::advice(state, FIX);
    }
    let limit = facts.text(MEMORY_MAX).and_then(|text| text.parse::<u64>().ok());
    let memory = limit.map_or(total, |bytes| total.min(bytes / 1024));
    let state = format!("{cpus} CPUs, {}", parse::gib(memory));
    if cpus < 2 || memory < SERVER_KIB {
        let state =
            format!("{state}: the serial collector, and compiling takes the CPU of the benchmark");
        return Observation::advice(state, FIX);
    }
    if limit.is_some_and(|bytes| bytes / 1024 < total) {
        let state = format!("{state}, by the control group's limit: a quarter of it is the heap");
        return Observation::advice(state, FIX);
    }
    Observation::ok(state)
}

/// CPUs that a quota allows, as the virtual machine counts them: a part of one is one.
fn quota(text: &str) -> Option<u64> {
    let (quota, period) = text.split_once(' ')?;
    let (quota, period) = (quota.parse::<u64>().ok()?, period.parse::<u64>().ok()?);
    (period > 0).then(|| quota.div_ceil(period))
}
