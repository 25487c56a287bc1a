//! Whether builds and measurements were isolated from everything else on the machine.

use serde::{Deserialize, Serialize};

/// The first version of Landlock that builds work under: the one before denies every move of a file to another
/// folder, which compilers do.
const USABLE: u32 = 2;

/// The version of Landlock that restricts TCP, which a filter of system calls does too.
const TCP: u32 = 4;

/// Later versions, each with a clause for people on the restriction that is missing without it.
const ADDED: [(u32, &str); 4] = [
    (3, "files can be emptied that may not be written"),
    (TCP, "TCP is not restricted"),
    (5, "settings of devices can be changed"),
    (6, "signals to other processes are not restricted"),
];

/// What is missing where the kernel does not filter system calls.
const WITHOUT_FILTER: &str = "limits, priorities and processors of other processes, sockets other than TCP's and System V \
    memory are not restricted (seccomp is missing or refused)";

/// Whether there was a sandbox; the weaker, the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SandboxState {
    /// All that benchgate restricts was restricted.
    Active,
    /// The kernel does not know some of it.
    Partial,
    /// Nothing was restricted.
    Inactive,
}

impl SandboxState {
    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Partial => "partial",
            Self::Inactive => "inactive",
        }
    }
}

/// Whether there was a sandbox around builds and rounds, and why not all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SandboxReport {
    /// Whether there was one.
    pub state: SandboxState,
    /// The missing restrictions, or the reason why nothing is restricted; empty if it is active.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl SandboxReport {
    /// That of a system with this version of Landlock, 0 if it has none; `has_filter`: seccomp filters system calls.
    pub fn of(version: u32, has_filter: bool) -> Self {
        if version < USABLE {
            return Self::inactive(match version {
                0 => {
                    "this system has no Landlock (Linux 5.19 or later has it, unless it is switched off)"
                }
                _ => "the Landlock of this kernel is too old to build under (Linux 5.19 or later)",
            });
        }
        let is_missing = |since: u32| version < since && !(since == TCP && has_filter);
        let missing: Vec<&str> = ADDED
            .iter()
            .filter(|(since, _)| is_missing(*since))
            .map(|(_, what)| *what)
            .chain((!has_filter).then_some(WITHOUT_FILTER))
            .collect();
        let state = if missing.is_empty() { SandboxState::Active } else { SandboxState::Partial };
        Self { state, reason: missing.join(", ") }
    }

    /// A sandbox that the policy switches off.
    pub fn switched_off() -> Self {
        Self::inactive("benchgate.toml switches it off (`[sandbox] enabled = false`)")
    }

    /// None, for a reason.
    pub fn inactive(reason: impl Into<String>) -> Self {
        Self { state: SandboxState::Inactive, reason: reason.into() }
    }

    /// Whether anything is restricted.
    pub fn restricts(&self) -> bool {
        self.state != SandboxState::Inactive
    }

    /// State and reason in one line.
    pub fn words(&self) -> String {
        match self.reason.as_str() {
            "" => self.state.name().to_owned(),
            reason => format!("{}: {reason}", self.state.name()),
        }
    }

    /// Returns the notice for readers of a report; `None` if it is active.
    pub fn notice(&self) -> Option<String> {
        match self.state {
            SandboxState::Active => None,
            SandboxState::Partial => {
                Some(format!("the sandbox is active in part: {}", self.reason))
            }
            SandboxState::Inactive => Some(format!(
                "without a sandbox, what was built and measured could change files of the gate: {}",
                self.reason
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_of_landlock_restricts_more_until_nothing_is_missing() {
        let words = |has_filter| -> Vec<String> {
            (0..=7).map(|version| SandboxReport::of(version, has_filter).words()).collect()
        };
        insta::assert_snapshot!([words(true), words(false)].concat().join("\n"));
        assert_eq!(SandboxReport::of(6, true).notice(), None);
        for (version, has_filter) in [(5, true), (7, false)] {
            let notice = SandboxReport::of(version, has_filter).notice();
            assert!(notice.is_some_and(|it| it.contains("in part")), "{version}");
        }
        assert!(!SandboxReport::of(1, true).restricts());
        assert!(SandboxReport::switched_off().notice().is_some_and(|it| it.contains("enabled")));
    }
}
