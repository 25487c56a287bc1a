//! The files that `benchgate init` writes into another repository.

mod workflows;

use std::fmt::Write as _;

pub use workflows::{
    Guests, HOSTED, LABELS, Workflows, is_hosted, is_labels, is_plain_path, is_repository, is_sha,
    own_repository, settings_of,
};

/// The policy, with [`SUITES`] where the list of suites goes.
const POLICY: &str = include_str!("starter/benchgate.toml");

/// The line of the policy that the list of suites replaces.
const SUITES: &str = "# SUITES\n";

/// A `benchgate.toml` that changes no default, with the names of the suites that were found. `schema` is the path of
/// its JSON schema, relative to it: the first line leads editors there.
pub fn policy(suites: &[String], schema: Option<&str>) -> String {
    let mut list = String::new();
    if suites.is_empty() {
        list.push_str(
            "# No bench target with `harness = false` was found when this file was written.\n",
        );
    } else {
        list.push_str(
            "# Bench targets when this file was written; `benchgate check` finds new ones itself:\n",
        );
        for suite in suites {
            let _ = writeln!(list, "#   {}", suite.replace(char::is_control, " "));
        }
    }
    let policy = POLICY.replacen(SUITES, &list, 1);
    match schema {
        Some(path) => format!("#:schema {}\n{policy}", path.replace(char::is_control, " ")),
        None => policy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    #[test]
    fn the_policy_names_the_suites_and_changes_nothing() {
        let text = policy(
            &["parser.speed".into(), "parser.allocations".into()],
            Some("./target/benchgate/policy.schema.json"),
        );
        insta::assert_snapshot!(text);
        assert_eq!(Policy::parse(&text).unwrap(), Policy::default());
        assert_eq!(Policy::parse(&policy(&[], None)).unwrap(), Policy::default());
        assert_eq!(
            Policy::parse(&policy(&["a\nb = 1".into()], Some("a\nb = 1"))).unwrap(),
            Policy::default()
        );
    }

    #[test]
    fn the_commented_examples_are_a_valid_policy() {
        let text = policy(&[], None);
        let (_, examples) = text.split_once("\n[gate]").unwrap();
        let examples = format!("[gate]{}", examples.replace("\n# ", "\n"));
        let policy = Policy::parse(&examples).unwrap();
        assert_eq!((policy.overrides.len(), policy.skips.len(), policy.rules.len()), (1, 1, 1));
    }
}
