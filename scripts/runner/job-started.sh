#!/usr/bin/env bash
# The runner calls this before every job, and runs the job only when it ends with 0
# (ACTIONS_RUNNER_HOOK_JOB_STARTED). A workflow of a fork can take out every `if:` of its own and ask for
# this machine: only what the machine itself refuses is refused.
set -euo pipefail

# Tests run it on a folder that looks like a root.
root=${BENCHGATE_ROOT:-}
work=$root/var/lib/benchgate/runner/_work

refuse() {
    printf '::error title=Refused by this machine::%s\n' "$*"
    exit 1
}

payload() { jq --raw-output "($1) // \"\" | ascii_downcase" "$GITHUB_EVENT_PATH" 2>/dev/null; }

ours=$(sed -n 's/^REPOSITORY=//p' "$root/etc/benchgate/runner.conf" | tr '[:upper:]' '[:lower:]')
[[ -n $ours ]] || refuse "/etc/benchgate/runner.conf names no REPOSITORY"
[[ -r ${GITHUB_EVENT_PATH:-} ]] || refuse "the event's payload cannot be read"

case ${GITHUB_EVENT_NAME:-} in
    pull_request)
        head=$(payload .pull_request.head.repo.full_name) || refuse "the event's payload is not JSON"
        base=$(payload .pull_request.base.repo.full_name)
        [[ $base == "$ours" ]] || refuse "it works for $ours alone"
        [[ $head == "$ours" ]] ||
            refuse "the code of a fork (${head:-a deleted one}) does not run here; a maintainer who has" \
                "read it can open a pull request from a branch of $ours"
        ;;
    push | merge_group | workflow_dispatch | schedule)
        repository=$(payload .repository.full_name) || refuse "the event's payload is not JSON"
        [[ $repository == "$ours" ]] || refuse "it works for $ours alone"
        ;;
    # pull_request_target, issue_comment, workflow_run and others run untrusted code with our rights.
    *) refuse "jobs of the event ${GITHUB_EVENT_NAME:-(none)} do not run here" ;;
esac

# benchgate-update waits while this file is there; it goes with the service, which ends after the job.
: >"$root/run/benchgate/job"
[[ ! -e $root/run/benchgate-updating ]] || refuse "it is being updated; run the job again"

workspace=$(realpath --canonicalize-missing "${GITHUB_WORKSPACE:-/}")
[[ $workspace == "$(realpath --canonicalize-missing "$work")"/?* ]] ||
    refuse "the workspace $workspace is not below $work"
if [[ -d $workspace ]]; then find "$workspace" -mindepth 1 -delete; fi
