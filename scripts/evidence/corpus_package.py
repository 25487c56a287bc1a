"""A published package as a git repository of its versions and a comment. For scripts/evidence/corpus."""

import itertools
import json
import os
import shutil
import subprocess
from pathlib import Path

from common import ROOT

LIST = ROOT / "scripts/evidence/corpus.json"
# What cargo adds to a package's folder, and is not part of what was published as source.
ADDED = (".cargo-ok", ".cargo_vcs_info.json", "Cargo.toml.orig")
COMMENT = "\n// A comment changes nothing.\n"


def environment():
    """Ours without what would change another package's build or make the gate believe it runs in CI."""
    drop = ("GITHUB_", "RUNNER_", "BENCHGATE_", "CARGO_", "CRITERION_", "GIT_", "RUSTUP_")
    keep = ("CARGO_HOME", "CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTR", "CARGO_SOURCE_", "RUSTUP_HOME")
    env = {k: v for k, v in os.environ.items() if not k.startswith(drop) or k.startswith(keep)}
    for name in ("RUSTFLAGS", "RUSTDOCFLAGS"):
        env.pop(name, None)
    env["CI"] = "1"  # plain lines instead of a progress bar
    # A package may name a toolchain or its components, and rustup would install them in place of the ones in use.
    env["RUSTUP_TOOLCHAIN"] = os.environ.get("RUSTUP_TOOLCHAIN", "stable")
    env["RUSTUP_AUTO_INSTALL"] = "0"
    return env


class Package:
    def __init__(self, folder):
        self.folder = folder
        self.repo = folder / "repo"
        self.target = folder / "target"
        self.cache = folder / "cache"

    def environment(self):
        # The store of bases is the package's, too: the user's keeps what is the user's.
        own = {"CARGO_TARGET_DIR": self.target, "XDG_CACHE_HOME": self.cache}
        return environment() | {name: str(folder) for name, folder in own.items()}

    def git(self, *arguments):
        settings = ["user.name=corpus", "user.email=corpus@example.com", "commit.gpgsign=false"]
        settings += ["init.defaultBranch=main", "advice.detachedHead=false", "core.autocrlf=false"]
        flags = [part for setting in settings for part in ("-c", setting)]
        done = subprocess.run(
            ["git", "-C", self.repo, *flags, *arguments], check=True, capture_output=True, text=True
        )
        return done.stdout

    def commit(self, name):
        # Files as published have one date, and those of two versions may have one size and be written in one
        # second: git would take them for unchanged.
        self.git("read-tree", "--empty")
        # A package may ignore files that it ships.
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", name)
        self.git("tag", "--force", name)

    def state(self):
        """What must be the same before and after a run."""
        return self.git("status", "--porcelain", "--ignored"), self.git("rev-parse", "HEAD")

    def harness(self, versions):
        """The harness and its version in each lock file, published or resolved; several if they differ."""
        found = []
        for published in versions:
            tree = self.folder / f"lock-{published}"
            self.git("worktree", "add", "--quiet", "--detach", str(tree), f"v{published}")
            lock = tree / "Cargo.lock"
            if not lock.is_file():
                command = ["cargo", "generate-lockfile"]
                subprocess.run(command, cwd=tree, env=self.environment(), capture_output=True, check=False)
            lines = lock.read_text().splitlines() if lock.is_file() else []
            for line, following in itertools.pairwise(lines):
                name = line.removeprefix("name = ").strip('"')
                if name in ("criterion", "divan"):
                    version = following.split('"')[1]
                    found.append(f"{name} {version}")
            self.git("worktree", "remove", "--force", str(tree))
        return " → ".join(dict.fromkeys(found)) or None

    def clean(self):
        for folder in (self.target, self.cache):
            shutil.rmtree(folder, ignore_errors=True)


def fetch(folder, name, version):
    """The folder of a published version, by cargo itself."""
    asking = folder / f"fetch-{version}"
    shutil.rmtree(asking, ignore_errors=True)
    (asking / "src").mkdir(parents=True)
    (asking / "src/lib.rs").touch()
    (asking / "Cargo.toml").write_text(
        '[package]\nname = "asking"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n'
        f'[dependencies]\n{name} = "={version}"\n'
    )
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1"],
        cwd=asking,
        env=environment(),
        check=True,
        stdout=subprocess.PIPE,
    )
    packages = json.loads(metadata.stdout)["packages"]
    found = [p for p in packages if p["name"] == name and p["version"] == version]
    return Path(found[0]["manifest_path"]).parent


def fill(package, source):
    for path in package.repo.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(source, package.repo, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*ADDED))


def entries():
    """The packages of corpus.json by name; `old` and `new` are the last two of their versions."""
    found = {}
    for entry in json.loads(LIST.read_text()):
        found[entry["name"]] = entry | {"old": entry["versions"][-2], "new": entry["versions"][-1]}
    return found


def prepare(work, entry):
    """Commits with the tags `v` and a version; `old` and `new` for the last two; and `comment`."""
    folder = work / entry["name"]
    shutil.rmtree(folder, ignore_errors=True)
    package = Package(folder)
    package.repo.mkdir(parents=True)
    package.git("init", "--quiet")
    for version in entry["versions"]:
        fill(package, fetch(folder, entry["name"], version))
        package.commit(f"v{version}")
    for tag in ("old", "new"):
        package.git("tag", tag, f"v{entry[tag]}")
    with (package.repo / entry.get("source", "src/lib.rs")).open("a") as source:
        source.write(COMMENT)
    package.commit("comment")
    package.git("checkout", "--quiet", "new")
    return package
