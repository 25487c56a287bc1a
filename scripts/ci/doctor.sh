#!/usr/bin/env bash
# Checks that this machine is set up to measure. If it is not, DOCTOR decides: `enforce` fails the job,
# `report` only warns.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

status=0
points=$("$BENCHGATE" doctor --check 2>&1) || status=$?
without_commands printf '%s\n' "$points"
if ((status == 0)); then exit 0; fi
{
    printf '### The machine is not set up to measure\n'
    quote <<<"$points"
} >>"$GITHUB_STEP_SUMMARY"
if [[ $DOCTOR == report ]]; then
    printf '::warning title=benchgate::the machine is not set up to measure: benchgate doctor says what to do\n'
    exit 0
fi
printf '::error title=benchgate::the machine is not set up to measure: benchgate doctor says what to do\n'
exit 1
