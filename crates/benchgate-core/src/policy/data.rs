//! Files that benches read and no commit has: `[data]`.

use serde::{Deserialize, Serialize};

use super::value::inside;

/// Files that both sides read, and neither writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Data {
    /// Files and folders below the workspace's folder that no commit has: both sides read those of your checkout, and
    /// neither may write them.
    #[serde(deserialize_with = "inside")]
    pub paths: Vec<String>,
    /// The command, as a list, that makes the paths which your checkout lacks: it runs once, in the checkout of
    /// the side that is built first.
    pub command: Vec<String>,
    /// Whether the command may use the network.
    pub network: bool,
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
