//! The files that `benchgate init` writes into another repository.

use std::fmt::Write as _;

/// Placeholder for the repository that holds the action.
pub const PLACEHOLDER_REPOSITORY: &str = "OWNER/NAME";

/// Placeholder for a commit of that repository.
pub const PLACEHOLDER_SHA: &str = "FULL_COMMIT_SHA";

/// The policy, with [`SUITES`] where the list of suites goes.
const POLICY: &str = include_str!("starter/benchgate.toml");

/// The line of the policy that the list of suites replaces.
const SUITES: &str = "# SUITES\n";

/// The workflow, with placeholders for the repository and the commit of the action.
const WORKFLOW: &str = include_str!("starter/workflow.yml");

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

/// A workflow that measures pull requests on the self-hosted machine. It has no `if:` against forks:
/// GitHub counts a skipped job as passed, and the machine's own hook refuses them.
pub fn workflow(repository: Option<&str>, sha: Option<&str>) -> String {
    WORKFLOW
        .replace(PLACEHOLDER_REPOSITORY, repository.unwrap_or(PLACEHOLDER_REPOSITORY))
        .replace(PLACEHOLDER_SHA, sha.unwrap_or(PLACEHOLDER_SHA))
}

/// Whether a text is `owner/name` as GitHub writes it.
pub fn is_repository(text: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    text.split_once('/').is_some_and(|(owner, name)| part(owner) && part(name))
}

/// Whether a text is a full commit SHA.
pub fn is_sha(text: &str) -> bool {
    text.len() == 40 && text.chars().all(|c| c.is_ascii_digit() || matches!(c, 'a'..='f'))
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

    #[test]
    fn the_workflow_has_visible_placeholders() {
        insta::assert_snapshot!(workflow(None, None));
        let sha = "0123456789abcdef0123456789abcdef01234567";
        let text = workflow(Some("acme/benchgate"), Some(sha));
        let step = format!("uses: acme/benchgate/.github/actions/benchgate@{sha}\n");
        assert!(text.contains(&step), "{text}");
    }

    #[test]
    fn a_repository_and_a_sha_have_the_form_that_github_accepts() {
        for (text, expected) in [
            ("a/b", true),
            ("a-b/c.d_e", true),
            ("a", false),
            ("a/b/c", false),
            ("a/ b", false),
            ("/b", false),
        ] {
            assert_eq!(is_repository(text), expected, "{text}");
        }
        assert!(is_sha("0123456789abcdef0123456789abcdef01234567"));
        for text in ["0123456", "v1", "0123456789ABCDEF0123456789abcdef01234567", ""] {
            assert!(!is_sha(text), "{text}");
        }
    }
}
