//! Attacks by hostile benchmarks and build scripts, with real Criterion: all are denied in the sandbox, and all work
//! without it.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::support::{Ran, Repo, json};

/// Criterion is built once, in a folder that outlives a test: one run at a time.
static ONE_RUN: Mutex<()> = Mutex::new(());

/// A variable that holds a secret, and begins as those of cargo do.
const TOKEN: &str = "CARGO_REGISTRY_TOKEN";

/// Where the gate builds.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile")
}

/// A repository of the hostile package, and everything around it that it may be after.
struct Hostile {
    repo: Repo,
    listener: TcpListener,
    /// A service of the machine, such as a container daemon.
    _service: UnixListener,
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
        write(home(".config/git/credentials"), "a secret\n");
        write(home(".netrc"), "a secret\n");
        write(home(".cargo/credentials.toml"), "# a secret\n");
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
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _service = UnixListener::bind(repo.outside("service")).unwrap();
        Self { repo, listener, _service, gate }
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
    // Long: one table.
    fn attempts(&self) -> BTreeMap<&'static str, (&'static str, String)> {
        let address = self.listener.local_addr().unwrap().to_string();
        let mut attempts = BTreeMap::from([
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
            ("send without a connection", ("send-udp", "127.0.0.1:0".to_owned())),
            ("be called at a path", ("listen-at-a-path", String::new())),
            ("be called by a name", ("listen-at-a-name", "hostile".to_owned())),
            ("ask a service of the machine", ("connect-to-a-path", self.outside("service"))),
            ("talk to the kernel's network", ("talk-to-the-kernel", String::new())),
            ("lower the gate's limits", ("limit", String::new())),
            ("lower the gate's priority", ("slow-down", String::new())),
            ("lower the priority of the gate's group", ("slow-down-group", String::new())),
            ("lower the gate's priority at disks", ("slow-down-disk", String::new())),
            ("lower the user's priority at disks", ("slow-down-disk-of-user", String::new())),
            ("take the gate's processors", ("pin", String::new())),
            ("take the processors of a thread of the gate", ("pin-a-thread", String::new())),
            ("change how the gate is scheduled", ("schedule", String::new())),
            ("the same by parameters", ("schedule-by-parameters", String::new())),
            ("the same by attributes", ("schedule-by-attributes", String::new())),
            ("have the gate ended first", ("be-ended-first", String::new())),
            ("signal the gate", ("signal", String::new())),
            ("signal the gate by a descriptor", ("signal-by-descriptor", String::new())),
            ("trace the gate", ("trace", String::new())),
            ("lay a folder over the checkout", ("mount-over-the-checkout", String::new())),
            ("find the gate's files", ("look-at-file", String::new())),
            ("leave memory to others", ("share-memory", String::new())),
            ("leave a semaphore to others", ("share-a-semaphore", String::new())),
            ("leave a queue to others", ("share-a-queue", String::new())),
            ("leave a key to others", ("keep-a-key", String::new())),
            (
                "leave a file in memory to others",
                ("share-a-file", "/dev/shm/benchgate-hostile".to_owned()),
            ),
            ("read a token", ("read-variable", TOKEN.to_owned())),
            ("find a keyring", ("read-variable", "SSH_AUTH_SOCK".to_owned())),
            ("read git's credentials", ("read", text(&home(".config/git/credentials")))),
            ("read cargo's credentials", ("read", text(&home(".cargo/credentials.toml")))),
            ("read passwords of servers", ("read", text(&home(".netrc")))),
            ("list what the user has", ("list", text(&home("")))),
            ("read values of other rounds", ("read", self.work("journal.jsonl"))),
            ("read the base's sources", ("read", self.checkout("base", "src/lib.rs"))),
            ("write into the gate's lock", ("append", self.work("lock"))),
        ]);
        if is_root() {
            attempts.insert("make a device of a disk", ("make-a-device", String::new()));
            attempts.insert("name the machine", ("name-the-machine", String::new()));
        }
        attempts
    }

    /// Returns the attempts of the head's build script.
    fn build_attempts(&self) -> BTreeMap<&'static str, (&'static str, String)> {
        // What is of its own side, of a round, or not there yet.
        let of_rounds = [
            "be called",
            "change its own executable",
            "change its own sources",
            "change the base's executable by a link",
            "change the gate's memory",
            "change values of other rounds",
            "empty the values of other rounds",
            "read values of other rounds",
            "read the gate's variables",
            "write for the next build",
        ];
        let mut attempts = self.attempts();
        attempts.retain(|name, _| !of_rounds.contains(name));
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
        // Without the sandbox each side has its turn: a program that runs cannot be changed, and what was done to the gate
        // would be seen in a second build.
        let runtime = if is_enabled { "lockstep" } else { "criterion" };
        // Criterion may not be optimised, and the tests are not measurements.
        self.repo.write(
            "benchgate.toml",
            &format!(
                "[build]\nprofile = \"own\"\nalign = false\nlayouts = 0\nruntime = \"{runtime}\"\n\
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
            .env(TOKEN, "a secret")
            .env("SSH_AUTH_SOCK", home("agent"))
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
        let ran = Ran::of(self.command()).expect(101);
        // What fails for its own reasons is tried without the runtime, and the other side is not built again.
        assert_eq!(ran.stderr.matches("building base").count(), 1, "{}", ran.stderr);
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
    said.split(['\n', '&'])
        .filter_map(|line| line.trim().strip_prefix("attempt ")?.split_once(": "))
        .map(|(name, outcome)| (name.to_owned(), outcome.to_owned()))
        .collect()
}

/// Without the sandbox, who may do what with the memory of another process of the same user: root may read that of
/// any, also with it; others may not write it where Yama is active.
fn of_the_gates_memory() -> (&'static str, (&'static str, String)) {
    match is_root() {
        true => ("change the gate's memory", ("open-memory-of-parent", String::new())),
        false => ("read the gate's variables", ("read-parent", String::new())),
    }
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").unwrap().uid() == 0
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
         std::fs::write(file, \"x\").unwrap();\n    }\n    \
         let compiled = std::process::Command::new(\"sh\").args([\"-c\",\n        \
         \"cd $OUT_DIR && echo 'int main() { return 0; }' >x.c && cc -o x x.c && ./x\"]).status();\n    \
         assert!(compiled.unwrap().success());\n}\n",
    );
    repo.commit("a build script that writes and compiles");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "6"]).expect(0);
}

/// As on a machine that was installed for this run.
#[test]
fn a_dependency_of_git_is_read_where_cargo_had_downloaded_none_before() {
    let other = Repo::empty();
    other.commit("a library");
    let repo = Repo::new(&["a|1000|"]);
    let address = text(&other.path(""));
    repo.extend_manifest(&format!(
        "[dependencies]\nother = {{ package = \"parser\", git = \"file://{address}\" }}\n"
    ));
    repo.commit("with a dependency");
    repo.commit("nothing");
    let mut command = repo.command(&["check", "--pairs", "6"]);
    command.env("CARGO_HOME", repo.outside("cargo-home"));
    Ran::of(command).expect(0);
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
    let ran = repo.benchgate(&["check", "--pairs", "6"]).expect(101);
    let output = repo.result()["benchmarks"][0]["output"].as_str().unwrap().to_owned();
    assert!(output.contains("Permission denied"), "{output}");
    assert!(output.contains("the sandbox denied it to write `"), "{output}");
    allow_by_the_line(&repo, &ran);
}

/// Types the line that a report ends with; then the benches work.
fn allow_by_the_line(repo: &Repo, ran: &Ran) {
    let line = ran.stdout.lines().find_map(|line| line.split_once("in the base's policy, run "));
    let line = line.unwrap_or_else(|| panic!("no line in {}", ran.stdout)).1;
    let done = Command::new("sh").args(["-c", line]).current_dir(repo.path("")).status();
    assert!(done.unwrap().success(), "{line}");
    repo.commit("allow it");
    repo.commit("nothing");
    check_with_a_variable(repo).expect(0);
}

/// A variable that compilers and harnesses do not go by.
const VARIABLE: &str = "DATABASE_URL";

fn check_with_a_variable(repo: &Repo) -> Ran {
    let mut command = repo.command(&["check", "--pairs", "6"]);
    command.env(VARIABLE, "postgres://localhost");
    Ran::of(command)
}

/// Asked, and not read in what it said: most say nothing of use.
#[test]
fn what_a_bench_or_a_build_script_was_denied_is_named_with_the_line_that_allows_it() {
    type Row = (&'static str, fn(&Repo) -> String);
    let rows: [Row; 6] = [
        ("to read `", |repo| {
            format!("assert!(std::fs::read({:?}).is_ok());", repo.outside("data/x"))
        }),
        ("to write `", |repo| {
            format!("assert!(std::fs::write({:?}, \"\").is_ok());", repo.outside("data/y"))
        }),
        ("to read `", |repo| {
            format!(
                "assert!(std::process::Command::new({:?}).status().is_ok());",
                repo.outside("data/tool")
            )
        }),
        ("a socket", |_| "assert!(std::net::UdpSocket::bind(\"127.0.0.1:0\").is_ok());".to_owned()),
        ("the variable `DATABASE_URL`", |_| {
            "assert!(std::env::var(\"DATABASE_URL\").is_ok());".to_owned()
        }),
        // Together they are longer than a line of a report may be.
        ("to write `", |repo| {
            let folders = ["a", "b", "c", "d"].map(|it| repo.outside(&it.repeat(120)));
            folders.iter().for_each(|it| std::fs::create_dir_all(it).unwrap());
            let files = folders.map(|it| it.join("x"));
            format!("assert_eq!({files:?}.map(|it| std::fs::write(it, \"\").is_ok()), [true; 4]);")
        }),
    ];
    for (denied, statement) in rows {
        for who in ["a build script", "a bench", "a led bench"] {
            let repo = Repo::new(&["a|10|"]);
            if !has_landlock(&repo) {
                return;
            }
            std::fs::create_dir_all(repo.outside("data")).unwrap();
            std::fs::write(repo.outside("data/x"), "").unwrap();
            std::fs::write(repo.outside("data/tool"), "#!/bin/sh\n").unwrap();
            crate::fakes::may_run(&repo.outside("data/tool"));
            let statement = statement(&repo);
            let (fake, place) = match who {
                "a led bench" => (include_str!("../fake/led.rs"), "    let _life = Life;\n"),
                _ => (include_str!("../fake/criterion.rs"), "    log();\n"),
            };
            let source = fake.replace(place, &format!("    {statement}\n{place}"));
            assert_ne!(source, fake);
            match who {
                "a build script" => {
                    repo.write("build.rs", &format!("fn main() {{ {statement} }}\n"));
                }
                _ => repo.fake("speed", &source, &["a|10|"]),
            }
            repo.commit("it is denied something");
            repo.commit("nothing");
            let ran = check_with_a_variable(&repo).expect(101);
            let said = format!("the sandbox denied it {denied}");
            assert!(ran.stdout.contains(&said), "{who}: {statement}: {}", ran.stdout);
            allow_by_the_line(&repo, &ran);
        }
    }
}

#[test]
fn a_bench_that_writes_into_its_side_is_allowed_to_by_the_line_that_its_failure_ends_with() {
    for (folder, tables) in [
        ("std::env::var(\"OUT_DIR\").unwrap()", "with"),
        ("env!(\"OUT_DIR\").to_owned()", "without"),
        ("{ std::fs::create_dir_all(\"target/x\").unwrap(); \"target/x\".to_owned() }", "with"),
        ("env!(\"CARGO_MANIFEST_DIR\").to_owned()", "with another list in"),
    ] {
        let repo = Repo::new(&["a|10|"]);
        if !has_landlock(&repo) {
            return;
        }
        let policy = std::fs::read_to_string(repo.path("benchgate.toml")).unwrap();
        let (before, sandbox) = policy.split_once("[sandbox]\n").unwrap();
        repo.write(
            "benchgate.toml",
            &match tables {
                "with" => policy.clone(),
                // The log of rounds is not written then.
                "without" => before.to_owned(),
                _ => format!(
                    "{before}[sandbox] # of benches\nnetwork = false\n{}",
                    sandbox.replace("write", "read")
                ),
            },
        );
        repo.write("build.rs", "fn main() {}");
        let fake = include_str!("../fake/criterion.rs");
        let writing = format!("    std::fs::write({folder} + \"/note\", \"x\").unwrap();\n");
        let source = fake.replace("    log();\n", &writing);
        assert_ne!(source, fake);
        repo.fake("speed", &source, &["a|10|"]);
        repo.commit("a bench that writes");
        repo.commit("nothing");
        let ran = repo.benchgate(&["check", "--pairs", "6"]).expect(101);
        allow_by_the_line(&repo, &ran);
    }
}

/// Whether the page lists a variable.
fn is_listed(name: &str) -> bool {
    let page = include_str!("../../../../docs/sandbox.md");
    let (_, section) = page.split_once("\n## Variables\n").unwrap();
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let rows = section.lines().filter(|line| line.starts_with('|'));
    let mut patterns = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    patterns.any(|pattern| match (pattern.strip_suffix('*'), pattern.strip_prefix('_')) {
        (Some(beginning), _) => name.starts_with(beginning),
        (None, Some(_)) => name.ends_with(pattern),
        (None, None) => name == pattern,
    })
}

/// Not on the list; and some that are, but for the word of a secret in them.
const NOT_LISTED: [&str; 8] = [
    "GITHUB_TOKEN",
    "ACTIONS_RUNTIME_URL",
    "AWS_SESSION_TOKEN",
    "CARGO_REGISTRY_TOKEN",
    "RUST_SECRET",
    "DATABASE_URL",
    "SSH_AUTH_SOCK",
    "https_proxy",
];

/// Of build scripts and of processes that are led, as of all others.
#[test]
fn all_that_is_built_and_measured_is_in_a_session_behind_a_filter_and_has_the_listed_variables() {
    // Set by cargo for build scripts, and by the gate.
    let of_cargo =
        ["OUT_DIR", "TARGET", "HOST", "OPT_LEVEL", "PROFILE", "DEBUG", "RUSTC", "RUSTDOC"];
    for harness in ["criterion", "led"] {
        let repo = crate::fakes::repo(harness, &["a|1000|says how it is restricted"]);
        if !has_landlock(&repo) {
            return;
        }
        repo.write(
            "build.rs",
            "fn main() {\n    let names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();\n    \
             let log = std::env::var(\"FAKE_LOG\").unwrap() + \".built\";\n    \
             std::fs::write(log, names.join(\"\\n\")).unwrap();\n}\n",
        );
        repo.commit("a build script that says what it has");
        repo.commit("nothing");
        let mut command = repo.command(&["check", "--pairs", "6"]);
        command.env("LC_TIME", "C").env("MALLOC_ARENA_MAX", "4");
        for name in NOT_LISTED {
            command.env(name, "http://user:secret@localhost:1");
        }
        Ran::of(command).expect(0);
        let said = std::fs::read_to_string(repo.outside("log/rounds.restricted")).unwrap();
        let built = std::fs::read_to_string(repo.outside("log/rounds.built")).unwrap();
        let (session, rest) = said.split_once('\n').unwrap();
        let (filter, names) = rest.split_once('\n').unwrap();
        assert_eq!((session, filter), ("session true", "filter Some(\"2\")"), "{harness}");
        for name in names.lines().chain(built.lines()) {
            let is_of_test = name == "FAKE_LOG" || of_cargo.contains(&name);
            assert!(is_of_test || is_listed(name), "{harness}: {name}");
            assert!(!NOT_LISTED.contains(&name), "{harness}: {name}");
        }
        for name in ["PATH", "HOME", "LC_TIME", "MALLOC_ARENA_MAX"] {
            assert!(names.lines().any(|it| it == name), "{harness}: {name} of {names}");
            assert!(built.lines().any(|it| it == name), "{harness}: {name} of {built}");
        }
    }
}

/// Without the sandbox it can; the gate is that of a user who may raise priorities again, or else the run ends.
#[test]
fn what_a_round_did_to_limits_priority_and_processors_of_the_gate_does_not_reach_the_next_one() {
    for harness in ["criterion", "led"] {
        let repo = crate::fakes::repo(harness, &["a|1000|changes the gate"]);
        repo.edit_policy("[sandbox]", "[sandbox]\nenabled = false");
        repo.commit("a bench that changes its parent");
        repo.commit("nothing");
        let ran = repo.benchgate(&["check", "--pairs", "6"]);
        if ran.code == 101 && (ran.stdout + &ran.stderr).contains("cannot be set back") {
            continue;
        }
        let code = ran.code;
        let begins = std::fs::read_to_string(repo.outside("log/rounds.begins")).unwrap();
        let all: std::collections::BTreeSet<&str> = begins.lines().collect();
        assert_eq!(code, 0, "{harness}");
        assert!(all.len() == 1 && begins.lines().count() >= 12, "{harness}: {begins}");
    }
}

#[test]
fn a_program_that_the_policy_names_reads_what_it_is_installed_with_in_the_home_folder() {
    let repo = Repo::new(&["a|10|"]);
    if !has_landlock(&repo) {
        return;
    }
    let home = repo.outside("home");
    let write = |inside: &str, text: &str| {
        let path = home.join(inside);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(".tools/bin/count-it", "#!/bin/sh\ncat \"$HOME/.tools/lib/answer\"\n");
    crate::fakes::may_run(&home.join(".tools/bin/count-it"));
    let line = r#"{"schema":"benchgate.counts/1","id":"a","metric":"size.bytes","unit":"bytes","value":7}"#;
    write(".tools/lib/answer", &format!("{line}\n"));
    repo.policy("[[suite]]\nname = \"sizes\"\nharness = \"counts\"\nrun = [\"count-it\"]\n");
    repo.commit("a suite");
    repo.commit("nothing");
    let mut command = repo.command(&["check", "--pairs", "6"]);
    let path = std::env::var("PATH").unwrap();
    command
        .env("PATH", format!("{}:{path}", home.join(".tools/bin").display()))
        .env("RUSTUP_HOME", of_user("RUSTUP_HOME", ".rustup"))
        .env("CARGO_HOME", of_user("CARGO_HOME", ".cargo"))
        .env("HOME", &home);
    Ran::of(command).expect(0);
    let result = repo.result();
    assert!(
        result["suites"].as_array().unwrap().iter().all(|s| s["finding"] != "failed"),
        "{result:#}"
    );
}

/// The peak of the gate's memory, for as long as it could be asked.
#[test]
fn a_line_without_an_end_is_not_held_in_memory() {
    let repo = Repo::new(&["a|10|prints a line without an end"]);
    repo.commit("nothing");
    let mut command = repo.command(&["check", "--pairs", "6"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or_default());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Ran::of_child(child).expect(0);
    assert!((1..100 << 10).contains(&peak), "{peak} KiB");
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

/// The gate has a terminal, as where somebody calls it; `script` makes one. Without the sandbox, too.
#[test]
fn a_benchmark_cannot_reach_the_terminal_that_the_gate_was_called_in() {
    let Some(_one) = one_run() else { return };
    for is_enabled in [true, false] {
        let hostile = Hostile::new();
        hostile.policy(is_enabled);
        let attempts = BTreeMap::from([
            ("type into the terminal", ("open-device", "/dev/tty".to_owned())),
            ("stay in the terminal's session", ("begin-in-a-session", String::new())),
        ]);
        hostile.commit("attempts.txt", &attempts);
        let gate = hostile.command();
        let mut command = Repo::starter("script", &gate);
        let line = format!("{} check --pairs 6", hostile.gate.display());
        command.args(["--quiet", "--return", "--command", &line]);
        command.arg(hostile.repo.outside("typed")).env_clear().envs(std::env::vars_os());
        for (name, value) in gate.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.stdin(std::process::Stdio::null());
        Ran::of(command).expect(101);
        let result = json(&target().join("benchgate/result.json"));
        check_all(result["benchmarks"][0]["output"].as_str().unwrap(), &attempts, true);
    }
}
