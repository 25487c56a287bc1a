"""What pull requests, merge queues and maintainers meet at `bench`. A scenario is a function; the order is
that in which they run, and some look at what an earlier one left."""

import json
import re
import shutil
import subprocess

import events
from constants import RUN_SCHEMA
from world import REPOSITORY, Failed, git, require

# Whatever this machine is set up as, what was measured on it is to be judged.
HERE = {"BENCHGATE_DOCTOR": "report"}
LIB = "src/lib.rs"
SLOWER = (LIB, "WORK: u64 = 1_000;", "WORK: u64 = 5_000;")
FASTER = (LIB, "WORK: u64 = 1_000;", "WORK: u64 = 200;")
SCALED = "a (b)/c+d [1]"


def pull_request(
    world,
    branch,
    head,
    number=1,
    base=None,
    variables=HERE,
    run_id=None,
    attempt=1,
    environment=None,
    **of,
):
    """The run of `bench` for a pull request."""
    main = world.repository.branch
    event = events.pull_request(branch, head, base or world.repository.main, main, number, **of)
    of = {"run_id": run_id, "attempt": attempt, "variables": variables, "environment": environment}
    return world.act("bench", "pull_request", event, head, **of)


def report(world, of, head, branch, conclusion, **more):
    """The run of `report` that GitHub starts when the run `of` of `bench` is asked for, begins or has ended."""
    payload = events.workflow_run("bench", of, head, branch, conclusion, **more)
    return world.act("report", "workflow_run", payload, world.repository.main)


def findings(world, run_id):
    return {b["id"]: b["finding"] for b in world.result(run_id)["benchmarks"]}


def run_record(world, run_id):
    return json.loads((world.artifact(run_id) / "run.json").read_text())


def a_faster_pull_request_is_green_and_gets_a_comment(world):
    head = world.repository.change("feature", FASTER)
    number = world.api.pull("feature", head, world.repository.main)
    pull_request(world, "feature", head, number, run_id=100).expect(measure="success", gate="success").says(
        "pass (exit 0)", "## ✅ benchgate", "## critcmp", "Java suites: not measured, since the variable"
    )
    require(findings(world, 100)[SCALED] == "improved", f"{findings(world, 100)}")
    run = {
        "schema": RUN_SCHEMA,
        "exit": 0,
        "head_sha": head,
        "base_sha": world.repository.main,
        "base_ref": "main",
        "event": "pull_request",
        "run_id": 100,
        "attempt": 1,
    }
    require(run_record(world, 100) == run, f"run.json: {run_record(world, 100)}")

    report(world, 100, head, "feature", "success").expect(render="success", post="success")
    [comment] = world.api.comments(number)
    require("✅" in comment["body"], f"the comment: {comment['body']}")
    require(world.api.status(head)["state"] == "success", f"{world.api.status(head)}")
    require(world.may_merge(head), "what is green cannot be merged")


def a_slower_push_is_red_and_a_new_comment(world):
    """GitHub notifies nobody of a comment that is updated: what is worse than before is a new one."""
    [before] = world.api.comments(1)
    head = world.repository.change("feature", SLOWER)
    world.api.push("feature", head)
    pull_request(world, "feature", head, run_id=101).expect(measure="failure", gate="failure").says(
        "regression proven (exit 100)"
    )
    require(findings(world, 101)[SCALED] == "critical", f"{findings(world, 101)}")

    report(world, 101, head, "feature", "failure").expect(render="success", post="success")
    old, now = world.api.comments(1)
    require(old["id"] == before["id"] and old["body"].startswith("<!-- benchgate-outdated -->"), f"{old}")
    require("critical" in now["body"], f"{now}")
    folded = world.api.ask("GET", "/_folded")
    require(folded == [old["node_id"]], f"{folded} is folded")
    require(world.api.status(head)["state"] == "failure", f"{world.api.status(head)}")
    require(not world.may_merge(head), "what is red can be merged")


def a_second_attempt_goes_on_with_the_first(world):
    head = run_record(world, 101)["head_sha"]
    pull_request(world, "feature", head, run_id=101, attempt=2).expect(
        measure="failure", gate="failure"
    ).says("--earlier", "this is attempt 2 on these commits")
    result = world.result(101, attempt=2)
    earlier = [attempt["verdict"] for attempt in result["attempt"]["earlier"]]
    require(earlier == ["regression"], f"{earlier}")
    [slower] = [b for b in result["benchmarks"] if b["id"] == SCALED and b["metric"] == "time"]
    require(slower["finding"] == "critical" and slower["evidence"]["earlier"], f"{slower}")


def a_late_report_of_an_older_run_leaves_the_newer_comment(world):
    before = world.api.comments(1)
    old = run_record(world, 100)["head_sha"]
    report(world, 100, old, "feature", "success").expect(render="success", post="success")
    require(world.api.comments(1) == before, "an older run wrote over a newer one")


def a_change_of_its_own_limits_is_still_red(world):
    """What a pull request might do to grade itself, all at once, and five times the work."""
    head = world.repository.change(
        "grades-itself",
        SLOWER,
        ("benchgate.toml", "critical = 150", "critical = 1_000"),
        (
            "benchgate.toml",
            '\n[[waiver]]\nbenchmark = "*"\nmetric = "time"\nceiling = 900\n'
            'until = 2999-01-01\nissue = "#1"\nreason = "because"\n'
            '\n[[skip]]\nbenchmark = "*"\nreason = "because"\n',
        ),
        ("baselines/any/fixture.first.json", "{}"),
        ("scripts/ci/check.sh", "output exit 0\nexit 0\n"),
        ("scripts/ci/verdict.sh", "#!/usr/bin/env bash", "#!/usr/bin/env bash\nexit 0"),
        message="Five times the work\n\nBenchgate-Accept: * <= 900% because",
    )
    pull_request(world, "grades-itself", head, run_id=110).expect(measure="failure", gate="failure").says(
        "regression proven (exit 100)"
    )
    require(findings(world, 110)[SCALED] == "critical", f"{findings(world, 110)}")


def a_fork_is_not_measured_and_the_comment_gives_the_reason(world):
    head = world.repository.change("theirs", FASTER)
    number = world.api.pull("theirs", head, world.repository.main, fork=True)
    fork = "outsider/gated"
    run = pull_request(world, "theirs", head, number, repository=fork, run_id=120)
    run.expect(gate="failure").says("not measured: a fork's code does not run")
    require(not world.artifact(120).exists(), "a fork was measured")
    require(not world.may_merge(head), "a job that was skipped lets a fork in")

    report(world, 120, head, "theirs", "failure", repository=fork).expect(render="success", post="success")
    [comment] = world.api.comments(number)
    require("from a fork" in comment["body"], comment["body"])
    require(world.api.status(head)["state"] == "error", f"{world.api.status(head)}")


def a_merge_queue_is_measured(world):
    head = world.repository.change("queue", FASTER)
    event, ref = events.merge_group(head, world.repository.main, "main")
    run = world.act("bench", "merge_group", event, head, variables=HERE, run_id=130, ref=ref)
    run.expect(measure="success", gate="success").says("pass (exit 0)")
    require(run_record(world, 130)["base_sha"] == world.repository.main, f"{run_record(world, 130)}")
    report(world, 130, head, "queue", "success", event="merge_group").expect(render="success", post="success")
    require(world.api.status(head)["state"] == "success", f"{world.api.status(head)}")
    require(world.may_merge(head), "the queue waits for ever")


def a_run_by_hand_takes_its_inputs(world):
    head = world.repository.change("by-hand", FASTER)
    inputs = {
        "base": "main",
        "suites": "first",
        "filter": "sizes* nothing",
        "budget": "",
        "fail-on": "note",
        "fail-on-inconclusive": "false",
    }
    known = subprocess.run(
        [world.tools.benchgate, "check", "--help"], capture_output=True, text=True, check=False
    )
    if "--budget" in known.stdout:
        inputs["budget"] = "5m"
    run = world.act(
        "bench",
        "workflow_dispatch",
        {"inputs": inputs},
        head,
        variables=HERE,
        run_id=140,
        ref="refs/heads/by-hand",
    )
    run.expect(measure="success", gate="success")
    run.says(r"--suite=first --filter=sizes\* --filter=nothing", "--fail-on=note")
    require(run_record(world, 140)["base_sha"] == world.repository.main, f"{run_record(world, 140)}")
    found = findings(world, 140)
    require(found[SCALED] == "skipped" and found["sizes of input/mix/64"] != "skipped", f"{found}")
    require(not world.may_merge(head), "a run by hand, of some benchmarks, lets a pull request in")


def a_dispatch_cannot_smuggle_in_a_command(world):
    """Inputs are data: neither options of git nor words of the shell."""
    inputs = {
        "base": "--output=/tmp/x",
        "suites": "$(exit 9) `exit 9`",
        "filter": "",
        "budget": "",
        "fail-on": "policy",
        "fail-on-inconclusive": "false",
    }
    run = world.act(
        "bench", "workflow_dispatch", {"inputs": inputs}, world.repository.main, variables=HERE, run_id=141
    )
    run.expect(measure="failure", gate="failure").says("could not measure (exit 101)", "there is no revision")


def a_push_to_main_fills_the_caches_and_a_pull_request_does_not(world):
    caches = world.store / "caches.log"
    require("save" not in caches.read_text(), "a cache was saved outside of main")
    before = world.repository.main
    after = world.repository.change("main", ("README.md", "More words.\n"))
    run = world.act(
        "bench",
        "push",
        {"ref": "refs/heads/main", "before": before, "after": after},
        after,
        variables=HERE,
        run_id=150,
        ref="refs/heads/main",
    )
    run.expect(measure="success", gate="success")
    require("save benchgate-registry-" in caches.read_text(), caches.read_text())
    require("criterion" not in caches.read_text(), caches.read_text())


def what_github_does_not_start_does_not_run(world):
    """act has no eye for the filters of `on:`, so a scenario could show what never happens."""
    head = world.repository.change(
        "filtered", (".github/workflows/bench.yml", "branches: [main]", "branches: [x]")
    )
    push = {"ref": "refs/heads/main", "before": world.repository.main, "after": head}
    try:
        world.act("bench", "push", push, head, variables=HERE, run_id=151, ref="refs/heads/main")
    except Failed as error:
        require("GitHub starts no bench" in str(error), f"{error}")
    else:
        require(False, "a push to a branch that the filter leaves out was run")
    edits = ((".github/workflows/bench.yml", "  pull_request:\n", "  pull_request:\n    paths: [src/**]\n"),)
    words = world.repository.change("words", *edits, ("README.md", "Words.\n"))
    code = world.repository.change("code", *edits, FASTER)
    for commit, is_started in ((words, False), (code, True)):
        git(world.repository.tree, "checkout", "--quiet", "--force", commit)
        event = events.pull_request("x", commit, world.repository.main, "main")
        require(world.starts("bench", "pull_request", event) == is_started, f"{commit}: not {is_started}")


def a_run_is_of_the_merge_and_measures_the_head(world):
    """The workflow is the merge's, of a base that went on; what is measured is what the pull request shows."""
    words = (
        "Java suites: not measured, since the variable",
        "Java suites: as the base says, since the variable",
    )
    base = world.repository.change("went-on", (".github/workflows/bench.yml", *words))
    head = world.repository.change("stale", ("README.md", "Words of a stale branch.\n"))
    run = pull_request(world, "stale", head, 4, base=base, run_id=152)
    run.expect(measure="success", gate="success").says("Java suites: as the base says")
    record = run_record(world, 152)
    require(record["head_sha"] == head and record["base_sha"] == base, f"{record}")
    merge = git(world.repository.bare, "rev-parse", "refs/pull/4/merge^1", "refs/pull/4/merge^2")
    require(merge.split() == [base, head], f"{merge}")


def the_first_push_of_a_branch_is_compared_with_its_parent(world):
    """GitHub names a commit of zeros as the one before."""
    head = world.repository.change("new-branch", ("README.md", "First words.\n"))
    run = world.act(
        "bench",
        "push",
        {"ref": "refs/heads/main", "before": "0" * 40, "after": head},
        head,
        variables=HERE,
        run_id=155,
        ref="refs/heads/main",
    )
    run.expect(measure="success", gate="success")
    require(run_record(world, 155)["base_sha"] == world.repository.main, f"{run_record(world, 155)}")


def a_compile_error_is_shown_without_colours(world):
    head = world.repository.change("broken", (LIB, "pub fn broken() -> u64 { no_such_thing }\n"))
    number = world.api.pull("broken", head, world.repository.main)
    pull_request(world, "broken", head, number, run_id=156).expect(measure="failure", gate="failure").says(
        "could not measure (exit 101)"
    )
    report(world, 156, head, "broken", "failure").expect(render="success", post="success")
    [comment] = world.api.comments(number)
    require("cannot find value `no_such_thing`" in comment["body"], comment["body"])
    for text in (comment["body"], (world.artifact(156) / "result.json").read_text()):
        require("\x1b" not in text and "\\u001b" not in text, f"colours: {text}")


def a_bots_pull_request_is_not_measured_until_somebody_has_read_it(world):
    head = world.repository.change("bot", ("README.md", "Words of a bot.\n"))
    pull_request(world, "bot", head, run_id=157, author="Bot").expect(gate="failure").says(
        "not measured: a bot opened this pull request"
    )
    require(not world.may_merge(head), "a job that was skipped lets a bot in")
    # Somebody who can write has read it, and runs its jobs again; another bot does not count.
    for actor, jobs in (
        # act knows no actor in a condition: here the action itself refuses.
        ("another[bot]", {"measure": "failure", "gate": "failure"}),
        ("octo", {"measure": "success", "gate": "success"}),
    ):
        of = {"author": "Bot", "attempt": 2, "environment": {"GITHUB_TRIGGERING_ACTOR": actor}}
        again = pull_request(world, "bot", head, run_id=157, **of)
        again.expect(**jobs)
        require(world.may_merge(head) == (jobs["gate"] == "success"), f"{world.checks[head]}")


def java_suites_decide_too_where_they_are_measured(world):
    head = world.repository.change("java", ("README.md", "Words about Java.\n"))
    # The repository of the scenarios has none, so they cannot be measured.
    variables = {**HERE, "BENCHGATE_JAVA": "measure"}
    pull_request(world, "java", head, run_id=159, variables=variables).expect(
        measure="success", java="failure", gate="failure"
    ).says("Java suites: the job ended as 'failure'")


def a_crash_is_not_measured_and_says_so(world):
    head = world.repository.change(
        "crash",
        (
            LIB,
            "steps: u64) -> u64 {",
            'steps: u64) -> u64 {\n    assert!(state == 0, "it panics on purpose");',
        ),
    )
    number = world.api.pull("crash", head, world.repository.main)
    pull_request(world, "crash", head, number, run_id=160).expect(measure="failure", gate="failure").says(
        "could not measure (exit 101)", "it panics on purpose"
    )
    report(world, 160, head, "crash", "failure").expect(render="success", post="success")
    [comment] = world.api.comments(number)
    require("it panics on purpose" in comment["body"], comment["body"])
    require(world.api.status(head)["state"] == "error", f"{world.api.status(head)}")


def a_benchmark_that_is_gone_is_missed(world):
    """An old result of it would be in target/criterion, and in a cache that holds that."""
    head = world.repository.change("gone", (LIB, "&[64, 256];", "&[256];"))
    pull_request(world, "gone", head, run_id=161).expect(measure="failure", gate="failure").says(
        "could not measure (exit 101)"
    )
    require(findings(world, 161)["sizes of input/mix/64"] == "missing", f"{findings(world, 161)}")


def what_is_not_proven_is_green_with_a_warning_or_red_on_request(world):
    base = world.repository.change("few-pairs", ("benchgate.toml", "\n[measure]\npairs = 2\n"))
    git(world.repository.tree, "checkout", "--quiet", "-B", "unproven")
    (world.repository.tree / LIB).write_text(
        (world.repository.tree / LIB).read_text().replace("WORK: u64 = 1_000", "WORK: u64 = 1_001")
    )
    head = world.repository.commit("unproven", "one step more")
    pull_request(world, "unproven", head, base=base, run_id=170).expect(
        measure="success", gate="success"
    ).says("inconclusive (exit 102): green with a warning")
    strict = {**HERE, "BENCHGATE_FAIL_ON_INCONCLUSIVE": "true"}
    pull_request(world, "unproven", head, base=base, run_id=171, variables=strict).expect(
        measure="failure", gate="failure"
    ).says("and fail-on-inconclusive is set")


def a_machine_that_is_not_set_up_does_not_measure(world):
    """The doctor is replaced by one that reports a blocking point."""
    tool = world.store / "caches/benchgate-tools-Linux-X64/bin/benchgate"
    real = tool.rename(tool.with_name("benchgate.real"))
    tool.write_text(
        '#!/usr/bin/env bash\nif [[ $1 == doctor ]]; then echo "blocking: boost"; exit 101; fi\n'
        'exec "$0.real" "$@"\n'
    )
    tool.chmod(0o755)
    head = world.repository.change("feature", FASTER)
    try:
        run = pull_request(world, "feature", head, variables={}, run_id=180)
    finally:
        real.rename(tool)
    run.expect(measure="failure", gate="failure").says(
        "could not measure (exit 101)", "The machine is not set up to measure", "blocking: boost"
    )
    require(run_record(world, 180)["exit"] == 101, f"{run_record(world, 180)}")
    require(not (world.artifact(180) / "result.json").exists(), "it was measured")


def baselines_are_proposed_and_never_pushed(world):
    main = world.repository.main
    inputs = {"inputs": {"reason": "a new kernel, says @octo"}}
    git(world.repository.tree, "push", "--quiet", "--force", world.repository.bare, f"{main}:refs/heads/main")
    world.act(
        "baseline", "workflow_dispatch", inputs, main, variables=HERE, run_id=200, ref="refs/heads/other"
    ).expect()
    run = world.act(
        "baseline", "workflow_dispatch", inputs, main, variables=HERE, run_id=201, ref="refs/heads/main"
    )
    run.expect(measure="success", propose="success")
    pulls = world.api.ask("GET", f"/repos/{REPOSITORY}/pulls?state=open&per_page=100")
    [pull] = [p for p in pulls if p["title"].startswith("Baselines of ")]
    require(pull["base"]["ref"] == "main" and pull["head"]["ref"].startswith("baseline/"), f"{pull}")
    for text in ("since v0.1.0", "has no baseline for it", "`a new kernel, says @octo`"):
        require(text in pull["body"], f"{text}: {pull['body']}")
    tip = world.api.ask("GET", f"/repos/{REPOSITORY}/git/ref/heads/{pull['head']['ref']}")
    commit = world.api.ask("GET", f"/repos/{REPOSITORY}/git/commits/{tip['object']['sha']}")
    tree = world.api.ask("GET", f"/repos/{REPOSITORY}/git/trees/{commit['tree']['sha']}?recursive=1")["tree"]
    files = [entry["path"] for entry in tree if entry["type"] == "blob"]
    new = [path for path in files if path != "README.md"]  # which the API's own repository has
    require(len(new) == 1 and re.fullmatch(r"baselines/[^/]+/fixture\.first\.json", new[0]), f"{new}")
    pushed = [r for r in world.api.requests() if "refs/heads/main" in r["url"] and r["method"] != "GET"]
    require(not pushed, f"{pushed}")


def critcmp_shows_the_committed_baseline_alongside_the_run(world):
    """The baseline is that of the scenario before, merged."""
    git(world.repository.tree, "checkout", "--quiet", "--force", "-B", "with-baseline", world.repository.main)
    shutil.copytree(
        world.artifact(201, "benchgate-baseline") / "baselines", world.repository.tree / "baselines"
    )
    base = world.repository.commit("with-baseline", "baselines")
    (world.repository.tree / LIB).write_text((world.repository.tree / LIB).read_text().replace(*SLOWER[1:]))
    head = world.repository.commit("alongside", "five times the work")
    run = pull_request(world, "alongside", head, base=base, run_id=210)
    run.expect(measure="failure", gate="failure").says(
        "### `fixture.first`", "Differences above 2 %:", "Differences above 5 %:", "Differences above 10 %:"
    )
    # Of each side a ratio, a time and a throughput.
    rows = [
        re.sub(re.escape(SCALED), "", line)
        for line in run.text.splitlines()
        if SCALED in line and "?/sec" in line
    ]
    require(rows, f"critcmp's tables have no row of {SCALED}: {run.path}")
    ratios = [float(ratio) for ratio in re.findall(r" (\d+\.\d\d) ", rows[0])]
    require(min(ratios) == 1.0 and max(ratios) > 2.5, f"critcmp's row: {rows[0]}")


def a_search_names_the_commit_in_its_pull_request(world):
    """Alongside the gate's own comment, and without a status: the required check is not a search's to give."""
    world.repository.change("searched", ("README.md", "More.\n"), message="more words")
    (world.repository.tree / LIB).write_text((world.repository.tree / LIB).read_text().replace(*SLOWER[1:]))
    culprit = world.repository.commit("searched", "five times the work, says @octo")
    (world.repository.tree / "README.md").write_text("Fewer words.\n")
    head = world.repository.commit("searched", "fewer words")
    number = world.api.pull("searched", head, world.repository.main)
    inputs = {"good": "v0.1.0", "benchmarks": "a*c+d*", "suites": "", "budget": "5m"}
    run = world.act(
        "bisect",
        "workflow_dispatch",
        {"inputs": inputs},
        head,
        variables=HERE,
        run_id=220,
        ref="refs/heads/searched",
    )
    run.expect(search="success", render="success", post="success")
    [comment] = world.api.comments(number)
    for text in (
        f"**`{culprit[:10]}` five times the work",
        "<!-- benchgate-bisect run=220",
        "/actions/runs/220",
    ):
        require(text in comment["body"], f"{text}: {comment['body']}")
    require("@octo" not in comment["body"], f"a name is called: {comment['body']}")
    require(world.api.status(head) is None, f"{world.api.status(head)}")
    logs = world.artifact(220, "benchgate-bisection-page")
    require((logs / "bisect.log").is_file() and (logs / "bisect.md").is_file(), f"{list(logs.iterdir())}")


SCENARIOS = (
    a_faster_pull_request_is_green_and_gets_a_comment,
    a_slower_push_is_red_and_a_new_comment,
    a_second_attempt_goes_on_with_the_first,
    a_late_report_of_an_older_run_leaves_the_newer_comment,
    a_change_of_its_own_limits_is_still_red,
    a_fork_is_not_measured_and_the_comment_gives_the_reason,
    a_merge_queue_is_measured,
    a_run_by_hand_takes_its_inputs,
    a_dispatch_cannot_smuggle_in_a_command,
    a_push_to_main_fills_the_caches_and_a_pull_request_does_not,
    what_github_does_not_start_does_not_run,
    a_run_is_of_the_merge_and_measures_the_head,
    the_first_push_of_a_branch_is_compared_with_its_parent,
    a_compile_error_is_shown_without_colours,
    a_bots_pull_request_is_not_measured_until_somebody_has_read_it,
    java_suites_decide_too_where_they_are_measured,
    a_crash_is_not_measured_and_says_so,
    a_benchmark_that_is_gone_is_missed,
    what_is_not_proven_is_green_with_a_warning_or_red_on_request,
    a_machine_that_is_not_set_up_does_not_measure,
    baselines_are_proposed_and_never_pushed,
    critcmp_shows_the_committed_baseline_alongside_the_run,
    a_search_names_the_commit_in_its_pull_request,
)
