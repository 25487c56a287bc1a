//! Files and network that builds and rounds may reach: `[sandbox]`.

use serde::Deserialize;
use toml::Spanned;

use super::{Check, PolicyError};
use crate::policy::sandbox::{Reach, Sandbox};

#[derive(Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct SandboxTable {
    /// Whether builds and rounds are restricted, where the kernel has Landlock: true by default.
    enabled: Option<bool>,
    /// Whether they may use TCP. Dependencies are downloaded before a build, and need no entry here.
    network: Option<bool>,
    /// Paths that they may read in addition: absolute, from the home folder (`~/…`) or a variable
    /// (`$NAME/…`), or relative to each side's checkout.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    read: Vec<Spanned<String>>,
    /// Paths that they may read and write in addition, likewise.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    write: Vec<Spanned<String>>,
}

/// Files and network that one suite may reach in addition to those that all may.
#[derive(Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct ReachTable {
    /// Whether its build and its rounds may use TCP.
    network: Option<bool>,
    /// Paths that they may read, as in `[sandbox]`.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    read: Vec<Spanned<String>>,
    /// Paths that they may read and write.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    write: Vec<Spanned<String>>,
}

impl SandboxTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Sandbox, PolicyError> {
        let Self { enabled, network, read, write } = self;
        let reach = ReachTable { network, read, write }.checked(check)?;
        Ok(Sandbox { enabled: enabled.unwrap_or(true), reach })
    }
}

impl ReachTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Reach, PolicyError> {
        let paths = |paths: Vec<Spanned<String>>| -> Result<Vec<String>, PolicyError> {
            paths.into_iter().map(|path| checked_path(path, check)).collect()
        };
        Ok(Reach {
            network: self.network.unwrap_or(false),
            read: paths(self.read)?,
            write: paths(self.write)?,
        })
    }
}

fn checked_path(path: Spanned<String>, check: &Check<'_>) -> Result<String, PolicyError> {
    let text = path.get_ref();
    let of_another = text.starts_with('~') && !text.starts_with("~/");
    if text.is_empty()
        || of_another
        || text.contains('\0')
        || text.split('/').any(|part| part == "..")
    {
        let message = format!(
            "invalid path `{}`: expected an absolute one, `~/…`, `$NAME/…`, or one inside the checkout, without `..`",
            text.escape_debug()
        );
        return Err(check.error(&path.span(), &message));
    }
    Ok(path.into_inner())
}

#[cfg(test)]
mod tests {
    use crate::policy::{Policy, Reach, Sandbox};

    #[test]
    fn a_policy_says_what_builds_and_rounds_may_reach_in_addition() {
        let text =
            "[sandbox]\nnetwork = true\nread = [\"/srv/data\"]\nwrite = [\"~/scratch\", \"out\"]";
        let reach = Reach {
            network: true,
            read: vec!["/srv/data".into()],
            write: vec!["~/scratch".into(), "out".into()],
        };
        let expected = Sandbox { enabled: true, reach };
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
}
