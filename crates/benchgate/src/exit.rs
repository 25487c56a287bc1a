//! Exit codes: an interface like any other.

use std::process::ExitCode;

use benchgate_core::model::Verdict;
use benchgate_host::HostError;

use crate::error::CommandError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing is proven slower; for other commands than a gate: done.
    Pass,
    /// A bug.
    Internal,
    /// The call or the policy is wrong.
    Usage,
    /// A regression is proven.
    Regression,
    /// Something could not be measured.
    Incomplete,
    /// Not proven either way.
    Inconclusive,
}

impl Exit {
    /// Every code, in the order of the table.
    pub(crate) const ALL: [Self; 6] = [
        Self::Pass,
        Self::Internal,
        Self::Usage,
        Self::Regression,
        Self::Incomplete,
        Self::Inconclusive,
    ];

    /// The number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Internal => 1,
            Self::Usage => 2,
            Self::Regression => 100,
            Self::Incomplete => 101,
            Self::Inconclusive => 102,
        }
    }

    /// What it means, as the help and the README say it.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Internal => "internal error (a bug)",
            Self::Usage => "usage or configuration error",
            Self::Regression => "regression proven",
            Self::Incomplete => {
                "could not measure (build failed, benchmark missing, corrupt baseline, crash, Ctrl-C)"
            }
            Self::Inconclusive => "inconclusive: neither a slowdown nor its absence is proven",
        }
    }

    /// The table for `--help`.
    pub(crate) fn table() -> String {
        let rows: Vec<String> = Self::ALL
            .iter()
            .map(|exit| format!("  {:>3}  {}", exit.code(), exit.meaning()))
            .collect();
        format!("Exit codes:\n{}", rows.join("\n"))
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Regression => Self::Regression,
            Verdict::Incomplete => Self::Incomplete,
            Verdict::Inconclusive => Self::Inconclusive,
        }
    }
}

impl From<&CommandError> for Exit {
    fn from(error: &CommandError) -> Self {
        match error {
            CommandError::Policy { .. } | CommandError::Records(_) => Self::Usage,
            CommandError::Unmeasured(_) => Self::Incomplete,
            CommandError::Host(error) => match error {
                HostError::Usage { .. } => Self::Usage,
                HostError::Interrupted
                | HostError::File(_)
                | HostError::Content { .. }
                | HostError::Start { .. }
                | HostError::Git { .. }
                | HostError::Cargo { .. }
                | HostError::Busy { .. } => Self::Incomplete,
            },
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_same_table() {
        let readme = include_str!("../../../README.md");
        for exit in Exit::ALL {
            let row = format!("| {} | {} |", exit.code(), exit.meaning());
            assert!(readme.contains(&row), "README.md lacks: {row}");
        }
    }

    #[test]
    fn the_readme_shows_what_a_red_run_prints() {
        let readme = include_str!("../../../README.md");
        let printed = include_str!(
            "../../benchgate-core/src/report/snapshots/\
             benchgate_core__report__terminal__tests__a_red_report_ends_with_the_verdict.snap"
        );
        let (_, printed) =
            printed.trim_start_matches("---\n").split_once("---\n").unwrap_or_default();
        let beginning: String = printed.split_inclusive('\n').take(12).collect();
        assert!(beginning.contains("regression: ") && readme.contains(&beginning), "{beginning}");
    }
}
