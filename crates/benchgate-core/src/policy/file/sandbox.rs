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
    /// Whether they may use the network. Dependencies are downloaded before a build, and need no entry here.
    network: Option<bool>,
    /// Paths that they may read in addition: absolute, from the home folder (`~/…`) or a variable
    /// (`$NAME/…`), or relative to each side's checkout.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    read: Vec<Spanned<String>>,
    /// Paths that they may read and write in addition, likewise.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    write: Vec<Spanned<String>>,
    /// Variables that they get in addition, by name; a `*` at the end stands for all that begin so. Those whose name
    /// speaks of a secret, such as a token, have to be named in full.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    variables: Vec<Spanned<String>>,
}

/// Files, variables and network that one suite may reach in addition to those that all may.
#[derive(Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct ReachTable {
    /// Whether its build and its rounds may use the network.
    network: Option<bool>,
    /// Paths that they may read, as in `[sandbox]`.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    read: Vec<Spanned<String>>,
    /// Paths that they may read and write.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    write: Vec<Spanned<String>>,
    /// Variables that they get, as in `[sandbox]`.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    variables: Vec<Spanned<String>>,
}

impl SandboxTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Sandbox, PolicyError> {
        let Self { enabled, network, read, write, variables } = self;
        let reach = ReachTable { network, read, write, variables }.checked(check)?;
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
            variables: self
                .variables
                .into_iter()
                .map(|name| checked_variable(name, check))
                .collect::<Result<_, _>>()?,
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

fn checked_variable(name: Spanned<String>, check: &Check<'_>) -> Result<String, PolicyError> {
    let text = name.get_ref();
    let letters = text.strip_suffix('*').unwrap_or(text);
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if letters.is_empty() || !letters.bytes().all(is_of_name) {
        let message = format!(
            "invalid variable `{}`: expected a name of letters, digits and `_`, or the beginning of some and `*`",
            text.escape_debug()
        );
        return Err(check.error(&name.span(), &message));
    }
    Ok(name.into_inner())
}

#[cfg(test)]
mod tests {
    use crate::policy::{Policy, Reach, Sandbox};

    #[test]
    fn a_policy_says_what_builds_and_rounds_may_reach_in_addition() {
        let text = "[sandbox]\nnetwork = true\nread = [\"/srv/data\"]\nwrite = [\"~/scratch\", \"out\"]\n\
             variables = [\"DATABASE_URL\", \"TEST_*\"]";
        let reach = Reach {
            network: true,
            read: vec!["/srv/data".into()],
            write: vec!["~/scratch".into(), "out".into()],
            variables: vec!["DATABASE_URL".into(), "TEST_*".into()],
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

    #[test]
    fn a_variable_that_is_no_name_is_refused_by_its_line() {
        for name in ["", "*", "A=B", "*_DIR", "A B"] {
            let text = format!("[sandbox]\nvariables = [\n  \"OK\",\n  {name:?},\n]");
            let error = Policy::parse(&text).unwrap_err();
            assert_eq!(error.line, 4, "{name}: {error}");
        }
    }
}
