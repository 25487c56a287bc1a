#!/usr/bin/env bash
# Whether this machine is fit to measure on. DOCTOR says what follows where it is not: `enforce` ends the
# job, `report` tells.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

status=0
told=$("$BENCHGATE" doctor --check 2>&1) || status=$?
printf '%s\n' "$told"
if ((status == 0)); then exit 0; fi
{
    printf '### The machine is not set up to measure\n'
    quote <<<"$told"
} >>"$GITHUB_STEP_SUMMARY"
if [[ $DOCTOR == report ]]; then
    printf '::warning title=benchgate::the machine is not set up to measure: benchgate doctor says what to do\n'
    exit 0
fi
printf '::error title=benchgate::the machine is not set up to measure: benchgate doctor says what to do\n'
exit 1
