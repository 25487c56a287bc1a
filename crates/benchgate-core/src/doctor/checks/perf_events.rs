//! Who may use the CPU's counters, and whether there are some.

use super::{Check, Facts, Observation};
use crate::doctor::CpuCounting;

const FILE: &str = "/proc/sys/kernel/perf_event_paranoid";

pub(super) const CHECK: Check = Check {
    name: "perf-events",
    reads: &[FILE],
    why: "what the CPU counts while a slowdown is confirmed is evidence; the gate does not need it",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let level = facts.text(FILE).and_then(|text| text.parse::<i32>().ok());
    match (&facts.counters, level) {
        (Some(CpuCounting::Works), _) => Observation::ok("cycles and instructions are counted"),
        (Some(CpuCounting::Missing(reason)), _) => Observation::advice(
            format!("the machine counts no cycles and instructions: {reason}"),
            "give the virtual machine performance counters (a PMU), where it is one",
        ),
        (_, Some(level @ 3..)) => Observation::advice(
            format!("perf_event_paranoid is {level}: not for users"),
            "sudo sysctl kernel.perf_event_paranoid=2",
        ),
        (Some(CpuCounting::Refused(reason)), _) => Observation::advice(
            format!("perf_event_open is refused: {reason}"),
            "allow it in the seccomp profile of the container, where there is one",
        ),
        (None, Some(level)) => Observation::ok(format!("perf_event_paranoid is {level}")),
        (None, None) => Observation::unknown("not reported by the system"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_answers_counts_more_than_its_setting() {
        let reason = || "why".to_owned();
        let cases = [
            (Some(CpuCounting::Works), "4"),
            (Some(CpuCounting::Missing(reason())), "2"),
            (Some(CpuCounting::Refused(reason())), "2"),
            (Some(CpuCounting::Refused(reason())), "4"),
            (None, "4"),
            (None, "2"),
            (None, ""),
        ];
        let lines = cases.map(|(counters, level)| {
            let mut facts = Facts { counters, ..Facts::default() };
            facts.insert(FILE, level);
            let Observation { state, found, fix } = judge(&facts);
            format!("{state:?}: {found} ({fix})\n")
        });
        insta::assert_snapshot!(lines.concat(), @"
        Ok: cycles and instructions are counted ()
        Advice: the machine counts no cycles and instructions: why (give the virtual machine performance counters (a PMU), where it is one)
        Advice: perf_event_open is refused: why (allow it in the seccomp profile of the container, where there is one)
        Advice: perf_event_paranoid is 4: not for users (sudo sysctl kernel.perf_event_paranoid=2)
        Advice: perf_event_paranoid is 4: not for users (sudo sysctl kernel.perf_event_paranoid=2)
        Ok: perf_event_paranoid is 2 ()
        Unknown: not reported by the system ()
        ");
    }
}
