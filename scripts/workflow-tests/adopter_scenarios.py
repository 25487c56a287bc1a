"""What a repository meets that is not this one: its crate is in a subfolder, its default branch has another name,
and all that it has of this project is what `benchgate init` writes."""

import os
import re
import shlex
import shutil
import subprocess

import events
from world import DEPENDABOT, REPOSITORY, ROOT, STAND_INS, Repository, git, replace, require

ACTION, COMMIT = "octo/benchgate", "0123456789abcdef0123456789abcdef01234567"
SCALED = "a (b)/c+d [1]"
HERE = {"BENCHGATE_DOCTOR": "report"}


class Adopter(Repository):
    branch = "trunk"
    workspace = "engine"
    starts_clean = True
    adopted = False

    def equip(self):
        """Nothing."""

    def slower(self, branch):
        return self.change(branch, (self.lib, "WORK: u64 = 1_000;", "WORK: u64 = 5_000;"))


def actions(world):
    return [f"{ACTION}@{COMMIT}={world.action()}"]


def follow(world, page, section):
    """Runs the commands of a section, as they are but for the names that a reader fills in."""
    text = (ROOT / "docs" / page).read_text()
    heading = re.search(rf"(?m)^(#+) {section}$", text)
    text = re.split(rf"(?m)^#{{1,{len(heading[1])}}} ", text[heading.end() :])[0]
    commands = "".join(re.findall(r"```sh\n(.*?)```", text, re.S))
    filled = re.sub(r"(?<=--action-repository )[\w.-]+/[\w.-]+", ACTION, commands).replace(
        "FULL_COMMIT_SHA", COMMIT
    )
    require(ACTION in filled and COMMIT in filled, f"{page}, {section}: nothing to fill in: {commands}")
    return shell(world, filled)


def shell(world, script):
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com"}
    names |= {key.replace("AUTHOR", "COMMITTER"): value for key, value in names.items()}
    path = f"{world.tools.benchgate.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=world.repository.crate,
        env={**world.environment, **names, "PATH": path},
        text=True,
        capture_output=True,
        check=False,
    )
    require(done.returncode == 0, f"exit {done.returncode}: {script}: {done.stdout}{done.stderr}")
    return done.stdout


def adopt(world):
    """The repository as the tutorial leaves it; once."""
    repository = world.repository
    if repository.adopted:
        return None
    repository.adopted = True
    repository.empty = repository.main
    git(repository.tree, "checkout", "--quiet", "--force", "-B", repository.branch, repository.main)
    # It is what `init` would write with the limits of a quiet machine.
    said = follow(world, "adopt.md", "On GitHub's machines")
    repository.main = repository.commit(repository.branch, "more")
    world.api.ask("POST", "/_main", {"commit": repository.main})
    return said


def report(world, run_id, head, branch, action, conclusion=None, variables=None, **more):
    payload = events.workflow_run("benchgate", run_id, head, branch, conclusion, action=action, **more)
    main = world.repository.main
    of = {"actions": actions(world), "variables": variables}
    return world.act("benchgate-report", "workflow_run", payload, main, **of)


def measure(world, branch, head, run_id, runner=None, **of):
    """The run for a pull request; on a machine of one's own unless a `runner` is said."""
    event = events.pull_request(branch, head, world.repository.main, "trunk", **of)
    of = {"variables": HERE, "run_id": run_id, "actions": actions(world)}
    if runner:
        of["environment"] = {"RUNNER_ENVIRONMENT": runner}
    return world.act("benchgate", "pull_request", event, head, **of)


def from_an_empty_repository_to_a_red_and_a_green_pull_request(world):
    said = adopt(world)
    for setting in (
        "require the status check `gate`",
        "approval for all external",
        "machine with the labels",
    ):
        require(setting in said, f"`{setting}` is not in: {said}")
    workflow = (world.repository.tree / ".github/workflows/benchgate.yml").read_text()
    require("branches: [trunk]" in workflow and "workspace: engine" in workflow, workflow)

    head = world.repository.slower("slower")
    number = world.api.pull("slower", head, world.repository.main)
    report(world, 300, head, "slower", "requested").expect(pending="success")
    require(world.api.status(head)["description"] == "waiting for a runner", f"{world.api.status(head)}")
    report(world, 300, head, "slower", "in_progress").expect(pending="success")
    require(world.api.status(head)["state"] == "pending", f"{world.api.status(head)}")

    run = measure(world, "slower", head, 300, runner="github-hosted")
    run.expect(measure="failure", gate="failure").says("regression proven (exit 100)")
    [benchmark] = [b for b in world.result(300)["benchmarks"] if b["id"] == SCALED]
    require(benchmark["finding"] == "critical", f"{benchmark}")

    report(world, 300, head, "slower", "completed", "failure").expect(render="success", post="success")
    [comment] = world.api.comments(number)
    require("critical" in comment["body"] and "## ❌" in comment["body"], comment["body"])
    require(world.api.status(head)["state"] == "failure", f"{world.api.status(head)}")
    # Late, and of the same run.
    report(world, 300, head, "slower", "in_progress").expect(pending="success").says("answered")
    require(world.api.status(head)["state"] == "failure", f"{world.api.status(head)}")
    require(not world.may_merge(head), "what is red can be merged")

    # The next push takes it back, but for a trace that is measured.
    head = world.repository.change(
        "slower", (world.repository.lib, "WORK: u64 = 1_000;", "WORK: u64 = 1_001;")
    )
    world.api.push("slower", head)
    measure(world, "slower", head, 301, runner="github-hosted").expect(measure="success", gate="success")
    [benchmark] = [b for b in world.result(301)["benchmarks"] if b["id"] == SCALED]
    require(benchmark["finding"] == "unchanged", f"{benchmark}")
    report(world, 301, head, "slower", "completed", "success").expect(render="success", post="success")
    [comment] = world.api.comments(number)
    require("## ✅" in comment["body"], comment["body"])
    status = world.api.status(head)
    require((status["context"], status["state"]) == ("benchgate", "success"), f"{status}")
    require(world.may_merge(head), "what is green cannot be merged")


def a_queue_of_merges_is_measured(world):
    adopt(world)
    head = world.repository.change("queued", (world.repository.lib, "// Queued.\n"))
    event, ref = events.merge_group(head, world.repository.main, "trunk")
    of = {"variables": HERE, "run_id": 303, "ref": ref, "actions": actions(world)}
    world.act("benchgate", "merge_group", event, head, **of).expect(measure="success", gate="success")
    report(world, 303, head, "queued", "completed", "success", event="merge_group").expect(
        render="success", post="success"
    )
    require(world.api.status(head)["state"] == "success", f"{world.api.status(head)}")
    require(world.may_merge(head), "the queue waits for ever")


def a_machine_of_ones_own_measures(world):
    """From the same repository, before it had any workflow. Its machine is set up in scripts/runner/runner.test.mjs."""
    adopt(world)
    repository, main = world.repository, world.repository.main
    git(repository.tree, "checkout", "--quiet", "--force", "-B", "own", repository.empty)
    require(not (repository.tree / ".github").exists(), "there are workflows already")
    follow(world, "adopt.md", "The repository")
    base = repository.commit("own", "more")
    workflow = (repository.tree / ".github/workflows/benchgate.yml").read_text()
    labels = "runs-on: [self-hosted, linux, x64, manjaro, bench]"
    require(labels in workflow and "ubuntu" not in workflow.split("gate:")[0], workflow)
    try:
        repository.main = base
        for words, change, end in (
            ("unchanged", ("README.md", "Words.\n"), "success"),
            ("slower", (repository.lib, "WORK: u64 = 1_000;", "WORK: u64 = 5_000;"), "failure"),
        ):
            head = repository.change(f"own-{words}", change)
            run = measure(world, f"own-{words}", head, 305 + (end == "failure"))
            run.expect(measure=end, gate=end)
        run.says("regression proven (exit 100)")
        fork = events.pull_request("own-slower", head, base, "trunk", repository="outsider/gated")
        run = world.act(
            "benchgate", "pull_request", fork, head, variables=HERE, run_id=307, actions=actions(world)
        )
        run.expect(gate="failure").says("a fork's code does not run")
    finally:
        repository.main = main


def a_change_of_the_workflow_that_measures_it_is_not_believed(world):
    adopt(world)
    head = world.repository.change(
        "grades-itself", (".github/workflows/benchgate.yml", "timeout: 100m", "timeout: 99m")
    )
    number = world.api.pull("grades-itself", head, world.repository.main)
    measure(world, "grades-itself", head, 310).expect(measure="success", gate="success")
    report(world, 310, head, "grades-itself", "completed", "success").expect(render="success", post="success")
    [comment] = world.api.comments(number)
    words = "this change edits .github/workflows/benchgate.yml, which measured it"
    require(words in comment["body"], comment["body"])
    require(world.api.status(head)["state"] == "error", f"{world.api.status(head)}")


def a_run_of_another_workflow_or_runner_is_refused(world):
    adopt(world)
    head = world.repository.change("elsewhere", ("README.md", "More words.\n"))
    number = world.api.pull("elsewhere", head, world.repository.main)
    mine = {"path": ".github/workflows/mine.yml"}
    report(world, 315, head, "elsewhere", "completed", "success", **mine).expect(
        render="success", post="success"
    )
    [comment] = world.api.comments(number)
    require("the run is not of .github/workflows/benchgate.yml" in comment["body"], comment["body"])
    require(world.api.status(head)["state"] == "error", f"{world.api.status(head)}")
    measured = {"name": "measure", "runner_group_name": "Default", "labels": ["self-hosted"]}
    world.api.ask("POST", "/_jobs", [measured])
    group = {"BENCHGATE_RUNNER_GROUP": "bench"}
    try:
        run = report(world, 316, head, "elsewhere", "completed", "success", variables=group)
    finally:
        world.api.ask("POST", "/_jobs", [])
    run.expect(render="success", post="success")
    [comment] = world.api.comments(number)
    require("it was not measured by a runner of the group bench" in comment["body"], comment["body"])
    require(world.api.status(head)["state"] == "error", f"{world.api.status(head)}")


def a_fork_is_measured_on_a_hosted_runner_and_reported_as_one(world):
    adopt(world)
    fork = "outsider/gated"
    head = world.repository.change("their-change", ("README.md", "Words of a fork.\n"))
    number = world.api.pull("their-change", head, world.repository.main, fork=True)
    for run_id, runner, group, jobs, state in (
        (324, "self-hosted", "Default", "failure", "error"),
        (325, "github-hosted", "Default", "success", "error"),
        (326, "github-hosted", "GitHub Actions", "success", "success"),
    ):
        run = measure(world, "their-change", head, run_id, runner=runner, repository=fork)
        run.expect(measure=jobs, gate=jobs)
        require(world.artifact(run_id).exists() == (jobs == "success"), f"{runner}: {run.path}")
        job = {"name": "measure", "runner_group_name": group, "labels": ["ubuntu-24.04"]}
        world.api.ask("POST", "/_jobs", [job])
        report(world, run_id, head, "their-change", "completed", jobs, repository=fork).expect(
            render="success", post="success"
        )
        status = world.api.status(head)
        require((status["context"], status["state"]) == ("benchgate (fork)", state), f"{group}: {status}")
    world.api.ask("POST", "/_jobs", [])
    comment = world.api.comments(number)[-1]
    require("Measured in the fork's own run" in comment["body"], comment["body"])


def dependabots_pull_request_is_measured_on_a_hosted_runner(world):
    adopt(world)
    head = world.repository.change("bump", ("README.md", "Words of Dependabot.\n"))
    run = measure(world, "bump", head, 327, runner="github-hosted", author="Bot", login=DEPENDABOT)
    run.expect(measure="success", gate="success")


def two_pull_requests_of_one_commit_do_not_share_a_green_status(world):
    """One onto the default branch, one onto a branch whose workflow says whatever its author likes."""
    adopt(world)
    head = world.repository.change("shared", ("README.md", "Other words.\n"))
    number = world.api.pull("shared", head, world.repository.main)
    measure(world, "shared", head, 320).expect(measure="success", gate="success")
    world.api.ask("POST", "/_again", {"branch": "shared", "onto": "mine"})
    report(world, 320, head, "shared", "completed", "success").expect(render="success", post="success")
    [comment] = world.api.comments(number)
    require("is of the same commit onto another branch" in comment["body"], comment["body"])
    require(world.api.status(head)["state"] == "error", f"{world.api.status(head)}")


def six_lines_are_enough(world):
    """Those of the README, in a repository that has no workflow of ours."""
    lines = re.search(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    require(len(lines.splitlines()) == 6, f"not six lines:\n{lines}")
    lines = re.sub(r"[\w.-]+/[\w.-]+(?=/\.github/)", ACTION, lines).replace("FULL_COMMIT_SHA", COMMIT)
    require(f"{ACTION}/.github/actions/benchgate@{COMMIT}" in lines, lines)
    # The crate of these scenarios is in a subfolder.
    lines = lines.replace(f"@{COMMIT}", f"@{COMMIT}, with: {{ workspace: engine }}")
    base = world.repository.change("six-lines-base", (".github/workflows/six.yml", lines))
    git(world.repository.tree, "checkout", "--quiet", "-B", "six-lines")
    path = world.repository.tree / world.repository.lib
    path.write_text(path.read_text().replace("WORK: u64 = 1_000;", "WORK: u64 = 5_000;"))
    head = world.repository.commit("six-lines", "slower")
    fork = {"repository": "outsider/gated"}
    for run_id, runner, of, words, measured in (
        (330, "self-hosted", {}, "regression proven", True),
        (331, "self-hosted", fork, "not measured: the code of a fork does not run", False),
        (332, "self-hosted", {"author": "Bot"}, "not measured: a bot opened this pull request", False),
        (333, "github-hosted", {**fork, "author": "Bot"}, "regression proven", True),
    ):
        event = events.pull_request("six-lines", head, base, "trunk", **of)
        on = {"run_id": run_id, "actions": actions(world), "environment": {"RUNNER_ENVIRONMENT": runner}}
        run = world.act("six", "pull_request", event, head, **on)
        run.expect(benchgate="failure").says(words)
        require(world.artifact(run_id).exists() == measured, f"{words}: artifact {not measured}")
        if not measured:
            checkout = "Success - Main actions/checkout"
            run.never_says(checkout)


def action_alone(world, inputs):
    """A workflow of one job."""
    return f"""\
on: [push, pull_request]
permissions: {{}}
jobs:
  benchgate:
    runs-on: ubuntu-24.04
    permissions: {{ contents: read }}
    steps:
      - uses: {ACTION}/.github/actions/benchgate@{COMMIT}
        with: {{ workspace: {world.repository.workspace}, {inputs} }}
"""


def a_runner_that_starts_clean_builds_the_head_alone(world):
    # A runner has one folder for a repository; act has another one for each run.
    checkout = world.folder / "checkout"
    workflow = action_alone(world, f"working-directory: {checkout}, bases: cache")
    before = world.repository.main
    after = world.repository.change("trunk", (".github/workflows/clean.yml", workflow))
    kept = os.path.join(world.environment["XDG_CACHE_HOME"], "benchgate/bases")
    of = {"ref": "refs/heads/trunk", "run_id": 337, "actions": actions(world)}
    event = {"ref": "refs/heads/trunk", "before": before, "after": after}
    world.act("clean", "push", event, after, **of).expect(benchgate="success").says("kept: ")
    require(os.path.isdir(kept), f"no {kept}")
    saved = (world.store / "caches.log").read_text()
    require(f"save benchgate-bases-Linux-X64-{after}" in saved, saved)

    git(world.repository.tree, "checkout", "--quiet", "-B", "clean")
    path = world.repository.tree / world.repository.lib
    path.write_text(path.read_text().replace("WORK: u64 = 1_000;", "WORK: u64 = 5_000;"))
    head = world.repository.commit("clean", "slower")
    event = events.pull_request("clean", head, after, "trunk")
    run = world.act("clean", "pull_request", event, head, run_id=338, actions=actions(world))
    run.expect(benchgate="failure").says("regression proven", "1 of 1 suites of the base were built before")


def a_crate_of_a_submodule_is_measured(world):
    """The action checks it out: the gate asks cargo for the workspace in that checkout."""
    adopt(world)
    part = world.folder / "part"
    (part / "src").mkdir(parents=True)
    (part / "Cargo.toml").write_text('[package]\nname = "part"\nversion = "0.1.0"\nedition = "2021"\n')
    (part / "src/lib.rs").write_text("pub const WORK: u64 = 1_000;\n")
    git(part, "init", "--quiet")
    git(part, "add", "--all")
    git(part, "commit", "--quiet", "--message", "a part")

    tree, crate = world.repository.tree, world.repository.crate
    git(tree, "checkout", "--quiet", "--force", "-B", "parts", world.repository.main)
    place = f"{world.repository.workspace}/part"
    git(tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, place)
    manifest = crate / "Cargo.toml"
    replace(
        manifest, "[dev-dependencies]\n", '[dependencies]\npart = { path = "part" }\n\n[dev-dependencies]\n'
    )
    replace(tree / world.repository.lib, "WORK: u64 = 1_000;", "WORK: u64 = part::WORK;")
    subprocess.run(
        ["cargo", "metadata", "--quiet", "--offline", "--format-version", "1"],
        cwd=crate,
        env=world.environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (tree / ".github/workflows/parts.yml").write_text(action_alone(world, "submodules: recursive"))
    base = world.repository.commit("parts", "a part")
    replace(tree / world.repository.lib, "part::WORK", "5 * part::WORK")
    head = world.repository.commit("parts", "slower")
    event = events.pull_request("parts", head, base, "trunk")
    run = world.act("parts", "pull_request", event, head, run_id=341, actions=actions(world))
    git(tree, "submodule", "--quiet", "deinit", "--all", "--force")
    run.expect(benchgate="failure").says("regression proven")


def shards_are_measured_apart_and_one_job_decides(world):
    """The jobs of docs/github.md."""
    text = (ROOT / "docs/github.md").read_text()
    [jobs] = [block for block in re.findall(r"```yaml\n(.*?)```", text, re.S) if "shards:" in block]
    jobs = jobs.replace("OWNER/benchgate", ACTION).replace("FULL_COMMIT_SHA", COMMIT)
    workspace, branch = f"workspace: {world.repository.workspace} }}", world.repository.branch
    jobs = jobs.replace("shards: 2 }", f"shards: 2, {workspace}")
    # Here both are on one machine, one after the other, and the second one finds nothing of the first.
    jobs = jobs.replace("shard: [1, 2] } }", "shard: [1, 2] }, max-parallel: 1 }")
    jobs = jobs.replace("method: merge }", f"method: merge, {workspace}")
    workflow = "on: [pull_request]\npermissions: {}\n" + jobs
    base = world.repository.change("shards-base", (".github/workflows/shards.yml", workflow))
    git(world.repository.tree, "checkout", "--quiet", "-B", "shards")
    path = world.repository.tree / world.repository.lib
    path.write_text(path.read_text().replace("WORK: u64 = 1_000;", "WORK: u64 = 5_000;"))
    head = world.repository.commit("shards", "slower")
    event = events.pull_request("shards", head, base, branch)
    run = world.act("shards", "pull_request", event, head, run_id=335, actions=actions(world))
    run.expect(measure="success", benchgate="failure").says(
        "measured: the job that merges the shards decides", "regression proven"
    )
    parts = [world.result(335, f"benchgate-result-shard-{number}") for number in (1, 2)]
    merged = world.result(335)
    require(
        len(merged["benchmarks"]) == sum(len(part["benchmarks"]) for part in parts),
        f"{len(merged['benchmarks'])} benchmarks",
    )
    require(merged["verdict"] == "regression", merged["verdict"])

    # A shard that is not there is missed.
    lost = workflow.replace("shard: [1, 2]", "shard: [2]")
    (world.repository.tree / ".github/workflows/shards.yml").write_text(lost)
    head = world.repository.commit("shards", "one of two")
    event = events.pull_request("shards", head, base, branch)
    run = world.act("shards", "pull_request", event, head, run_id=336, actions=actions(world))
    run.expect(measure="success", benchgate="failure").says(
        "could not measure (exit 101)", "of 2 shards 1 is missing"
    )


def a_hosted_label_is_enough_and_a_slowdown_since_the_release_is_red(world):
    """Eight steps that each pass alone are one of these: the default branch is compared with its last tag."""
    adopt(world)
    git(world.repository.tree, "checkout", "--quiet", "--force", "--detach", world.repository.main)
    shell(
        world,
        f"git checkout --quiet -B hosted && rm -r ../.github && benchgate init --workflows --runs-on ubuntu-24.04 "
        f"--action-repository {ACTION} --action-sha {COMMIT}",
    )
    path = world.repository.tree / world.repository.lib
    path.write_text(path.read_text().replace("WORK: u64 = 1_000;", "WORK: u64 = 5_000;"))
    head = world.repository.commit("hosted", "slower since the release")
    of = {"run_id": 340, "ref": "refs/heads/trunk", "actions": actions(world)}
    run = world.act("benchgate-anchor", "workflow_dispatch", {}, head, **of)
    run.expect(release="success", measure="failure").says("--anchor", "regression proven")
    require(world.result(340, "benchgate-anchor")["verdict"] == "regression", "not a regression")


def without_a_release_nothing_is_measured_and_nothing_is_red(world):
    adopt(world)
    bare, main = world.repository.bare, world.repository.main
    git(bare, "tag", "--delete", "v0.1.0")
    of = {"ref": "refs/heads/trunk", "actions": actions(world)}
    run = world.act("benchgate-anchor", "workflow_dispatch", {}, main, run_id=342, **of)
    run.expect(release="success").says("nothing is measured", "there is none")
    # A release of the tip itself is none to compare it with.
    git(bare, "tag", "v9.9.9", main)
    run = world.act("benchgate-anchor", "workflow_dispatch", {}, main, run_id=343, **of)
    run.expect(release="success").says("nothing is measured", "there is none")
    git(bare, "tag", "--delete", "v9.9.9")
    git(world.repository.tree, "push", "--quiet", bare, "v0.1.0")


def baselines_of_a_subfolder_are_proposed_in_it(world):
    adopt(world)
    main = world.repository.main
    git(
        world.repository.tree, "push", "--quiet", "--force", world.repository.bare, f"{main}:refs/heads/trunk"
    )
    run = world.act(
        "benchgate-baseline",
        "workflow_dispatch",
        {"inputs": {"reason": ""}},
        main,
        variables=HERE,
        run_id=350,
        ref="refs/heads/trunk",
        actions=actions(world),
    )
    run.expect(measure="success", propose="success")
    pulls = world.api.ask("GET", f"/repos/{REPOSITORY}/pulls?state=open&per_page=100")
    [pull] = [p for p in pulls if p["title"].startswith("Baselines of ")]
    require(pull["base"]["ref"] == "trunk", f"{pull}")
    tip = world.api.ask("GET", f"/repos/{REPOSITORY}/git/ref/heads/{pull['head']['ref']}")
    commit = world.api.ask("GET", f"/repos/{REPOSITORY}/git/commits/{tip['object']['sha']}")
    tree = world.api.ask("GET", f"/repos/{REPOSITORY}/git/trees/{commit['tree']['sha']}?recursive=1")["tree"]
    files = [entry["path"] for entry in tree if entry["type"] == "blob" and entry["path"] != "README.md"]
    require(
        len(files) == 1 and re.fullmatch(r"engine/baselines/[^/]+/fixture\.first\.json", files[0]), f"{files}"
    )


def cargo_that_has_built(world):
    """A folder with the stand-in for cargo, and what it gives."""
    folder = world.folder / "cargo-that-has-built"
    folder.mkdir()
    shutil.copy(STAND_INS / "already-built/cargo.sh", folder / "cargo")
    [version] = re.findall(r"(?m)^CRITCMP_VERSION=(\S+)$", (ROOT / "scripts/ci/common.sh").read_text())
    tools = {
        "BENCHGATE": world.tools.benchgate,
        "CRITCMP": world.tools.critcmp,
        "CRITCMP_VERSION": version,
        "CARGO": shutil.which("cargo"),
    }
    lines = [f"{name}={shlex.quote(str(value))}\n" for name, value in tools.items()]
    (folder / "tools.sh").write_text("".join(lines))
    return folder


def a_cold_start_builds_its_tools_and_saves_them_before_anything_is_measured(world):
    """Nothing is cached, so a job asks cargo for all of its tools."""
    adopt(world)
    caches, away = world.store / "caches", world.store / "caches-away"
    caches.rename(away)
    caches.mkdir()
    (world.store / "caches.log").write_text("")
    path = world.environment["PATH"]
    world.environment["PATH"] = f"{cargo_that_has_built(world)}:{path}"
    before = world.repository.main
    # Words alone would be built by nobody, and no base kept; code that is identical is no point of the history.
    head = world.repository.change("warm", (world.repository.lib, "WORK: u64 = 1_000;", "WORK: u64 = 1_001;"))
    try:
        event = {"ref": "refs/heads/trunk", "before": before, "after": head}
        of = {"variables": HERE, "run_id": 360, "ref": "refs/heads/trunk", "actions": actions(world)}
        run = world.act("benchgate", "push", event, head, **of)
        run.expect(measure="success", gate="success").says("benchgate 0.")
        report(world, 360, head, "trunk", "completed", "success", event="push").expect(
            render="success", post="success", history="success"
        )
    finally:
        world.environment["PATH"] = path
        shutil.rmtree(caches)
        away.rename(caches)
    saved = re.findall(r"save (benchgate-\w+)-", (world.store / "caches.log").read_text())
    expected = ["benchgate-tools", "benchgate-registry", "benchgate-bases", "benchgate-renderer"]
    require(saved == expected, f"{saved}")
    text = run.text
    first = min(text.index(f"save benchgate-{name}-") for name in ("tools", "registry"))
    require(first < text.index("benchgate check"), "a cache was saved after the check began")
    require(world.api.status(head)["state"] == "success", f"{world.api.status(head)}")
    kept = world.api.ask("GET", f"/repos/{REPOSITORY}/git/ref/heads/benchgate-history")
    commit = world.api.ask("GET", f"/repos/{REPOSITORY}/git/commits/{kept['object']['sha']}")
    tree = world.api.ask("GET", f"/repos/{REPOSITORY}/git/trees/{commit['tree']['sha']}?recursive=1")["tree"]
    runs = [entry["path"] for entry in tree if entry["type"] == "blob"]
    require(len(runs) == 1 and f"/{head}-" in runs[0], f"the history: {runs}")


SCENARIOS = (
    from_an_empty_repository_to_a_red_and_a_green_pull_request,
    a_queue_of_merges_is_measured,
    a_machine_of_ones_own_measures,
    a_change_of_the_workflow_that_measures_it_is_not_believed,
    a_run_of_another_workflow_or_runner_is_refused,
    a_fork_is_measured_on_a_hosted_runner_and_reported_as_one,
    dependabots_pull_request_is_measured_on_a_hosted_runner,
    two_pull_requests_of_one_commit_do_not_share_a_green_status,
    six_lines_are_enough,
    a_runner_that_starts_clean_builds_the_head_alone,
    a_crate_of_a_submodule_is_measured,
    shards_are_measured_apart_and_one_job_decides,
    a_hosted_label_is_enough_and_a_slowdown_since_the_release_is_red,
    without_a_release_nothing_is_measured_and_nothing_is_red,
    baselines_of_a_subfolder_are_proposed_in_it,
    a_cold_start_builds_its_tools_and_saves_them_before_anything_is_measured,
)
