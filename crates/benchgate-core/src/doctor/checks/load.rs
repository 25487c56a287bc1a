//! The load of other processes.

use super::{Check, Facts, Observation};

const FILE: &str = "/proc/loadavg";

pub(super) const CHECK: Check = Check {
    name: "load",
    reads: &[FILE],
    why: "other work takes caches, memory bandwidth and the CPU itself",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let load = facts
        .text(FILE)
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .filter(|load| load.is_finite());
    match load {
        None => Observation::unknown("not reported by the system"),
        Some(load) if load < 1.0 => Observation::ok(format!("{load:.2} in the last minute")),
        Some(load) => Observation::advice(
            format!("{load:.2} in the last minute"),
            format!("{LIST} shows which processes to stop or to wait for"),
        ),
    }
}

/// Lists what uses the processors most.
const LIST: &str = "ps -eo pcpu,user,comm --sort=-pcpu | head";

/// The share of the processors that others may use while benchmarks are measured: less is what a system does by itself.
const FEW: f64 = 0.05;

/// The notice of a report, if others used this number of processors on average while it measured.
pub fn while_measuring(others: f64, processors: usize) -> Option<String> {
    let is_much = others.is_finite() && others >= FEW * processors as f64;
    is_much.then(|| {
        format!(
            "other work used {others:.1} of {processors} processors while it was measured: values scatter more, and more \
             stays open; `{LIST}` shows what to stop or to wait for"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_work_is_named_from_a_twentieth_of_the_processors() {
        assert_eq!(while_measuring(0.09, 2), None);
        assert_eq!(while_measuring(f64::NAN, 2), None);
        insta::assert_snapshot!(
            while_measuring(1.34, 2).unwrap(),
            @"other work used 1.3 of 2 processors while it was measured: values scatter more, and more stays open; `ps -eo pcpu,user,comm --sort=-pcpu | head` shows what to stop or to wait for"
        );
    }
}
