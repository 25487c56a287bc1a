//! Whether the kernel can isolate the measured code from everything else.

use super::{Check, Facts, Observation};
use crate::model::{SandboxReport, SandboxState};

pub(super) const CHECK: Check = Check {
    name: "sandbox",
    reads: &[],
    why: "builds and benches are code of a pull request: Landlock keeps them from the gate's own files, seccomp from \
          other processes",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let Some(version) = facts.landlock else {
        return Observation::unknown("only the running kernel can say");
    };
    let report = SandboxReport::of(version, facts.has_filter);
    let fix = match facts.has_filter {
        true => {
            "boot Linux 6.12 or later, with landlock in lsm= of the kernel's command line where that is set"
        }
        false => {
            "boot Linux 6.12 or later with seccomp, and let the container's runtime allow the call `seccomp`"
        }
    };
    match report.state {
        SandboxState::Active => Observation::ok(format!("active (Landlock {version}, seccomp)")),
        SandboxState::Partial | SandboxState::Inactive => Observation::advice(report.words(), fix),
    }
}
