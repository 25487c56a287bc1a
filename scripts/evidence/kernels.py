"""A repository with the accuracy lab's kernels, whose commits do more work, for the scripts of this folder."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from common import ROOT

KERNELS = ROOT / "crates/benchgate-lab/kernels"
WORDS = "[0x6c61_622d_776f_7264, 0, 0, 0]"
SIZES = "pub static SIZES: [usize; 1] = [1];"
# What moves the code behind it: nothing runs it, and the linker keeps it.
FILLER = """
std::arch::global_asm!(".section .text.filler,\\"axR\\",@progbits", ".skip {bytes}, 0x90", ".text");
"""
# Above it a machine does other things than measuring.
MOST_LOAD = 0.7
MANIFEST = """[package]
name = "kernels"
version = "0.1.0"
edition = "2024"
autobins = false

[workspace]

[dev-dependencies]
criterion = { version = "=0.8.2", default-features = false, features = ["cargo_bench_support"] }

[[bench]]
name = "kernels"
path = "src/main.rs"
harness = false
"""


@dataclass(frozen=True)
class Head:
    """A commit that does this percentage of more work, at the sizes of these indices; at all sizes if there are none. Its
    code is moved by so many bytes."""

    percent: int
    slower: tuple = ()
    moved: int = 0

    def words(self, count):
        spared = sum(1 << index for index in range(count) if self.slower and index not in self.slower)
        return f"[0x6c61_622d_776f_7264, {self.percent}, 0, {spared}]"


def git(repository, *arguments):
    identity = ["-c", "user.name=kernels", "-c", "user.email=kernels@localhost"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=repository, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def replace(path, old, new):
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{path}: `{old}` occurs {text.count(old)} times, expected once")
    path.write_text(text.replace(old, new))


def repository(folder, policy, heads, sizes=(1,)):
    """Makes the repository again; returns the commit of each head."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(KERNELS / "src", folder / "src")
    (folder / "src/lib.rs").write_text("")
    (folder / "Cargo.toml").write_text(MANIFEST)
    (folder / "benchgate.toml").write_text(policy)
    (folder / ".gitignore").write_text("/target\n")
    listed = ", ".join(str(size) for size in sizes)
    replace(folder / "src/kernels.rs", SIZES, f"pub static SIZES: [usize; {len(sizes)}] = [{listed}];")
    subprocess.run(["cargo", "generate-lockfile", "--quiet"], cwd=folder, check=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    commits = {}
    words = WORDS
    main = folder / "src/main.rs"
    unmoved = main.read_text()
    for head in heads:
        replace(folder / "src/inject.rs", words, head.words(len(sizes)))
        words = head.words(len(sizes))
        main.write_text(unmoved + (FILLER.format(bytes=head.moved) if head.moved else ""))
        what = f"{head.percent} % more work, moved by {head.moved} bytes"
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--allow-empty", "-m", what)
        commits[head] = git(folder, "rev-parse", "HEAD")
    return commits


def check(gate, folder, base, head, seed, variables=None):
    """Compares two commits; log and cache are next to the folder. Returns the exit code, and the result or `None`."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder.parent / "cache"), **(variables or {})}
    # The variable would be the same folder for every repository.
    environment.pop("CARGO_TARGET_DIR", None)
    options = ["--base", base, "--head", head, "--measure-identical", "--seed", str(seed)]
    written = folder / "target/benchgate/result.json"
    # What crashes leaves none: that of an earlier check is not its result.
    written.unlink(missing_ok=True)
    with (folder.parent / "check.log").open("a") as sink:
        command = [gate, "check", *options]
        done = subprocess.run(command, cwd=folder, env=environment, stdout=sink, stderr=sink, check=False)
    return done.returncode, json.loads(written.read_text()) if written.exists() else None


def refuse_load(is_refused):
    load = os.getloadavg()[0]
    if is_refused and load > MOST_LOAD:
        sys.exit(f"nothing is recorded: the load is {load:.2f}, at most {MOST_LOAD} is taken for quiet")
    return load
