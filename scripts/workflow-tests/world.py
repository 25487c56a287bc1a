"""What a scenario runs in: a separate repository, the API, and act on the unmodified workflow files."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import github_events
from workflow_runs import parsed_yaml

ROOT = Path(__file__).resolve().parents[2]
STAND_INS = Path(__file__).resolve().parent / "stand-ins"
FIXTURE = ROOT / "crates/benchgate/tests/criterion/0.8.2"
OWNER, REPOSITORY = "octo", "octo/gated"
DEPENDABOT = "dependabot[bot]"
# Every other benchmark of the fixture, and none of the time of the scenarios.
LEFT_OUT = ("second", "homemade", "builtin")
POLICY = """\
# A slowdown of the scenarios is fivefold: everything less is the noise of a machine that is not quiet.
[thresholds]
note = 50
warning = 100
critical = 150

# Links in a fraction of the time; the gate's own profile is what scripts/evidence/gate-fixtures tries.
[build]
profile = "own"
"""
# What its builds need least time for: of the time of the scenarios, two fifths were the compiler's.
PROFILE = """lto = "off"

[profile.bench.package."*"]
opt-level = 0
"""
PINNED = re.compile(r"uses: ([\w.-]+/[\w.-]+)(?:/[\w./-]+)?@([0-9a-f]{40}) ")


# What GitHub counts for a rule that requires a check: not a run by hand, nor one of the branch. A job that is skipped passes.
COUNTED = ("pull_request", "merge_group")
PASSED = ("success", "skipped")


class Failed(Exception):
    """A scenario went otherwise."""


def require(condition, message):
    if not condition:
        raise Failed(message)


def git(folder, *arguments):
    settings = (
        "user.name=scenario",
        "user.email=scenario@example.com",
        "commit.gpgsign=false",
        "init.defaultBranch=main",
        "advice.detachedHead=false",
    )
    flags = [part for setting in settings for part in ("-c", setting)]
    done = subprocess.run(
        ["git", "-C", folder, *flags, *arguments], check=True, text=True, capture_output=True
    )
    return done.stdout.strip()


def replace(path, old, new):
    text = path.read_text()
    require(text.count(old) == 1, f"{path}: `{old}` occurs {text.count(old)} times, expected once")
    path.write_text(text.replace(old, new))


class Repository:
    """The small crate with this project's workflows, cloned by the stand-in of checkout."""

    branch = "main"
    # Where the crate is.
    workspace = "."
    # Whether each job is on another machine, as on hosted runners: the stand-in of checkout removes what others built.
    starts_clean = False

    @property
    def lib(self):
        return str(Path(self.workspace) / "src/lib.rs")

    def __init__(self, folder):
        self.tree = folder / "gated"
        self.bare = folder / "gated.git"
        self.crate = self.tree / self.workspace
        shutil.copytree(FIXTURE, self.crate, symlinks=False)
        manifest = self.crate / "Cargo.toml"
        left_out = "|".join(LEFT_OUT)
        table = rf'\[\[bench\]\]\nname = "({left_out})"\n(harness = false\n)?'
        kept = re.sub(table, "", manifest.read_text())
        # cargo would discover them by itself.
        kept = kept.replace("publish = false\n", "publish = false\nautobenches = false\n")
        # The table at its end is that of the profile.
        manifest.write_text(kept + PROFILE)
        self.equip()
        (self.crate / "benchgate.toml").write_text(POLICY)
        (self.tree / "README.md").write_text("A small crate.\n")
        (self.tree / ".gitignore").write_text("target\n")
        git(self.tree, "init", "--quiet", "--initial-branch", self.branch)
        git(self.tree, "remote", "add", "origin", f"https://github.com/{REPOSITORY}")
        self.main = self.commit(self.branch, "a small crate")
        git(self.tree, "tag", "v0.1.0")
        git(folder, "clone", "--quiet", "--bare", self.tree, self.bare)
        git(self.bare, "config", "uploadpack.allowAnySHA1InWant", "true")

    def equip(self):
        """The workflows, as they are in this project."""
        for name in (".github", "scripts"):
            shutil.copytree(ROOT / name, self.tree / name, symlinks=True)

    def commit(self, branch, message):
        git(self.tree, "add", "--all")
        git(self.tree, "commit", "--quiet", "--allow-empty", "--message", message)
        if self.bare.exists():
            git(self.tree, "push", "--quiet", "--force", self.bare, f"HEAD:refs/heads/{branch}")
        return git(self.tree, "rev-parse", "HEAD")

    def merge(self, pull):
        """The commit that a run of a pull request is of: its merge with the base, which nobody pushed."""
        sides = [pull[side]["sha"] for side in ("base", "head")]
        tree = git(self.tree, "merge-tree", "--write-tree", *sides)
        parents = [part for side in sides for part in ("-p", side)]
        merge = git(self.tree, "commit-tree", "-m", "Merge", *parents, tree)
        ref = f"refs/pull/{pull['number']}/merge"
        git(self.tree, "push", "--quiet", "--force", self.bare, f"{merge}:{ref}")
        return merge, ref

    def change(self, branch, *edits, message="a change"):
        """A branch from main with edits: (path, old, new), or (path, text) to append."""
        git(self.tree, "checkout", "--quiet", "--force", "-B", branch, self.main)
        for name, *edit in edits:
            path = self.tree / name
            if len(edit) == 2:
                replace(path, *edit)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("a") as file:
                    file.write(edit[0])
        return self.commit(branch, message)


class Api:
    """emulate behind api.mjs."""

    def __init__(self, tools, bare, branch, log):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {**os.environ, "STAND_IN_MODULES": str(tools.modules)}
        self.process = subprocess.Popen(
            [tools.node, Path(__file__).parent / "api.mjs", str(self.port), bare, branch],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log.open("w"),
            stderr=subprocess.STDOUT,
        )
        end = time.monotonic() + 60
        while "listening" not in log.read_text():
            require(
                self.process.poll() is None and time.monotonic() < end,
                f"the API did not start: {log.read_text()}",
            )
            time.sleep(0.05)

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"authorization": "token owner_token"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def pull(self, branch, head, base, fork=False):
        pull = {"title": branch, "branch": branch, "head": head, "base": base, "fork": fork}
        return self.ask("POST", "/_pull", pull)["number"]

    def push(self, branch, head):
        self.ask("POST", "/_push", {"branch": branch, "head": head})

    def comments(self, number):
        return self.ask("GET", f"/repos/{REPOSITORY}/issues/{number}/comments?per_page=100")

    def status(self, commit):
        """The newest status of a commit."""
        return (self.statuses(commit) or [None])[0]

    def statuses(self, commit):
        """All of a commit, newest first."""
        return self.ask("GET", "/_statuses").get(commit) or []

    def fault(self, method, path, status, times=1, message="a fault", **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.ask(
            "POST",
            "/_faults",
            {
                "method": method,
                "path": f"/repos/{REPOSITORY}{path}",
                "status": status,
                "times": times,
                "message": message,
                "headers": named,
            },
        )

    def requests(self):
        """What was asked since the last call."""
        return self.ask("GET", "/_requests")

    def close(self):
        self.process.terminate()
        self.process.wait()


class Tools:
    """Paths that `scripts/test` gives."""

    def __init__(self, act, node, modules, benchgate, critcmp, target):
        self.act, self.node, self.modules = act, node, modules
        self.benchgate, self.critcmp, self.target = benchgate, critcmp, target


class Run:
    """One run of a workflow."""

    def __init__(self, log, status):
        self.status = status
        self.path = log
        self.lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
        self.text = "\n".join(line.get("msg", "").rstrip() for line in self.lines)
        self.jobs = {line["jobID"]: line["jobResult"] for line in self.lines if "jobResult" in line}

    def expect(self, **jobs):
        """Exactly these jobs ran, with these results. act passes if it finds no runner for a job."""
        require(self.jobs == jobs, f"jobs {self.jobs}, expected {jobs}: {self.path}")
        require("Skipping unsupported platform" not in self.text, f"a job had no runner: {self.path}")
        return self

    def says(self, *texts):
        for text in texts:
            require(text in self.text, f"`{text}` is not in {self.path}")
        return self

    def never_says(self, *texts):
        for text in texts:
            require(text not in self.text, f"`{text}` is in {self.path}")
        return self


class World:
    def __init__(self, worlds, name, tools, repository=Repository):
        folder = worlds / name
        shutil.rmtree(folder, ignore_errors=True)
        self.folder, self.tools = folder, tools
        self.build = tools.target / "workflow-tests-build" / name
        self.store = folder / "store"
        self.runs = 0
        # Of each commit that was checked: event, workflow run and job, with how it ended.
        self.checks = {}
        (self.store / "caches").mkdir(parents=True)
        self.repository = repository(folder)
        self.api = Api(tools, self.repository.bare, self.repository.branch, folder / "api.log")
        self.api.ask("POST", "/_main", {"commit": self.repository.main})
        self.fill_caches()
        self.environment = self.make_environment()

    def fill_caches(self):
        """The tools are built once, by the caller; a job finds them in its cache."""
        for cache in ("benchgate-tools-Linux-X64", "benchgate-renderer-Linux-X64"):
            binaries = self.store / "caches" / cache / "bin"
            binaries.mkdir(parents=True)
            shutil.copy(self.tools.benchgate, binaries / "benchgate")
            shutil.copy(self.tools.critcmp, binaries / "critcmp")

    def make_environment(self):
        """Of the steps: no way to the network but the API."""
        keep = ("HOME", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "LANG", "TMPDIR", "USER")
        found = {name: os.environ[name] for name in keep if name in os.environ}
        return {
            **found,
            "PATH": f"{self.no_packages()}:{Path(self.tools.node).parent}:{os.environ['PATH']}",
            "CARGO_NET_OFFLINE": "true",
            "CARGO_TARGET_DIR": str(self.build),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "STAND_IN_STORE": str(self.store),
            "STAND_IN_MODULES": str(self.tools.modules),
            "STAND_IN_STARTS_CLEAN": "yes" if self.repository.starts_clean else "",
            "STAND_IN_REPOSITORY": str(self.repository.bare),
            "GITHUB_API_URL": self.api.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "RUNNER_OS": "Linux",
            "RUNNER_ARCH": "X64",
        }

    def no_packages(self):
        """A folder in front of the system's programs: nothing is installed on this machine, or downloaded for it, and no
        instruction is counted, which no scenario asks for and was a tenth of what they took."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        for name in ("apt-get", "valgrind"):
            (folder / name).write_text("#!/bin/sh\nexit 100\n")
            (folder / name).chmod(0o755)
        return folder

    def action(self):
        """This project as the checkout of the action in another's repository."""
        folder = self.folder / "action"
        if not folder.exists():
            for name in git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")[
                :-1
            ]:
                if (ROOT / name).exists() and not (folder / name).exists():
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / name, folder / name, follow_symlinks=False)
        return folder

    def stand_ins(self):
        """An option for every pinned action of the workflows: one without a stand-in would need the
        network."""
        found = set()
        for file in (ROOT / ".github").rglob("*.yml"):
            found.update(PINNED.findall(file.read_text()))
        for action, commit in sorted(found):
            folder = STAND_INS / action.split("/")[1]
            require(folder.is_dir(), f"{action} has no stand-in")
            yield from ("--local-repository", f"{action}@{commit}={folder}")

    def note_checks(self, workflow, event, payload, commit, run_id, run):
        """The checks of a commit; a further attempt writes over the one before. Jobs of which act says nothing were
        skipped."""
        if event == "pull_request":
            commit = payload["pull_request"]["head"]["sha"]
        checks = self.checks.setdefault(commit, {})
        for job, body in self.parsed(workflow)["jobs"].items():
            checks[event, run_id, body.get("name", job)] = run.jobs.get(job, "skipped")

    def may_merge(self, commit, required="gate"):
        """Whether a rule of the branch lets this commit in that requires a check. Of two with its name, both count."""
        found = [
            result
            for (event, _, name), result in self.checks.get(commit, {}).items()
            if name == required and event in COUNTED
        ]
        return bool(found) and all(result in PASSED for result in found)

    @staticmethod
    def recorded():
        """A green result of the gate, of another package."""
        return json.loads((ROOT / "docs/evidence/recorded/crc32fast.json").read_text())

    def changed(self, event, payload):
        """The files that the filter `paths` of an event is compared with."""
        pull = payload.get("pull_request")
        if pull:
            return git(
                self.repository.tree, "diff", "--name-only", f"{pull['base']['sha']}...{pull['head']['sha']}"
            ).splitlines()
        if event != "push" or set(payload["before"]) == {"0"}:
            return ["anything"]
        return git(
            self.repository.tree, "diff", "--name-only", payload["before"], payload["after"]
        ).splitlines()

    def parsed(self, workflow):
        """The workflow that is checked out."""
        return parsed_yaml((self.repository.tree / f".github/workflows/{workflow}.yml").read_text())

    def permissions(self, workflow):
        """Of the token of each job."""
        parsed = self.parsed(workflow)
        return {job: body.get("permissions", parsed["permissions"]) for job, body in parsed["jobs"].items()}

    def starts(self, workflow, event, payload):
        """Whether GitHub starts the workflow that is checked out: act runs whatever it is given."""
        parsed = self.parsed(workflow)
        # YAML 1.1 reads the key `on` as true.
        return github_events.starts(parsed.get(True), event, payload, self.changed(event, payload))

    def act(
        self,
        workflow,
        event,
        payload,
        commit,
        run_id=None,
        variables=None,
        ref=None,
        actions=(),
        attempt=1,
        environment=None,
    ):
        self.runs += 1
        run_id = run_id or self.runs
        name = f"{self.runs:02}-{workflow}-{event}"
        if event == "pull_request":
            commit, ref = self.repository.merge(payload["pull_request"])
        git(self.repository.tree, "checkout", "--quiet", "--force", commit)
        require(
            self.starts(workflow, event, payload), f"GitHub starts no {workflow} for this {event}: {payload}"
        )
        event_file = self.folder / f"{name}.event.json"
        event_file.write_text(json.dumps(self.payload(payload)))
        environment = {**self.environment, **(environment or {})}
        environment.update(SHA_REF=commit, GITHUB_RUN_ID=str(run_id))
        environment["GITHUB_RUN_ATTEMPT"] = str(attempt)
        environment["STAND_IN_PERMISSIONS"] = json.dumps(self.permissions(workflow))
        if ref:
            environment["GITHUB_REF"] = ref
        ours = [part for action in actions for part in ("--local-repository", action)]
        command = [
            self.tools.act,
            event,
            "-C",
            self.repository.tree,
            "-e",
            event_file,
            "-W",
            f".github/workflows/{workflow}.yml",
            "--json",
            "--no-skip-checkout",
            "--action-offline-mode",
            "--pull=false",
            "--concurrent-jobs",
            "1",
            "--use-new-action-cache",
            "--no-cache-server",
            "--defaultbranch",
            self.repository.branch,
            "--action-cache-path",
            self.folder / "act",
            "-P",
            "self-hosted=-self-hosted",
            "-P",
            "ubuntu-24.04=-self-hosted",
            "-s",
            "GITHUB_TOKEN=bot_token",
            *self.stand_ins(),
            *ours,
        ]
        for key, value in environment.items():
            command += ["--env", f"{key}={value}"]
        for key, value in ({} if is_of_a_guest(payload) else variables or {}).items():
            command += ["--var", f"{key}={value}"]
        log = self.folder / f"{name}.log"
        with log.open("w") as sink:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                timeout=900,
                check=False,
                env={**self.environment, "ACT_DISABLE_VERSION_CHECK": "1"},
            )
        run = Run(log, done.returncode)
        self.note_checks(workflow, event, payload, commit, run_id, run)
        return run

    def payload(self, payload):
        repository = {
            "full_name": REPOSITORY,
            "name": "gated",
            "default_branch": self.repository.branch,
            "owner": {"login": OWNER},
        }
        return {"repository": repository, "sender": {"login": OWNER}, **payload}

    def artifact(self, run_id, name="benchgate-result", attempt=1):
        return self.store / "artifacts" / str(run_id) / f"{name}-attempt-{attempt}"

    def result(self, run_id, name="benchgate-result", attempt=1):
        """result.json of an artifact of a run."""
        return json.loads((self.artifact(run_id, name, attempt) / "result.json").read_text())

    def close(self):
        self.api.close()


def is_of_a_guest(payload):
    """Whether a run is given no variables of the repository: that of a fork's pull request, and, to be on the safe side,
    that of Dependabot's, of which GitHub has said this and that."""
    pull = payload.get("pull_request")
    if not pull:
        return False
    return pull["head"]["repo"]["full_name"] != REPOSITORY or pull["user"].get("login") == DEPENDABOT


def free_port():
    """A port that is free, and the one behind it too."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port
