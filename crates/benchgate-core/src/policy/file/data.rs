//! Files that benches read and no commit has: `[data]`.

use serde::Deserialize;
use toml::Spanned;

use super::suites::inside;
use super::{Check, PolicyError};
use crate::policy::Data;

#[derive(Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct DataTable {
    /// Files and folders below the workspace's folder that no commit has: both sides read those of your checkout, and
    /// neither may write them.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    paths: Vec<Spanned<String>>,
    /// The command, as a list, that makes the paths which your checkout lacks: it runs once, in the checkout of
    /// the side that is built first.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<String>>"))]
    command: Option<Spanned<Vec<String>>>,
    /// Whether the command may use the network.
    network: bool,
}

impl DataTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Data, PolicyError> {
        let Self { paths, command, network } = self;
        if let Some(command) = &command
            && paths.is_empty()
            && !command.get_ref().is_empty()
        {
            let message =
                "`command` makes the `paths` of `[data]`, and there are none: name what it makes";
            return Err(check.error(&command.span(), message));
        }
        let paths = paths.into_iter().map(|path| inside(path, check)).collect::<Result<_, _>>()?;
        Ok(Data { paths, command: command.map(Spanned::into_inner).unwrap_or_default(), network })
    }
}

#[cfg(test)]
mod tests {
    use crate::policy::Policy;

    #[test]
    fn data_is_named_by_paths_of_the_checkout_and_a_command_makes_nothing_else() {
        let text =
            "[data]\npaths = [\"data/big.bin\"]\ncommand = [\"sh\", \"get.sh\"]\nnetwork = true";
        let data = Policy::parse(text).unwrap().data;
        assert_eq!(
            (&*data.paths[0], &*data.command[1], data.network),
            ("data/big.bin", "get.sh", true)
        );
        let wrong = [
            ("[data]\npaths = [\n  \"../x\",\n]", 3, "expected one inside the checkout"),
            ("[data]\ncommand = [\"x\"]", 2, "name what it makes"),
        ];
        for (text, line, message) in wrong {
            let error = Policy::parse(text).unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
