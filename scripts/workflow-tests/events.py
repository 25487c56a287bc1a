"""Payloads of GitHub's events, as far as workflows and modules read them."""

from world import OWNER, REPOSITORY


def pull_request(branch, head, base, onto, number=1, repository=REPOSITORY, author="User", login=OWNER):
    """`pull_request`, from a branch of a repository onto a branch of ours."""
    return {
        "action": "synchronize",
        "number": number,
        "pull_request": {
            "number": number,
            "user": {"type": author, "login": login},
            "head": {"ref": branch, "sha": head, "repo": {"full_name": repository}},
            "base": {"ref": onto, "sha": base, "repo": {"full_name": REPOSITORY}},
        },
    }


def merge_group(head, base, onto):
    """`merge_group`, of a queue for a branch, and the ref that its run is of."""
    ref = f"refs/heads/gh-readonly-queue/{onto}/pr-1"
    group = {"head_sha": head, "base_sha": base, "base_ref": f"refs/heads/{onto}", "head_ref": ref}
    return {"action": "checks_requested", "merge_group": group}, ref


def workflow_run(
    workflow,
    run_id,
    head,
    branch,
    conclusion,
    event="pull_request",
    repository=REPOSITORY,
    action="completed",
    attempt=1,
    **more,
):
    """`workflow_run` of a workflow: that its run is asked for, begins or has ended."""
    run = {
        "id": run_id,
        "run_attempt": attempt,
        "run_started_at": f"2026-01-01T{attempt:02}:00:00Z",
        "name": workflow,
        "path": f".github/workflows/{workflow}.yml",
        "actor": {"type": "User"},
        "event": event,
        "conclusion": conclusion,
        "head_sha": head,
        "head_branch": branch,
        "head_repository": {"full_name": repository},
        **more,
    }
    return {"action": action, "workflow_run": run}
