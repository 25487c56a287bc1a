"""What `report` does with untrusted artifacts, and with an API that fails. The results are a
recorded one of the gate, spoilt."""

import copy
import json
import re

import events
from bench_scenarios import report
from constants import RUN_SCHEMA, VERDICT_EXITS
from world import OWNER, require

HOSTILE = "@octo <img src=x onerror=alert(1)> | `code` **bold** [link](http://x)\n## heading \u202e\x07"


class Artifact:
    """What a run of `bench` handed over for a commit of a separate pull request."""

    number = 1000

    def __init__(self, world, name):
        Artifact.number += 1
        self.world, self.run_id, self.branch = world, Artifact.number, name
        self.head = world.repository.change(name, ("README.md", f"{name}\n"))
        self.pull = world.api.pull(name, self.head, world.repository.main)
        self.folder = world.artifact(self.run_id)
        self.folder.mkdir(parents=True)
        self.result = world.recorded()
        self.result["head"]["commit"] = self.head
        self.run = {
            "schema": RUN_SCHEMA,
            "exit": VERDICT_EXITS[self.result["verdict"]],
            "head_sha": self.head,
            "base_sha": world.repository.main,
            "base_ref": "main",
            "event": "pull_request",
            "run_id": self.run_id,
            "attempt": 1,
        }

    def write(self):
        (self.folder / "result.json").write_text(json.dumps(self.result))
        (self.folder / "run.json").write_text(json.dumps(self.run))
        return self

    def report(self, conclusion="success", post="success", attempt=1, **more):
        of = (self.world, self.run_id, self.head, self.branch, conclusion)
        return report(*of, attempt=attempt, **more).expect(render="success", post=post)

    def comment(self):
        """The comment that is not folded behind a newer one."""
        bodies = [comment["body"] for comment in self.world.api.comments(self.pull)]
        [body] = [body for body in bodies if not body.startswith("<!-- benchgate-outdated -->")]
        return body

    def state(self):
        status = self.world.api.status(self.head)
        return status and status["state"]


def refused(artifact, *words):
    """No number of it is shown, and the comment says that it was refused."""
    artifact.report()
    body = artifact.comment()
    require("refused" in body and all(word in body for word in words), f"{words}: {body}")
    require("| Benchmark" not in body, f"it was shown: {body}")
    require(artifact.state() == "error", f"status {artifact.state()}")


def a_whole_artifact_is_shown(world):
    """So that what is refused below is refused for what was spoilt."""
    artifact = Artifact(world, "whole").write()
    artifact.report()
    body = artifact.comment()
    require("refused" not in body and artifact.result["benchmarks"][0]["id"] in body, body)
    require(artifact.state() == "success", f"status {artifact.state()}")
    link = re.search(r"\[the page\]\((\S+)\)", body)
    require(link, f"no link to the page: {body}")
    [page] = world.store.glob("artifacts/*/benchgate.html")
    require(f"/runs/{page.parent.name}/artifacts/" in link[1], f"{link[1]} is not {page}")
    require(artifact.head[:10] in page.read_text(), f"{page} is not of the head")


def a_link_in_the_artifact_is_refused(world):
    artifact = Artifact(world, "link").write()
    (artifact.folder / "result.json").unlink()
    (artifact.folder / "result.json").symlink_to("/etc/passwd")
    refused(artifact, "not a regular file")
    require("root:" not in artifact.comment(), artifact.comment())


def a_huge_result_is_refused(world):
    artifact = Artifact(world, "huge").write()
    with (artifact.folder / "result.json").open("ab") as file:
        file.truncate(100 * 1024 * 1024)
    refused(artifact, "104857600 bytes")


def a_number_that_is_none_is_refused(world):
    artifact = Artifact(world, "nan")
    artifact.result["benchmarks"][0]["head"] = float("nan")
    refused(artifact.write(), "result.json")


def a_result_of_another_commit_is_refused(world):
    artifact = Artifact(world, "wrong-commit")
    artifact.result["head"]["commit"] = "0" * 40
    refused(artifact.write(), "head.commit")
    artifact = Artifact(world, "wrong-run")
    artifact.run["head_sha"] = "0" * 40
    refused(artifact.write(), "another commit")


def a_result_that_contradicts_its_exit_is_refused(world):
    artifact = Artifact(world, "contradiction")
    artifact.run["exit"] = next(exit for exit in VERDICT_EXITS.values() if exit != artifact.run["exit"])
    refused(artifact.write(), "its verdict is")


def a_program_in_the_artifact_is_refused(world):
    artifact = Artifact(world, "program").write()
    (artifact.folder / "benchgate").write_text("#!/bin/sh\ntouch /tmp/ran\n")
    refused(artifact, "none of result.json, run.json, critcmp.txt")


def a_green_result_of_a_red_run_is_not_green(world):
    artifact = Artifact(world, "forged")
    artifact.write().report(conclusion="failure")
    require("the gate is red whatever its result says" in artifact.comment(), artifact.comment())
    require(artifact.state() in ("failure", "error"), f"status {artifact.state()}")


def measured_in(world, *attempts):
    """The API says that the job `measure` was started in these attempts."""
    jobs = [{"name": "measure", "started_at": f"2026-01-01T{number:02}:00:01Z"} for number in attempts]
    world.api.ask("POST", "/_jobs", jobs)


def a_rerun_is_reported_with_what_it_measured_or_with_what_it_did_not_measure_again(world):
    artifact = Artifact(world, "again").write()
    artifact.report()
    require(artifact.state() == "success", artifact.state())
    # Another job failed, and it alone was started again.
    measured_in(world, 1)
    artifact.report(attempt=2)
    body = artifact.comment()
    require("Attempt 2 did not measure again: this is the result of attempt 1" in body, body)
    require(f"/runs/{artifact.run_id}/attempts/1" in body, body)
    require(artifact.state() == "success", artifact.state())
    # All were, and it was cancelled.
    measured_in(world, 1, 3)
    artifact.report(conclusion="cancelled", attempt=3)
    require("not measured: cancelled" in artifact.comment(), artifact.comment())
    status = world.api.status(artifact.head)
    require(status["state"] == "error" and "(attempt 3)" in status["description"], f"{status}")
    world.api.ask("POST", "/_jobs", [])


def a_result_of_another_run_is_refused(world):
    artifact = Artifact(world, "another-run")
    artifact.run["run_id"] += 1
    refused(artifact.write(), "another workflow run")
    artifact = Artifact(world, "attempt-to-come")
    artifact.run["attempt"] = 2
    refused(artifact.write(), "not an attempt")


def a_run_that_measured_another_base_branch_is_run_again(world):
    artifact = Artifact(world, "retargeted")
    artifact.run["base_ref"] = "release"
    artifact.write().report()
    require("the base branch was changed after this was measured" in artifact.comment(), artifact.comment())
    require(artifact.state() == "error", artifact.state())


def a_hostile_name_is_inert_in_the_comment(world):
    artifact = Artifact(world, "names")
    for benchmark in artifact.result["benchmarks"]:
        benchmark["id"] = f"{HOSTILE}{benchmark['id']}"
    artifact.result["notices"] = [HOSTILE]
    artifact.write().report()
    body = artifact.comment()
    require("baseline/1024" in body, f"it was not shown: {body}")
    for text in ("\n## heading", "\u202e", "\x07"):
        require(text not in body, f"{text!r} is in the comment: {body[:4000]}")
    # Text between two backticks is not markup and mentions nobody.
    outside = "".join(body.split("`")[::2])
    for text in ("@octo", "<img", "](http://x)", "**bold**"):
        require(text not in outside, f"{text!r} is markup in the comment: {body[:4000]}")


def many_benchmarks_fit_into_a_comment(world):
    artifact = Artifact(world, "many")
    many = []
    for index in range(4_000):
        benchmark = copy.deepcopy(artifact.result["benchmarks"][0])
        many.append({**benchmark, "id": f"{'long-name/' * 10}{index}"})
    artifact.result["benchmarks"] = many
    artifact.write().report()
    require("long-name" in artifact.comment(), artifact.comment())
    require(len(artifact.comment()) <= 65_536, f"{len(artifact.comment())} characters")


def no_artifact_is_said(world):
    artifact = Artifact(world, "nothing")
    artifact.folder.rmdir()
    artifact.report(conclusion="failure")
    require("not measured" in artifact.comment(), artifact.comment())
    require(artifact.state() == "error", f"status {artifact.state()}")


def comments_path(artifact):
    return f"/issues/{artifact.pull}/comments"


def asked(world, method, path):
    wanted = [r for r in world.api.requests() if r["method"] == method and path in r["url"]]
    return [request["time"] for request in wanted]


def limits_are_waited_for(world):
    for name, status in (("secondary-limit", 403), ("limit", 429)):
        artifact = Artifact(world, name).write()
        world.api.fault(
            "POST",
            comments_path(artifact),
            status,
            retry_after="2",
            message="You have exceeded a secondary rate limit",
        )
        world.api.requests()
        artifact.report()
        first, second = asked(world, "POST", comments_path(artifact))
        require(second - first >= 2_000, f"{status}: asked again after {second - first} ms")
        artifact.comment()


def a_server_error_is_tried_again(world):
    artifact = Artifact(world, "server-error").write()
    world.api.fault("GET", "/pulls", 500)
    world.api.fault("POST", f"/statuses/{artifact.head}", 502)
    artifact.report()
    artifact.comment()
    require(artifact.state() is not None, "no status")


def what_is_not_there_is_asked_for_once(world):
    artifact = Artifact(world, "not-there").write()
    world.api.fault("POST", comments_path(artifact), 404, times=9)
    world.api.requests()
    artifact.report().says("the comment could not be posted")
    tries = asked(world, "POST", comments_path(artifact))
    require(len(tries) == 1, f"a 404 was asked {len(tries)} times")
    require(artifact.state() is not None, "no status")
    world.api.ask("DELETE", "/_faults")


def a_permission_that_is_lacking_is_no_reason_to_be_silent(world):
    artifact = Artifact(world, "forbidden").write()
    world.api.fault(
        "POST", comments_path(artifact), 403, times=9, message="Resource not accessible by integration"
    )
    world.api.requests()
    artifact.report().says("the comment could not be posted")
    require(len(asked(world, "POST", comments_path(artifact))) == 1, "it was tried again")
    require(artifact.state() is not None, "no status")
    world.api.ask("DELETE", "/_faults")


def another_ones_marker_is_not_adopted(world):
    artifact = Artifact(world, "planted").write()
    planted = "<!-- benchgate run=1 attempt=1 -->\nall is well"
    world.api.ask("POST", f"/repos/octo/gated{comments_path(artifact)}", {"body": planted})
    artifact.report()
    bodies = {c["user"]["login"]: c["body"] for c in world.api.comments(artifact.pull)}
    require(bodies[OWNER] == planted and len(bodies) == 2, f"{bodies}")


def a_push_to_another_branch_cannot_set_the_required_status(world):
    """Its workflow is its own, and so is what it uploads."""
    artifact = Artifact(world, "pushed")
    edit = (".github/workflows/bench.yml", "timeout: 100m", "timeout: 99m")
    artifact.head = world.repository.change("pushed-forged", edit)
    artifact.result["head"]["commit"] = artifact.run["head_sha"] = artifact.head
    artifact.branch = "pushed-forged"
    artifact.write().report(event="push")
    statuses = {status["context"]: status["state"] for status in world.api.statuses(artifact.head)}
    require(statuses == {"benchgate (bench, push to pushed-forged)": "error"}, f"{statuses}")


def a_branch_that_is_older_than_the_workflow_is_not_accused(world):
    artifact = Artifact(world, "older").write()
    world.repository.change("main", (".github/workflows/bench.yml", "# A newer pin.\n"))
    artifact.report()
    require("this change edits" not in artifact.comment(), artifact.comment())
    require(artifact.state() == "success", f"{world.api.statuses(artifact.head)}")


def two_gates_of_one_repository_each_keep_their_result(world):
    """Whichever ends first, and whichever is red."""
    file = world.repository.tree / ".github/workflows/report.yml"
    text = file.read_text().replace(
        "part: render\n", "part: render\n          workflow: .github/workflows/arm.yml\n"
    )
    text = text.replace("workflows: [bench]", "workflows: [arm]")
    edits = ((".github/workflows/arm.yml", "# A gate.\n"), (".github/workflows/report-arm.yml", text))
    world.repository.main = world.repository.change("main", *edits)
    names = {"bench": "benchgate (bench)", "arm": "benchgate (arm)"}
    for order in (("bench", "arm"), ("arm", "bench")):
        for red in order:
            artifact = Artifact(world, f"gates-{order[0]}-{red}").write()
            for gate in order:
                artifact.run_id = artifact.run["run_id"] = artifact.run_id + 500
                artifact.folder = world.artifact(artifact.run_id)
                artifact.folder.mkdir(parents=True)
                artifact.write()
                conclusion = "failure" if gate == red else "success"
                of = (artifact.run_id, artifact.head, artifact.branch, conclusion)
                payload = events.workflow_run(gate, *of)
                workflow = "report" if gate == "bench" else "report-arm"
                run = world.act(workflow, "workflow_run", payload, world.repository.main)
                run.expect(render="success", post="success")
            states = {s["context"]: s["state"] for s in world.api.statuses(artifact.head)}
            expected = {name: "failure" if gate == red else "success" for gate, name in names.items()}
            require(states == expected, f"{order}, {red} is red: {states}")
            comment = artifact.comment()
            red_words = "the gate is red whatever its result says"
            require(comment.count(red_words) == 1, comment)
            require("Gate `bench`" in comment and "Gate `arm`" in comment, comment)
            sections = {part.split("`")[0]: part for part in comment.split("Gate `")[1:]}
            require(red_words in sections[red], comment)


SCENARIOS = (
    a_whole_artifact_is_shown,
    a_link_in_the_artifact_is_refused,
    a_huge_result_is_refused,
    a_number_that_is_none_is_refused,
    a_result_of_another_commit_is_refused,
    a_result_that_contradicts_its_exit_is_refused,
    a_program_in_the_artifact_is_refused,
    a_green_result_of_a_red_run_is_not_green,
    a_rerun_is_reported_with_what_it_measured_or_with_what_it_did_not_measure_again,
    a_result_of_another_run_is_refused,
    a_run_that_measured_another_base_branch_is_run_again,
    a_hostile_name_is_inert_in_the_comment,
    many_benchmarks_fit_into_a_comment,
    no_artifact_is_said,
    limits_are_waited_for,
    a_server_error_is_tried_again,
    what_is_not_there_is_asked_for_once,
    a_permission_that_is_lacking_is_no_reason_to_be_silent,
    another_ones_marker_is_not_adopted,
    a_push_to_another_branch_cannot_set_the_required_status,
    a_branch_that_is_older_than_the_workflow_is_not_accused,
    two_gates_of_one_repository_each_keep_their_result,
)
