//! Repositories with fake benches of known speeds, and the real binary run on them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

use serde_json::Value;

/// A git repository with one package, `parser`, and its suites.
pub(crate) struct Repo {
    folder: tempfile::TempDir,
}

/// The outputs of one call of the binary.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Repo {
    /// One suite, `speed`, with these lines of `id|nanoseconds|behaviour`, committed.
    pub(crate) fn new(speeds: &[&str]) -> Self {
        let repo = Self::empty();
        repo.suite("speed", speeds);
        repo.commit("first");
        repo
    }

    /// A package without suites; nothing is committed.
    pub(crate) fn empty() -> Self {
        let repo = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(repo.path("")).unwrap();
        std::fs::create_dir(repo.outside("log")).unwrap();
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo.write("src/lib.rs", "");
        repo.write(".gitignore", "/target\n");
        repo.policy("");
        repo.write(
            "Cargo.toml",
            "[package]\nname = \"parser\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [profile.bench]\nopt-level = 0\ncodegen-units = 1\n",
        );
        repo
    }

    /// Adds a suite, or replaces its benchmarks.
    pub(crate) fn suite(&self, name: &str, speeds: &[&str]) {
        let ids: BTreeSet<&str> = speeds.iter().filter_map(|line| plain_id(line)).collect();
        // One that behaves in some way, or has the name of another, is no plain one.
        let source = match ids.len() == speeds.len() {
            true => include_str!("../fake/plain.rs"),
            false => include_str!("../fake/criterion.rs"),
        };
        self.fake(name, source, speeds);
    }

    /// The same with a fake of any harness.
    pub(crate) fn fake(&self, name: &str, source: &str, speeds: &[&str]) {
        self.write(&format!("benches/{name}/main.rs"), &with_starts(source, speeds));
        self.write(&format!("benches/{name}/speeds.txt"), &speeds.join("\n"));
        if !self.manifest().contains(&format!("name = \"{name}\"")) {
            self.extend_manifest(&format!("[[bench]]\nname = \"{name}\"\nharness = false\n"));
        }
    }

    /// Writes the policy. These benches measure nothing, so optimisation and other layouts, which cost seconds a
    /// build, are left to the fixtures with real Criterion, and layouts are no reason to doubt a slowdown.
    pub(crate) fn policy(&self, text: &str) {
        let build = "[build]\nprofile = \"own\"\nlayouts = 0\n";
        let gate = "[gate]\nlayout-not-ruled-out = \"fail\"\n";
        let text = match text.contains("[gate]\n") {
            true => text.replacen("[gate]\n", gate, 1),
            false => format!("{text}\n{gate}"),
        };
        self.write("benchgate.toml", &format!("{text}\n{build}{}", self.sandbox()));
    }

    /// Replaces a text of the policy, which has it.
    pub(crate) fn edit_policy(&self, old: &str, new: &str) {
        let policy = std::fs::read_to_string(self.path("benchgate.toml")).unwrap();
        assert!(policy.contains(old), "{policy}");
        self.write("benchgate.toml", &policy.replace(old, new));
    }

    /// The part of a policy by which fakes may say how they were called.
    pub(crate) fn sandbox(&self) -> String {
        format!("[sandbox]\nwrite = [{:?}]\nvariables = [\"FAKE_LOG\"]\n", self.outside("log"))
    }

    /// Adds a suite that counts allocations, or replaces what it counts: lines of
    /// `id|iterations|blocks|bytes|peak`, where blocks may differ from run to run as `10..11`, or when told as `10->11`.
    pub(crate) fn allocations(&self, counts: &[&str]) {
        self.suite("allocations", counts);
        self.write("benches/allocations/main.rs", include_str!("../fake/allocations.rs"));
    }

    pub(crate) fn manifest(&self) -> String {
        std::fs::read_to_string(self.path("Cargo.toml")).unwrap()
    }

    /// Adds keys to the last table of the manifest, or tables.
    pub(crate) fn extend_manifest(&self, more: &str) {
        self.write("Cargo.toml", &(self.manifest() + more));
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        let top = self.folder.path().join("repo");
        if inside.is_empty() { top } else { top.join(inside) }
    }

    /// A folder outside of the repository.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let done = Command::new("git")
            .current_dir(self.path(""))
            .args(["-c", "user.name=t", "-c", "user.email=t@localhost"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// A command of the binary in this repository, which accesses nothing outside of the test's folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.plain_command(arguments);
        // Most tests are about measuring, and most of their benches have the same code.
        if arguments.first() == Some(&"check") && !arguments.contains(&"--help") {
            command.arg("--measure-identical");
        }
        command
    }

    /// The same as a user would type it.
    pub(crate) fn plain_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("benchgate"));
        command.current_dir(self.path("")).args(arguments);
        for (name, _) in std::env::vars() {
            if ["GITHUB_", "RUNNER_", "GIT_", "CARGO_PROFILE_"].iter().any(|p| name.starts_with(p))
            {
                command.env_remove(name);
            }
        }
        command
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTFLAGS")
            .env("CI", "true")
            .env("PATH", path())
            .env("XDG_CACHE_HOME", self.outside("cache"))
            .env("FAKE_LOG", self.outside("log/rounds"));
        command
    }

    /// A program that is to start such a command, in its folder and with its variables.
    pub(crate) fn starter(program: &str, of: &Command) -> Command {
        let mut command = Command::new(program);
        command.current_dir(of.get_current_dir().unwrap());
        for (name, value) in of.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    pub(crate) fn benchgate(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments))
    }

    /// The same without `--measure-identical`.
    pub(crate) fn plain(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.plain_command(arguments))
    }

    /// `result.json` of the last check.
    pub(crate) fn result(&self) -> Value {
        json(&self.path("target/benchgate/result.json"))
    }

    /// A line for each benchmark of the suite `fake`: its name, its finding, why, and the line of its output by which a
    /// crash is known.
    pub(crate) fn failures(&self, name: impl Fn(&Value) -> String) -> String {
        let result = self.result();
        let of_fake = |b: &&Value| b["suite"] == "fake";
        result["benchmarks"]
            .as_array()
            .unwrap()
            .iter()
            .filter(of_fake)
            .map(|b| {
                let output = b["output"].as_str().unwrap_or_default();
                let is_known = |line: &&str| line.contains("index 7") || *line == "giving up";
                let said = output.lines().find(is_known).unwrap_or("-");
                format!("{}: {} ({}) {said}\n", name(b), b["finding"], b["reason"]).replace('"', "")
            })
            .collect()
    }

    /// `id: finding` of every benchmark of the last check.
    pub(crate) fn findings(&self) -> Vec<String> {
        let result = self.result();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        result["benchmarks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|b| format!("{}: {}", text(&b["id"]), text(&b["finding"])))
            .collect()
    }

    /// The processes that measured something: executable and Criterion home, and whether it was empty.
    /// A line that a process is still writing does not count yet.
    pub(crate) fn log(&self) -> Vec<(String, String, bool)> {
        let text = std::fs::read_to_string(self.outside("log/rounds")).unwrap_or_default();
        text.split_inclusive('\n')
            .filter_map(|line| line.strip_suffix('\n'))
            .map(|line| {
                let parts: Vec<&str> = line.split('|').collect();
                (parts[0].to_owned(), parts[1].to_owned(), parts[2] == "true")
            })
            .collect()
    }
}

impl Ran {
    pub(crate) fn of(mut command: Command) -> Self {
        Self::ended(command.output().unwrap())
    }

    /// The same of one that was started with pipes.
    pub(crate) fn of_child(child: Child) -> Self {
        Self::ended(child.wait_with_output().unwrap())
    }

    fn ended(done: Output) -> Self {
        Self {
            code: done.status.code().unwrap(),
            stdout: String::from_utf8(done.stdout).unwrap(),
            stderr: String::from_utf8(done.stderr).unwrap(),
        }
    }

    /// Fails with all output if the exit code is another one.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// The id of a line that is no more than an id that may be a path of folders, and a number.
fn plain_id(line: &str) -> Option<&str> {
    let (id, ns) = line.strip_suffix('|').unwrap_or(line).split_once('|')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_-".contains(&byte);
    let is_path = id.len() < 60 && id.bytes().all(is_plain) && !id.starts_with('/');
    (is_path && ns.parse::<f64>().is_ok()).then_some(id)
}

/// The source of a fake; of Criterion's with what starts programs, or names the folder that cargo gives it, where a line of
/// its speeds does.
fn with_starts(source: &str, speeds: &[&str]) -> String {
    let starts = [
        "<child:",
        "<folder:",
        "|>",
        "uses what every bench may",
        "changes the gate",
        "leaves a process",
        "leaves a pipe",
    ];
    let has =
        |words: &[&str]| speeds.iter().any(|line| words.iter().any(|word| line.contains(word)));
    let mut source = source.to_owned();
    if has(&starts) {
        let nothing = "fn start(_: &str, _: &[&str]) -> std::process::Output {\n    unreachable!(\"no line starts a program\")\n}\n";
        source = source.replace(nothing, include_str!("../fake/starts.rs"));
    }
    if has(&starts[3..4]) {
        let nothing = "unreachable!(\"no line needs it\")";
        source = source.replace(nothing, "env!(\"CARGO_TARGET_TMPDIR\")");
    }
    source
}

/// A program of the toolchain itself: the one of its name on `PATH` may be rustup's, which starts it.
pub(crate) fn of_toolchain(program: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO").unwrap()).with_file_name(program)
}

/// The folders of programs, the toolchain's own first: to start each of them through rustup takes as long
/// again. Then those in place of programs.
fn path() -> OsString {
    let cargo = of_toolchain("cargo");
    let own = cargo.parent().map(Path::to_owned);
    let fakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/bin");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let all = own.into_iter().chain([fakes]).chain(std::env::split_paths(&others));
    std::env::join_paths(all).unwrap()
}

/// The target of the machine, as rustc names it.
pub(crate) fn host() -> String {
    let said = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let said = String::from_utf8(said).unwrap();
    said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// The executables of all processes.
pub(crate) fn running() -> Vec<PathBuf> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|process| process.path().join("exe").read_link().ok()).collect()
}

pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}
