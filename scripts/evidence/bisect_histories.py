"""Git histories with planted slowdowns, drawn from a seed. For scripts/evidence/bisect-repositories."""

import random
import shutil
import subprocess
from dataclasses import dataclass

# The repositories with slowdowns among commits of which a fifth do not build.
PLANTED = 30
# Those after them have one slowdown, and all commits build.
ALL_BUILD = 10
# Those after them have no slowdown; in every other one a fifth of the commits do not build.
EMPTY = 10
REPOSITORIES = PLANTED + ALL_BUILD + EMPTY
# The last of each kind: the benches are Criterion's and do the work.
REAL = {PLANTED - 2, PLANTED - 1, PLANTED + ALL_BUILD - 1, REPOSITORIES - 1}
# The time of the good commit, in ns; of a real bench, the iterations of its loop.
START = 1000
# Commits that do not build come in runs of at most this number.
LONGEST_RUN = 3

BROKEN = 'compile_error!("planted: this commit does not build");\n'

# Speaks `benchgate.rounds/1`. Half a percent of noise, and 3 % of the processes are 8 % slower throughout.
DRAWN_BENCH = """\
use std::time::{SystemTime, UNIX_EPOCH};

const SPEEDS: [(&str, f64); 2] = [("decode", DECODE), ("encode", ENCODE)];

fn noise() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut draw = now ^ (u64::from(std::process::id()) << 32);
    let mut uniform = || {
        draw = draw.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (draw ^ (draw >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let slow = if uniform() < 0.03 { 1.08 } else { 1.0 };
    slow * (1.0 + 0.01 * (uniform() - 0.5))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let line = |id: &str| format!(r#"{{"schema":"benchgate.rounds/1","id":"{id}""#);
    match arguments.last().map(String::as_str) {
        Some("--help") => println!("speaks benchgate.rounds/1"),
        Some("--list") => SPEEDS.iter().for_each(|(id, _)| println!("{}}}", line(id))),
        wanted => {
            for (id, ns) in SPEEDS.iter().filter(|(id, _)| wanted == Some(id)) {
                let value = ns * noise();
                println!(r#"{},"metric":"time","unit":"ns","value":{value}}}"#, line(id));
            }
        }
    }
}
"""

REAL_BENCH = """\
use std::hint::black_box;

fn work(rounds: u64) -> u64 {
    (0..rounds).fold(1, |sum: u64, next| black_box(sum.rotate_left(5) ^ next))
}

fn main() {
    let mut criterion = criterion::Criterion::default().configure_from_args();
    criterion.bench_function("decode", |b| b.iter(|| work(black_box(DECODE as u64))));
    criterion.bench_function("encode", |b| b.iter(|| work(black_box(ENCODE as u64))));
}
"""

MANIFEST = """\
[package]
name = "parser"
version = "0.1.0"
edition = "2024"

[workspace]

[profile.bench]
opt-level = {level}
codegen-units = 1

[[bench]]
name = "speed"
harness = false
"""

CRITERION = '\n[dev-dependencies]\ncriterion = { version = "=0.8.2", default-features = false }\n'

# The fakes measure nothing, and Criterion is built once: what a profile would add is time.
POLICY = '[build]\nprofile = "own"\nlayouts = 0\n'


@dataclass
class Commit:
    """A commit of the first-parent history."""

    kind: str  # docs or code
    slowdown: float | None = None
    is_merge: bool = False
    is_broken: bool = False


class History:
    def __init__(self, folder, seed):
        self.folder = folder
        self.repo = folder / "repo"
        self.seed = seed
        self.is_real = seed in REAL
        self.plan = plan(seed)

    def planted(self):
        return [
            {"commit": number, "slowdown": commit.slowdown}
            for number, commit in enumerate(self.plan)
            if commit.slowdown
        ]

    def git(self, *arguments):
        settings = ["user.name=planted", "user.email=planted@localhost", "commit.gpgsign=false"]
        flags = [part for setting in settings for part in ("-c", setting)]
        subprocess.run(["git", *flags, *arguments], cwd=self.repo, check=True, capture_output=True)

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def make(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.repo / "benches").mkdir(parents=True)
        (self.repo / "src").mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        (self.repo / ".gitignore").write_text("/target\n")
        (self.repo / "benchgate.toml").write_text(POLICY)
        manifest = MANIFEST.format(level=2 if self.is_real else 0)
        (self.repo / "Cargo.toml").write_text(manifest + (CRITERION if self.is_real else ""))
        time = START
        for number, commit in enumerate(self.plan):
            time = round(time * (1 + (commit.slowdown or 0)))
            if commit.is_merge:
                self.git("checkout", "--quiet", "-b", f"side-{number}")
                (self.repo / f"notes-{number}.md").write_text("A first step.\n")
                self.commit(f"begin {number}")
            self.write(number, commit, time)
            if number == 0:
                subprocess.run(["cargo", "generate-lockfile", "--quiet"], cwd=self.repo, check=True)
            self.commit(f"end {number}" if commit.is_merge else f"change {number}")
            if commit.is_merge:
                self.git("checkout", "--quiet", "main")
                self.git("merge", "--quiet", "--no-ff", "--message", f"change {number}", f"side-{number}")
            if number == 0:
                self.git("tag", "good")

    def write(self, number, commit, time):
        (self.repo / "README.md").write_text(f"Edition {number}.\n")
        (self.repo / "src/lib.rs").write_text(BROKEN if commit.is_broken else "")
        if commit.kind == "docs":
            return
        bench = REAL_BENCH if self.is_real else DRAWN_BENCH
        speeds = f"const DECODE: f64 = {time}.0;\nconst ENCODE: f64 = {50 + number}.0;\n\n"
        (self.repo / "benches/speed.rs").write_text(speeds + bench)


def slowdowns(seed):
    if seed < PLANTED:
        return 1 + seed % 2
    return 1 if seed < PLANTED + ALL_BUILD else 0


def has_broken(seed):
    return seed < PLANTED or (seed >= PLANTED + ALL_BUILD and seed % 2 == 1)


def plan(seed):
    """The commits that begin with the good one; the good and the bad one build."""
    draw = random.Random(seed)
    last = draw.randint(8, 40)
    kinds = ["code", *draw.choices(["docs", "code"], [1, 3], k=last)]
    commits = [Commit(kind) for kind in kinds]
    for number in draw.sample(range(1, last + 1), slowdowns(seed)):
        commits[number].slowdown = round(draw.uniform(0.08, 0.25), 3)
        commits[number].kind = "code"
    for commit in commits[1:]:
        commit.is_merge = draw.random() < 0.2
    if has_broken(seed):
        wanted = round(last / 5)
        while wanted:
            run = min(wanted, draw.randint(1, LONGEST_RUN))
            begin = draw.randint(1, last - run)
            if not any(commit.is_broken for commit in commits[begin : begin + run]):
                for commit in commits[begin : begin + run]:
                    commit.is_broken = True
                wanted -= run
    return commits
