"""Long measurements of what the gate claims, without the gate. For scripts/evidence/corpus.

Both versions are built by cargo alone, each in a separate checkout and target folder, with the gate's
profile. The harness's own median of a process of some seconds is a value; processes of both versions alternate.
"""

import json
import re
import statistics
import subprocess

ROUNDS = 6
WARM_UP = 1
SECONDS = 2
# A claim is confirmed when the median ratio of the rounds goes the same way, at least half as far.
SHARE = 0.5
PROFILE = {
    "CARGO_PROFILE_BENCH_LTO": "fat",
    "CARGO_PROFILE_BENCH_CODEGEN_UNITS": "1",
    "CARGO_INCREMENTAL": "0",
}


def build(package, tag):
    """The executables of a version, by suite; and the folder in which cargo would run them."""
    tree = package.folder / f"tree-{tag}"
    if not tree.is_dir():
        package.git("worktree", "add", "--quiet", "--detach", str(tree), tag)
        lock = package.repo / "Cargo.lock"
        if lock.is_file() and not (tree / "Cargo.lock").is_file():
            (tree / "Cargo.lock").write_bytes(lock.read_bytes())
    env = package.environment() | PROFILE | {"CARGO_TARGET_DIR": str(package.folder / f"long-{tag}")}

    def cargo(*arguments):
        return subprocess.run(
            ["cargo", *arguments],
            cwd=tree,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        ).stdout

    def executables(*features):
        benches = ["--benches", "--message-format", "json", "--keep-going"]
        said = cargo("build", "--profile", "bench", *benches, *features)
        messages = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        built = [m for m in messages if m.get("executable") and "bench" in m["target"]["kind"]]
        return {message["target"]["name"]: message["executable"] for message in built}

    found = executables()
    if not found:
        metadata = json.loads(cargo("metadata", "--no-deps", "--format-version", "1"))
        targets = [target for package in metadata["packages"] for target in package["targets"]]
        needed = {feature for target in targets for feature in target.get("required-features", [])}
        found = executables("--features", ",".join(sorted(needed)))
    return found, tree


def value(executable, tree, package, id):
    """Nanoseconds per iteration of one process: Criterion's own median."""
    home = package.folder / "criterion-home"
    subprocess.run(["rm", "-rf", home], check=True)
    # Not `re.escape`: older versions of Rust's regex know no escaped space.
    pattern = "^" + re.sub(r"[][\\.+*?()|{}^$]", r"\\\g<0>", id) + "$"
    subprocess.run(
        [
            executable,
            "--bench",
            "--noplot",
            "--warm-up-time",
            str(WARM_UP),
            "--measurement-time",
            str(SECONDS),
            pattern,
        ],
        cwd=tree,
        env=package.environment() | {"CRITERION_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=300,
        check=False,
    )
    for path in home.glob("**/new/benchmark.json"):
        if json.loads(path.read_text())["full_id"] == id:
            estimates = json.loads((path.parent / "estimates.json").read_text())
            return estimates.get("median", estimates.get("Median"))["point_estimate"]
    return None


def confirm(package, base, head, claims):
    """Adds to every claim about two commits what the long measurement says."""
    if not claims:
        return
    (old, old_tree), (new, new_tree) = build(package, base), build(package, head)
    if not old or not new:
        raise RuntimeError(f"{package.folder}: cargo built nothing to measure the claims with")
    for claim in claims:
        # What cannot be measured is not confirmed.
        claim["confirmed"] = False
        suite, id = claim["suite"], claim["id"]
        if claim["metric"] != "time" or suite not in old or suite not in new:
            claim["long"] = None
            continue
        ratios = []
        for number in range(ROUNDS):
            sides = [(old[suite], old_tree), (new[suite], new_tree)]
            order = [0, 1] if number % 2 == 0 else [1, 0]
            values = {side: value(*sides[side], package, id) for side in order}
            if None not in values.values():
                ratios.append(values[1] / values[0])
        if not ratios:
            claim["long"] = None
            continue
        change = statistics.median(ratios) - 1
        claimed = claim["change"]["estimate"]
        claim["long"] = {"change": round(change, 4), "rounds": len(ratios)}
        claim["confirmed"] = change * claimed > 0 and abs(change) >= SHARE * abs(claimed)
