//! What `benchgate init` writes into another repository.

use std::fmt::Write as _;

/// Stands where the user must name the repository that holds the action.
pub const PLACEHOLDER_REPOSITORY: &str = "OWNER/NAME";

/// Stands where the user must name a commit of that repository.
pub const PLACEHOLDER_SHA: &str = "FULL_COMMIT_SHA";

/// A `benchgate.toml` that says what holds without one, and names the suites that were found.
pub fn policy(suites: &[String]) -> String {
    let mut text = String::from(
        "# What this repository asks of its performance gate. What is commented out is the default.\n#\n",
    );
    if suites.is_empty() {
        text.push_str(
            "# No bench target with `harness = false` was found when this file was written.\n",
        );
    } else {
        text.push_str("# Bench targets when this file was written; `benchgate check` finds new ones by itself:\n");
        for suite in suites {
            let _ = writeln!(text, "#   {}", suite.replace(char::is_control, " "));
        }
    }
    text.push_str(
        r#"
[gate]
fail-on = "critical"    # proven slower than 10 %; or "warning" (5 %), or "note" (2 %)

# [[override]]
# benchmark = "parse/*"    # `*` stands for any characters
# critical = 20            # percent

# [[skip]]
# benchmark = "network/*"
# reason = "needs a server"

# [[rule]]
# benchmark = "decode/fast"
# share = 0.75
# of = "decode/plain"
# reason = "the promise of the README"
"#,
    );
    text
}

/// A workflow that measures pull requests on the self-hosted machine. It has no `if:` against forks:
/// GitHub counts a skipped job as passed, and the machine's own hook refuses them.
pub fn workflow(repository: Option<&str>, sha: Option<&str>) -> String {
    let repository = repository.unwrap_or(PLACEHOLDER_REPOSITORY);
    let sha = sha.unwrap_or(PLACEHOLDER_SHA);
    format!(
        r"# Red means proven slower, green means measured.
name: benchgate

on:
  pull_request:
  merge_group:
  push:
    branches: [main]

permissions: {{}}

concurrency:
  group: benchgate-${{{{ github.event.pull_request.number || github.sha }}}}
  cancel-in-progress: true

jobs:
  benchgate:
    name: benchgate
    runs-on: [self-hosted, linux, x64, manjaro, bench]
    timeout-minutes: 60
    permissions:
      contents: read # to check out
    steps:
      - uses: {repository}/.github/actions/benchgate@{sha}
        with:
          doctor: enforce # a machine that is not set up to measure does not
"
    )
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
        let text = policy(&["parser.speed".into(), "parser.allocations".into()]);
        insta::assert_snapshot!(text);
        assert_eq!(Policy::parse(&text).unwrap(), Policy::default());
        assert_eq!(Policy::parse(&policy(&[])).unwrap(), Policy::default());
        assert_eq!(Policy::parse(&policy(&["a\nb = 1".into()])).unwrap(), Policy::default());
    }

    #[test]
    fn what_is_commented_out_is_a_policy_too() {
        let text = policy(&[]);
        let (_, examples) = text.split_once("\n[gate]").unwrap();
        let examples = format!("[gate]{}", examples.replace("\n# ", "\n"));
        let policy = Policy::parse(&examples).unwrap();
        assert_eq!((policy.overrides.len(), policy.skips.len(), policy.rules.len()), (1, 1, 1));
    }

    #[test]
    fn the_workflow_shows_plainly_what_is_left_to_fill_in() {
        insta::assert_snapshot!(workflow(None, None));
        let sha = "0123456789abcdef0123456789abcdef01234567";
        let text = workflow(Some("acme/benchgate"), Some(sha));
        let step = format!("uses: acme/benchgate/.github/actions/benchgate@{sha}\n");
        assert!(text.contains(&step), "{text}");
    }

    #[test]
    fn a_repository_and_a_sha_are_what_github_takes() {
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
