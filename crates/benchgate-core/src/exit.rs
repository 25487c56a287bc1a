//! Exit codes: an interface like any other. Scripts have them from here, by `cargo xtask generate constants`.

use crate::model::Verdict;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
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
    pub const ALL: [Self; 6] = [
        Self::Pass,
        Self::Internal,
        Self::Usage,
        Self::Regression,
        Self::Incomplete,
        Self::Inconclusive,
    ];

    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Internal => 1,
            Self::Usage => 2,
            Self::Regression => 100,
            Self::Incomplete => 101,
            Self::Inconclusive => 102,
        }
    }

    /// The name in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Internal => "internal",
            Self::Usage => "usage",
            Self::Regression => "regression",
            Self::Incomplete => "incomplete",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// The meaning, as the help and the README state it.
    pub fn meaning(self) -> &'static str {
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
    pub fn table() -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_and_its_exit_have_one_name() {
        for verdict in Verdict::ALL {
            assert_eq!(Exit::from(verdict).name(), verdict.name());
        }
    }
}
