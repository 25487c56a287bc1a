"""What a release is of: version, repository, packages, and where its files go."""

import json
import os
import re
import subprocess
from pathlib import Path

# Both are linked against musl, which is part of the executable: no library of the machine is used.
TARGETS = {"x86_64": "x86_64-unknown-linux-musl", "aarch64": "aarch64-unknown-linux-musl"}
# The crates of the product. What else the workspace holds is measured by it, or makes it.
PRODUCT = ("benchgate-core", "benchgate-runtime", "benchgate-host", "benchgate")
PLACEHOLDER = "OWNER"


class Failed(Exception):
    """A release that would be wrong."""


def require(condition, message):
    if not condition:
        raise Failed(message)


def note(text):
    print(text, flush=True)


def run(*command, cwd=None, env=None, status=0):
    """Runs to its end and gives its output; its errors are part of ours."""
    shown = " ".join(str(part) for part in command)
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    if status is not None and done.returncode != status:
        text = (done.stdout + done.stderr).strip()[-6000:]
        raise Failed(f"`{shown}` ended with {done.returncode}, expected {status}\n{text}")
    return done


class Project:
    def __init__(self, root, options):
        self.root, self.options = root, options
        target = Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
        self.target = target if target.is_absolute() else root / target
        self.work = self.target / "releasing"
        self.files = self.work / "files"
        self.not_done = []
        found = run("cargo", "metadata", "--locked", "--offline", "--no-deps", "--format-version=1", cwd=root)
        self.metadata = json.loads(found.stdout)
        self.packages = {package["name"]: package for package in self.metadata["packages"]}
        self.version = self.packages["benchgate"]["version"]
        self.repository = self.packages["benchgate"]["repository"] or ""

    @property
    def tag(self):
        return f"v{self.version}"

    @property
    def name(self):
        """`owner/name`, from the one setting for it."""
        found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+)", self.repository)
        require(
            found, f"Cargo.toml: `repository` is `{self.repository}`: expected https://github.com/OWNER/NAME"
        )
        return found[1]

    def download(self, file):
        return f"{self.repository}/releases/download/{self.tag}/{file}"

    def git(self, *arguments, status=0):
        return run("git", "-C", self.root, *arguments, status=status)

    def committed(self):
        """What is not, as git lists it."""
        return not self.git("status", "--porcelain").stdout.strip()

    def pin(self, name):
        """A version that the action pins."""
        text = (self.root / "scripts/ci/common.sh").read_text()
        found = re.search(rf"^{name}=(\S+)$", text, re.M)
        require(found, f"scripts/ci/common.sh holds no {name}")
        return found[1]
