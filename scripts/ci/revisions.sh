#!/usr/bin/env bash
# Which two commits: HEAD of this checkout, and BASE (a revision), or else EVENT_BASE (a commit).
# Without both, the first parent of the head.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

commit() { git rev-parse --quiet --verify --end-of-options "$1^{commit}"; }

head=$(commit HEAD)
if [[ -n ${BASE:-} ]]; then
    # A branch that was not checked out is only there as the remote's.
    base=$(commit "$BASE" || commit "origin/$BASE") || {
        printf '::error title=benchgate::there is no revision %q in this repository\n' "$BASE"
        exit 1
    }
elif ! base=$(commit "${EVENT_BASE:-none}"); then
    # The first push of a branch names a commit of zeros, and a forced one may name a lost one.
    if [[ ${GITHUB_EVENT_NAME:-} == pull_request || ${GITHUB_EVENT_NAME:-} == merge_group ]]; then
        printf '::error title=benchgate::the base commit %q is not in this repository\n' \
            "${EVENT_BASE:-}"
        exit 1
    fi
    base=$(commit 'HEAD^') || {
        printf '::error title=benchgate::the head has no parent\n'
        exit 1
    }
fi
printf 'base %s\nhead %s\n' "$base" "$head"
output base "$base"
output head "$head"
