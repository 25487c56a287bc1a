//! Attacks by hostile benchmarks and build scripts, with real Criterion: all are denied in the sandbox, and all work
//! without it.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::support::{Ran, Repo, json};

/// Criterion is built once, in a folder that outlives a test: one run at a time.
static ONE_RUN: Mutex<()> = Mutex::new(());

/// Where the gate builds.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile")
}

/// A repository of the hostile package, and everything around it that it may be after.
struct Hostile {
    repo: Repo,
    listener: TcpListener,
    gate: PathBuf,
}

impl Hostile {
    fn new() -> Self {
        let repo = Repo::empty();
        for (path, text) in [
            ("Cargo.toml", include_str!("../hostile/Cargo.toml")),
            ("Cargo.lock", include_str!("../hostile/Cargo.lock")),
            ("build.rs", include_str!("../hostile/build.rs")),
            ("src/lib.rs", include_str!("../hostile/src/lib.rs")),
            ("benches/attack.rs", include_str!("../hostile/benches/attack.rs")),
            ("attempts.txt", ""),
            ("build-attempts.txt", ""),
            ("baselines/elsewhere/hostile.attack.json", "{}"),
        ] {
            repo.write(path, text);
        }
        repo.commit("base");
        let write = |path: PathBuf, text: &str| {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        // cargo compiles what it has downloaded again where that is in another folder: one home for all runs.
        write(home(".bashrc"), "true\n");
        write(home(".ssh/id_ed25519"), "a secret\n");
        // The downloads are the user's: nothing of them is to be cleaned up by what this home knows of them.
        write(home(".cargo/config.toml"), "[cache]\nauto-clean-frequency = \"never\"\n");
        write(home(".cargo/git/db/old"), "");
        let registry = home(".cargo/registry");
        if !registry.exists() {
            std::os::unix::fs::symlink(of_user("CARGO_HOME", ".cargo").join("registry"), registry)
                .unwrap();
        }
        write(repo.outside("runner/_runner_file_commands/set_env"), "");
        write(repo.outside("tmp/other"), "");
        std::fs::create_dir_all(repo.outside("cache/benchgate/bases")).unwrap();
        std::fs::create_dir_all(target().join("tmp")).unwrap();
        let gate = repo.outside("benchgate");
        std::fs::copy(assert_cmd::cargo::cargo_bin!("benchgate"), &gate).unwrap();
        Self { repo, listener: TcpListener::bind("127.0.0.1:0").unwrap(), gate }
    }

    fn outside(&self, path: &str) -> String {
        text(&self.repo.outside(path))
    }

    fn work(&self, path: &str) -> String {
        text(&target().join("benchgate").join(path))
    }

    /// The base's or the head's checkout, as the gate names it.
    fn checkout(&self, side: &str, path: &str) -> String {
        self.outside(&format!("cache/benchgate/{}/{side}/{path}", self.digest()))
    }

    /// By which the gate names the folder of a repository's checkouts.
    fn digest(&self) -> String {
        let top = std::fs::canonicalize(self.repo.path("")).unwrap();
        let done = Command::new("sh")
            .args(["-c", "printf %s \"$0\" | sha256sum | cut -c1-16"])
            .arg(top)
            .output()
            .unwrap();
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// Returns the attempts of a round: by name, the action and its target.
    fn attempts(&self) -> BTreeMap<&'static str, (&'static str, String)> {
        let address = self.listener.local_addr().unwrap().to_string();
        BTreeMap::from([
            ("overwrite the verdict", ("create", self.work("result.json"))),
            ("change values of other rounds", ("append", self.work("journal.jsonl"))),
            ("empty the values of other rounds", ("empty", self.work("journal.jsonl"))),
            ("replace the gate", ("replace", text(&self.gate))),
            (
                "talk to the runner",
                ("append", self.outside("runner/_runner_file_commands/set_env")),
            ),
            ("change the base's executable", ("append", self.work("bin/base/hostile.attack"))),
            (
                "change the base's executable by a link",
                ("link-and-write", self.work("bin/base/hostile.attack")),
            ),
            ("change its own executable", ("replace", self.work("bin/head/hostile.attack"))),
            (
                "change a baseline",
                ("append", text(&self.repo.path("baselines/elsewhere/hostile.attack.json"))),
            ),
            ("leave a git hook", ("create", text(&self.repo.path(".git/hooks/post-checkout")))),
            ("configure cargo", ("append", text(&home(".cargo/config.toml")))),
            ("change the user's shell", ("append", text(&home(".bashrc")))),
            ("read the user's secrets", ("read", text(&home(".ssh/id_ed25519")))),
            of_the_gates_memory(),
            ("change the base's sources", ("append", self.checkout("base", "src/lib.rs"))),
            ("change its own sources", ("append", self.checkout("head", "src/lib.rs"))),
            ("write for the next build", ("create", self.work("build/head/forged"))),
            (
                "forge a base that was built before",
                ("create", self.outside("cache/benchgate/bases/new")),
            ),
            ("write where others do", ("append", self.outside("tmp/other"))),
            ("call home", ("connect", address)),
            ("be called", ("listen", "127.0.0.1:0".to_owned())),
        ])
    }

    /// Returns the attempts of the head's build script.
    fn build_attempts(&self) -> BTreeMap<&'static str, (&'static str, String)> {
        let of_rounds = [
            "overwrite the verdict",
            "replace the gate",
            "talk to the runner",
            "change the base's executable",
            "change a baseline",
            "leave a git hook",
            "configure cargo",
            "change the user's shell",
            "read the user's secrets",
            "change the base's sources",
            "forge a base that was built before",
            "write where others do",
            "call home",
        ];
        let mut attempts = self.attempts();
        attempts.retain(|name, _| of_rounds.contains(name));
        attempts.insert(
            "change what the base was built of",
            ("create", self.work("build/base/release/deps/forged")),
        );
        attempts
            .insert("change downloaded dependencies", ("append", text(&home(".cargo/git/db/old"))));
        attempts
    }

    /// Commits a head that makes these attempts, with the policy that is already in force.
    fn commit(&self, file: &str, attempts: &BTreeMap<&str, (&str, String)>) {
        let lines: Vec<String> = attempts
            .iter()
            .map(|(name, (what, target))| format!("{name}|{what}|{target}"))
            .collect();
        self.repo.write(file, &(lines.join("\n") + "\n"));
        self.repo.commit("hostile");
    }

    fn policy(&self, is_enabled: bool) {
        // Criterion may not be optimised, and the tests are not measurements.
        self.repo.write(
            "benchgate.toml",
            &format!(
                "[build]\nprofile = \"own\"\nalign = false\nlayouts = 0\n\
                 [sandbox]\nenabled = {is_enabled}\n"
            ),
        );
        self.repo.commit("policy");
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.gate);
        let like = self.repo.plain_command(&[]);
        command.current_dir(self.repo.path("")).args(["check", "--pairs", "6"]);
        command.env_clear().envs(std::env::vars_os());
        for (name, value) in like.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
            .env("CARGO_TARGET_DIR", target())
            .env("RUSTUP_HOME", of_user("RUSTUP_HOME", ".rustup"))
            .env("HOME", home(""))
            .env("CARGO_HOME", home(".cargo"))
            // On the disk of what is linked to.
            .env("TMPDIR", target().join("tmp"));
        command
    }

    /// The result of a check of these attempts, which could not measure what made them.
    fn check(
        &self,
        file: &str,
        attempts: &BTreeMap<&str, (&str, String)>,
        is_enabled: bool,
    ) -> Value {
        self.policy(is_enabled);
        self.commit(file, attempts);
        Ran::of(self.command()).expect(101);
        json(&target().join("benchgate/result.json"))
    }
}

/// In the home folder of whoever runs the gate.
fn home(inside: &str) -> PathBuf {
    target().join("home").join(inside)
}

/// A folder of the user's own toolchain.
fn of_user(variable: &str, name: &str) -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap());
    std::env::var_os(variable).map_or_else(|| home().join(name), PathBuf::from)
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Parses the outcome of each attempt from the output of the head.
fn outcomes(said: &str) -> BTreeMap<String, String> {
    said.lines()
        .filter_map(|line| line.trim().strip_prefix("attempt ")?.split_once(": "))
        .map(|(name, outcome)| (name.to_owned(), outcome.to_owned()))
        .collect()
}

/// Without the sandbox, who may do what with the memory of another process of the same user: root may read that of
/// any, also with it; others may not write it where Yama is active.
fn of_the_gates_memory() -> (&'static str, (&'static str, String)) {
    use std::os::unix::fs::MetadataExt as _;
    match std::fs::metadata("/proc/self").unwrap().uid() {
        0 => ("change the gate's memory", ("open-memory-of-parent", String::new())),
        _ => ("read the gate's variables", ("read-parent", String::new())),
    }
}

/// Waits until no other test runs; `None` where this kernel has not what is tested.
fn one_run() -> Option<MutexGuard<'static, ()>> {
    let one = ONE_RUN.lock().unwrap_or_else(PoisonError::into_inner);
    has_landlock(&Hostile::new().repo).then_some(one)
}

/// Whether this kernel has what is tested; says so where it has not.
fn has_landlock(repo: &Repo) -> bool {
    let said = repo.plain(&["doctor"]).expect(0).stdout;
    let has = said.lines().any(|line| line.contains("sandbox: active"));
    if !has {
        eprintln!("skipped: this kernel restricts nothing, or not all of it: {said}");
    }
    has
}

fn check_all(said: &str, attempts: &BTreeMap<&str, (&str, String)>, is_enabled: bool) {
    let outcomes = &outcomes(said);
    assert_eq!(outcomes.len(), attempts.len(), "{outcomes:#?} of {said}");
    for (name, outcome) in outcomes {
        let is_denied = outcome.starts_with("denied: ");
        assert!(!outcome.contains("a mistake of the test"), "{name}: {outcome}");
        assert_eq!(is_denied, is_enabled, "{name}: {outcome}");
    }
}

#[test]
fn what_ordinary_build_scripts_and_benches_do_is_not_denied() {
    let repo = Repo::empty();
    repo.suite("speed", &["a|10|uses what every bench may"]);
    repo.write(
        "build.rs",
        "fn main() {\n    let out = std::env::var(\"OUT_DIR\").unwrap() + \"/x.rs\";\n    \
         let short_lived = std::env::temp_dir().join(\"x\").display().to_string();\n    \
         for file in [out, short_lived, \"generated.txt\".to_owned()] {\n        \
         std::fs::write(file, \"x\").unwrap();\n    }\n}\n",
    );
    repo.commit("a build script that writes");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "6"]).expect(0);
}

#[test]
fn a_bench_that_is_denied_something_says_how_to_allow_it_and_then_it_works() {
    let repo = Repo::empty();
    if !has_landlock(&repo) {
        return;
    }
    repo.write("out/.keep", "");
    repo.suite("speed", &["a|10|writes into its checkout"]);
    repo.commit("a bench that writes");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "6"]).expect(101);
    let output = repo.result()["benchmarks"][0]["output"].as_str().unwrap().to_owned();
    assert!(output.contains("Permission denied"), "{output}");
    assert!(output.contains("help: name what it needs in benchgate.toml"), "{output}");
    let policy = std::fs::read_to_string(repo.path("benchgate.toml")).unwrap();
    repo.write("benchgate.toml", &policy.replace("write = [", "write = [\"out\", "));
    repo.commit("allow it");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "6"]).expect(0);
}

#[test]
fn a_benchmark_that_forges_is_denied_everything_that_it_could_do_without_the_sandbox() {
    let Some(_one) = one_run() else { return };
    for is_enabled in [true, false] {
        let hostile = Hostile::new();
        let mut attempts = hostile.attempts();
        if is_enabled {
            // Without the sandbox nobody is left to report: the next test has that.
            attempts.insert("end the gate", ("kill-parent", String::new()));
        }
        let result = hostile.check("attempts.txt", &attempts, is_enabled);
        let benchmark = &result["benchmarks"][0];
        assert_eq!(benchmark["finding"], "failed", "{result:#}");
        check_all(benchmark["output"].as_str().unwrap(), &attempts, is_enabled);
        let bashrc = std::fs::read_to_string(home(".bashrc")).unwrap();
        assert_eq!(bashrc == "true\n", is_enabled);
        let state = if is_enabled { "active" } else { "inactive" };
        assert_eq!(result["sandbox"]["state"], state);
        let notices = result["notices"].to_string();
        assert_eq!(notices.contains("[sandbox] enabled = false"), !is_enabled, "{notices}");
    }
}

#[test]
fn a_benchmark_can_end_the_gate_without_the_sandbox_only() {
    let Some(_one) = one_run() else { return };
    let hostile = Hostile::new();
    hostile.policy(false);
    let attempt = BTreeMap::from([("end the gate", ("kill-parent", String::new()))]);
    hostile.commit("attempts.txt", &attempt);
    let ended = hostile.command().output().unwrap();
    // With the sandbox the gate goes on: the test above.
    assert_eq!(ended.status.code(), None, "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn a_build_script_writes_nothing_but_its_sides_own_folders() {
    let Some(_one) = one_run() else { return };
    for is_enabled in [true, false] {
        let hostile = Hostile::new();
        let attempts = hostile.build_attempts();
        let result = hostile.check("build-attempts.txt", &attempts, is_enabled);
        let suite = &result["suites"][0];
        assert_eq!(suite["finding"], "failed", "{result:#}");
        check_all(suite["output"].as_str().unwrap(), &attempts, is_enabled);
    }
}
