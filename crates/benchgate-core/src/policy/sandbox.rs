//! The restrictions of builds and rounds, and the files, variables and network that they may reach: `[sandbox]`.

use serde::{Deserialize, Serialize};

use super::value::{paths, variables};

/// The restrictions of builds and rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Sandbox {
    /// Whether builds and rounds are restricted, where the kernel has Landlock.
    pub enabled: bool,
    /// Whether they may use the network. Dependencies are downloaded before a build, and need no entry here.
    pub network: bool,
    /// Paths that they may read in addition: absolute, from the home folder (`~/…`) or a variable
    /// (`$NAME/…`), or relative to each side's checkout.
    #[serde(deserialize_with = "paths")]
    pub read: Vec<String>,
    /// Paths that they may read and write in addition, likewise.
    #[serde(deserialize_with = "paths")]
    pub write: Vec<String>,
    /// Variables that they get in addition, by name; a `*` at the end stands for all that begin so. Those whose name
    /// speaks of a secret, such as a token, have to be named in full.
    #[serde(deserialize_with = "variables")]
    pub variables: Vec<String>,
}

/// Files, variables and network that builds and rounds may reach beyond those that every one needs; of one suite, in
/// addition to those that `[sandbox]` allows all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Reach {
    /// Whether they may use the network.
    pub network: bool,
    /// Paths that they may read, as in `[sandbox]`.
    #[serde(deserialize_with = "paths")]
    pub read: Vec<String>,
    /// Paths that they may read and write.
    #[serde(deserialize_with = "paths")]
    pub write: Vec<String>,
    /// Variables that they get beyond those that compilers and harnesses go by, as in `[sandbox]`.
    #[serde(deserialize_with = "variables")]
    pub variables: Vec<String>,
}

impl Sandbox {
    /// Returns what all of them may reach.
    pub fn reach(&self) -> Reach {
        let Self { enabled: _, network, read, write, variables } = self.clone();
        Reach { network, read, write, variables }
    }

    /// Allows only what another one allows too.
    pub(super) fn tighten(&mut self, other: &Self) {
        let mut reach = self.reach();
        reach.tighten(&other.reach());
        let (enabled, Reach { network, read, write, variables }) =
            (self.enabled || other.enabled, reach);
        *self = Self { enabled, network, read, write, variables };
    }
}

impl Reach {
    /// Allows only what another one allows too.
    pub(super) fn tighten(&mut self, other: &Self) {
        self.network &= other.network;
        self.read.retain(|path| other.read.contains(path));
        self.write.retain(|path| other.write.contains(path));
        self.variables.retain(|name| other.variables.contains(name));
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        let Reach { network, read, write, variables } = Reach::default();
        Self { enabled: true, network, read, write, variables }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    #[test]
    fn a_policy_says_what_builds_and_rounds_may_reach_in_addition() {
        let text = "[sandbox]\nnetwork = true\nread = [\"/srv/data\"]\nwrite = [\"~/scratch\", \"out\"]\n\
             variables = [\"DATABASE_URL\", \"TEST_*\"]";
        let expected = Sandbox {
            enabled: true,
            network: true,
            read: vec!["/srv/data".into()],
            write: vec!["~/scratch".into(), "out".into()],
            variables: vec!["DATABASE_URL".into(), "TEST_*".into()],
        };
        assert_eq!(Policy::parse(text).unwrap().sandbox, expected);
        assert!(!Policy::parse("[sandbox]\nenabled = false").unwrap().sandbox.enabled);
    }

    #[test]
    fn a_path_that_leaves_its_folder_is_refused_by_its_line() {
        for path in ["", "../other", "a/../../b", "~other/x"] {
            let text = format!("[sandbox]\nread = [\n  \"ok\",\n  {path:?},\n]");
            let error = Policy::parse(&text).unwrap_err();
            assert_eq!(error.line, 4, "{path}: {error}");
        }
    }

    #[test]
    fn a_variable_that_is_no_name_is_refused_by_its_line() {
        for name in ["", "*", "A=B", "*_DIR", "A B"] {
            let text = format!("[sandbox]\nvariables = [\n  \"OK\",\n  {name:?},\n]");
            let error = Policy::parse(&text).unwrap_err();
            assert_eq!(error.line, 4, "{name}: {error}");
        }
    }
}
