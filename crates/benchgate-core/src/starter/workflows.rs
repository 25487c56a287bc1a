//! The workflows that `benchgate init --workflows` writes.

/// Placeholder for the repository that holds the actions.
const PLACEHOLDER_REPOSITORY: &str = "OWNER/NAME";

/// `repository` of the workspace's manifest: where this program comes from, and its actions.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Placeholder for a commit of that repository.
const PLACEHOLDER_SHA: &str = "FULL_COMMIT_SHA";

/// Label of a machine that GitHub hosts.
pub const HOSTED: &str = "ubuntu-24.04";

/// Labels of a machine of one's own, as `scripts/runner/setup-manjaro.sh` registers it.
pub const LABELS: &str = "self-hosted,linux,x64,manjaro,bench";

/// Path in the repository, and text with placeholders.
const FILES: [(&str, &str); 5] = [
    (".github/workflows/benchgate.yml", include_str!("workflows/bench.yml")),
    (".github/workflows/benchgate-report.yml", include_str!("workflows/report.yml")),
    (".github/workflows/benchgate-baseline.yml", include_str!("workflows/baseline.yml")),
    (".github/workflows/benchgate-anchor.yml", include_str!("workflows/anchor.yml")),
    (".github/workflows/benchgate-bisect.yml", include_str!("workflows/bisect.yml")),
];

/// The values that the workflows of one repository are filled in with.
#[derive(Debug, Clone, Copy)]
pub struct Workflows<'a> {
    /// Repository that holds the actions, as `owner/name`.
    pub action_repository: &'a str,
    /// Full commit SHA of it.
    pub action_sha: &'a str,
    /// Version of benchgate at that commit, for people and for tools that propose updates.
    pub version: &'a str,
    /// Name of the default branch.
    pub default_branch: &'a str,
    /// Folder of the Cargo workspace inside the repository, `.` for the repository itself.
    pub workspace: &'a str,
    /// Labels of the runner, separated by commas.
    pub labels: &'a str,
}

/// Whether pull requests of forks and of bots are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guests {
    /// Forks are measured on machines that GitHub hosts, and refused elsewhere.
    pub forks: bool,
    /// Bots' pull requests are measured at once, not only after somebody has run them again.
    pub bots: bool,
}

impl Guests {
    /// Both are measured on a machine that GitHub hosts and gives to one job alone, and on no other.
    pub fn of_labels(labels: &str) -> Self {
        let is_hosted = is_hosted(labels);
        Self { forks: is_hosted, bots: is_hosted }
    }

    /// The labels of a workflow that was written before, if it has them.
    pub fn of_workflow(workflow: &str, otherwise: Self) -> Self {
        let value = |key: &str| {
            let value = workflow.lines().find_map(|line| line.trim().strip_prefix(key))?;
            // What people write after it, and around it.
            let word = value.split_once(" #").map_or(value, |(word, _)| word).trim();
            Some(word.trim_matches(['"', '\'']))
        };
        let either = |key: &str, yes: &str, otherwise: bool| match value(key) {
            Some("refuse") => false,
            Some(found) if found == yes => true,
            _ => otherwise,
        };
        Self {
            forks: either("forks:", FORKS, otherwise.forks),
            bots: either("bots:", BOTS, otherwise.bots),
        }
    }
}

/// Value of the input `forks` that measures them on hosted machines.
const FORKS: &str = "auto";
/// Value of the input `bots` that measures them at once.
const BOTS: &str = "measure";
const REFUSE: &str = "refuse";

/// What keeps a bot's pull request from a machine of one's own until somebody has run it again.
const BOTS_WAIT: &str = " &&
      (github.event.pull_request.user.type != 'Bot' ||
      github.run_attempt > 1 && !endsWith(github.triggering_actor, '[bot]'))
";

/// Whether a job with these labels runs on a machine that GitHub hosts. Only its own names are known to mean that:
/// `self-hosted` may be omitted for any other label, as for a scale set.
pub fn is_hosted(labels: &str) -> bool {
    labels.split(',').all(|label| {
        let version = label.trim().strip_prefix("ubuntu-").unwrap_or_default();
        let version = version.strip_suffix("-arm").unwrap_or(version);
        let is_number = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
        matches!(version, "latest" | "slim")
            || version
                .split_once('.')
                .is_some_and(|(year, month)| is_number(year) && is_number(month))
    })
}

impl Workflows<'_> {
    /// Path and text of each file, with what is the default for such a machine.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.files_for(Guests::of_labels(self.labels))
    }

    /// Path and text of each file.
    pub fn files_for(&self, guests: Guests) -> impl Iterator<Item = (&'static str, String)> {
        FILES.iter().map(move |&(path, text)| (path, self.filled_in(text, guests)))
    }

    fn filled_in(&self, text: &str, guests: Guests) -> String {
        let labels: Vec<&str> = self.labels.split(',').map(str::trim).collect();
        let is_own = !is_hosted(self.labels);
        // A hosted machine is never set up to measure: there the doctor only reports it.
        let doctor = if is_own { "enforce" } else { "report" };
        let mut filled = of_machine(text, is_own);
        if guests.bots {
            filled = filled.replace(BOTS_WAIT, "\n");
        }
        let forks = if guests.forks { FORKS } else { REFUSE };
        let bots = if guests.bots { BOTS } else { REFUSE };
        for (placeholder, value) in [
            ("forks: FORKS", &*format!("forks: {forks}")),
            ("bots: BOTS", &format!("bots: {bots}")),
            (PLACEHOLDER_REPOSITORY, self.action_repository),
            (PLACEHOLDER_SHA, self.action_sha),
            ("# VERSION", &format!("# v{}", self.version)),
            ("DEFAULT_BRANCH", self.default_branch),
            ("workspace: WORKSPACE", &format!("workspace: {}", self.workspace)),
            ("[RUNS_ON]", &format!("[{}]", labels.join(", "))),
            ("'DOCTOR'", &format!("'{doctor}'")),
        ] {
            filled = filled.replace(placeholder, value);
        }
        filled
    }
}

/// The lines for a machine of one's own or for a hosted one: those of only one of them are between two marks.
fn of_machine(text: &str, is_own: bool) -> String {
    let mut output = String::new();
    let mut left_out = false;
    for line in text.split_inclusive('\n').filter(|line| !is_of_a_generator(line)) {
        match line.trim() {
            "# OWN MACHINE" => left_out = !is_own,
            "# HOSTED" => left_out = is_own,
            "# END" => left_out = false,
            _ if left_out => {}
            _ => output.push_str(line),
        }
    }
    output
}

/// The repository and the commit that a written workflow takes its actions from, and the labels of its runner.
pub fn settings_of(workflow: &str) -> Option<(String, String, String)> {
    let (_, uses) = workflow.split_once("uses: ")?;
    let (repository, rest) = uses.split_once("/.github/actions/benchgate@")?;
    let sha: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    let (_, labels) = workflow.split_once("    runs-on: [")?;
    let (labels, _) = labels.split_once(']')?;
    let labels = labels.replace(' ', "");
    (is_repository(repository) && is_sha(&sha) && is_labels(&labels))
        .then(|| (repository.to_owned(), sha, labels))
}

/// Whether a line is about how a file of this repository is made.
fn is_of_a_generator(line: &str) -> bool {
    line.contains("`cargo xtask generate") || line.contains("# End of what is generated.")
}

/// The repository that this program comes from; `None` as long as its manifest names no owner.
pub fn own_repository() -> Option<&'static str> {
    of_github(REPOSITORY)
}

fn of_github(url: &str) -> Option<&str> {
    let name = url.strip_prefix("https://github.com/")?;
    (is_repository(name) && !name.starts_with("OWNER/")).then_some(name)
}

/// Whether a text is `owner/name` as GitHub writes it.
pub fn is_repository(text: &str) -> bool {
    text.split_once('/').is_some_and(|(owner, name)| is_plain(owner) && is_plain(name))
}

/// Whether a text is a full commit SHA.
pub fn is_sha(text: &str) -> bool {
    text.len() == 40 && text.chars().all(|c| c.is_ascii_digit() || matches!(c, 'a'..='f'))
}

/// Whether a text is a list of runner labels.
pub fn is_labels(text: &str) -> bool {
    text.split(',').all(|label| is_plain(label.trim()))
}

/// Whether a branch or folder can be written in YAML and in an expression as it is.
pub fn is_plain_path(text: &str) -> bool {
    text.split('/').all(is_plain)
}

fn is_plain(part: &str) -> bool {
    !part.is_empty()
        && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA: &str = "0123456789abcdef0123456789abcdef01234567";
    const OF: Workflows<'_> = Workflows {
        action_repository: "acme/benchgate",
        action_sha: SHA,
        version: "1.2.3",
        default_branch: "trunk",
        workspace: "engine",
        labels: LABELS,
    };

    #[test]
    fn the_workflows_hold_what_the_repository_is() {
        let text: Vec<String> =
            OF.files().map(|(path, text)| format!("### {path}\n{text}")).collect();
        insta::assert_snapshot!(text.join("\n"));
    }

    #[test]
    fn nothing_is_left_to_fill_in() {
        for (path, text) in OF.files() {
            for placeholder in [
                PLACEHOLDER_REPOSITORY,
                PLACEHOLDER_SHA,
                "VERSION",
                "DEFAULT_BRANCH",
                "WORKSPACE",
                "RUNS_ON",
                "DOCTOR'",
                "FORKS",
                "BOTS",
                "xtask",
                "# OWN MACHINE",
                "# HOSTED",
                "# END",
            ] {
                assert!(!text.contains(placeholder), "{path}: {placeholder}");
            }
        }
    }

    #[test]
    fn what_was_written_says_what_it_was_written_with() {
        for labels in [LABELS, HOSTED] {
            let (_, text) = Workflows { labels, ..OF }.files().next().unwrap();
            let settings = ("acme/benchgate".to_owned(), SHA.to_owned(), labels.to_owned());
            assert_eq!(settings_of(&text), Some(settings));
        }
        for text in ["", "uses: a/b/.github/actions/benchgate@v1 # v1\n    runs-on: [x]"] {
            assert_eq!(settings_of(text), None, "{text}");
        }
    }

    #[test]
    fn a_manifest_without_an_owner_names_no_repository() {
        assert_eq!(of_github("https://github.com/acme/benchgate"), Some("acme/benchgate"));
        for url in ["https://github.com/OWNER/benchgate", "https://example.com/acme/benchgate", ""]
        {
            assert_eq!(of_github(url), None, "{url}");
        }
    }

    #[test]
    fn forks_and_bots_are_measured_on_a_hosted_machine_and_refused_on_ones_own() {
        for (labels, expected, refused) in [
            (HOSTED, ["forks: auto", "bots: measure", "bases: cache"], "head.repo.full_name =="),
            (
                LABELS,
                ["forks: refuse", "bots: refuse", "head.repo.full_name == github.repository &&"],
                "bases: cache",
            ),
        ] {
            let of = Workflows { labels, ..OF };
            let text = of.files().next().unwrap().1;
            for expected in expected {
                assert!(text.contains(expected), "{labels}: {expected}: {text}");
            }
            assert!(!text.contains(refused), "{labels}: {refused}: {text}");
            let report = of.files().nth(1).unwrap().1;
            let count = if labels == HOSTED { 3 } else { 0 };
            assert_eq!(report.matches("forks: auto").count(), count);
        }
    }

    #[test]
    fn what_holds_for_forks_and_bots_is_no_variable_that_their_runs_are_not_given() {
        for labels in [HOSTED, LABELS] {
            for (path, text) in (Workflows { labels, ..OF }).files() {
                for name in ["vars.BENCHGATE_FORKS", "vars.BENCHGATE_BOTS"] {
                    assert!(!text.contains(name), "{path}: {name}");
                }
            }
        }
    }

    #[test]
    fn forks_and_bots_are_what_was_asked_for_and_an_update_keeps_it() {
        for (labels, forks, bots) in [
            (HOSTED, false, false),
            (HOSTED, false, true),
            (HOSTED, true, false),
            (LABELS, false, true),
            (LABELS, false, false),
        ] {
            let (of, guests) = (Workflows { labels, ..OF }, Guests { forks, bots });
            let text = of.files_for(guests).next().unwrap().1;
            let other = Guests { forks: !forks, bots: !bots };
            assert_eq!(Guests::of_workflow(&text, other), guests, "{text}");
            let waits = text.contains("pull_request.user.type != 'Bot'");
            assert_eq!(waits, labels == LABELS && !bots, "{text}");
            let report = of.files_for(guests).nth(1).unwrap().1;
            let forks_line = format!("forks: {}", if forks { "auto" } else { "refuse" });
            assert_eq!(report.matches(&forks_line).count(), if labels == HOSTED { 3 } else { 0 });
        }
        for kept in ["forks: refuse # abuse in May", "forks: 'refuse'", "forks: \"refuse\"   # no"]
        {
            let otherwise = Guests { forks: true, bots: true };
            assert!(!Guests::of_workflow(kept, otherwise).forks, "{kept}");
        }
        // As an earlier version wrote it.
        let earlier = "forks: ${{ vars.BENCHGATE_FORKS || 'auto' }}\n  bots: ${{ x }}";
        let otherwise = Guests { forks: true, bots: false };
        assert_eq!(Guests::of_workflow(earlier, otherwise), otherwise);
    }

    #[test]
    fn a_label_that_is_not_one_of_githubs_is_a_machine_of_ones_own() {
        for (labels, expected) in [
            ("ubuntu-24.04", true),
            ("ubuntu-latest", true),
            ("ubuntu-24.04-arm", true),
            ("my-arc-set", false),
            ("ubuntu-24.04,big", false),
            // A larger runner, which an organisation names as it likes.
            ("ubuntu-24.04-16core", false),
            ("ubuntu-bench", false),
            (LABELS, false),
        ] {
            assert_eq!(is_hosted(labels), expected, "{labels}");
        }
        let text = Workflows { labels: "my-arc-set", ..OF }.files().next().unwrap().1;
        for expected in ["head.repo.full_name == github.repository", "forks: refuse", "'enforce'"] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn a_hosted_machine_is_not_asked_to_be_set_up() {
        let hosted = Workflows { labels: "ubuntu-24.04", ..OF };
        let texts: Vec<String> = hosted.files().map(|(_, text)| text).collect();
        assert!(texts[0].contains("runs-on: [ubuntu-24.04]\n"), "{}", texts[0]);
        assert!(texts[0].contains("vars.BENCHGATE_DOCTOR || 'report'"), "{}", texts[0]);
        assert!(!texts.concat().contains("enforce"));
    }

    #[test]
    fn what_goes_into_a_workflow_has_a_form_that_needs_no_quotes() {
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
        assert!(is_sha(SHA));
        for text in ["0123456", "v1", "0123456789ABCDEF0123456789abcdef01234567", ""] {
            assert!(!is_sha(text), "{text}");
        }
        for (text, expected) in
            [(LABELS, true), ("ubuntu-24.04", true), ("a, b", true), ("", false), ("a,,b", false)]
        {
            assert_eq!(is_labels(text), expected, "{text}");
        }
        for (text, expected) in
            [(".", true), ("a/b.c", true), ("release/1.x", true), ("it's", false), ("a//b", false)]
        {
            assert_eq!(is_plain_path(text), expected, "{text}");
        }
    }
}
