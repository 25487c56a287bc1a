#!/usr/bin/env bash
# Measures HEAD against BASE. How it ended is an output, not the end of the step: the report comes first.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rm -rf "$OUTPUT"
mkdir -p "$OUTPUT"
arguments=(check --base "$BASE" --head "$HEAD" --output "$OUTPUT")
set -f # the globs are benchgate's, not the shell's
for glob in $SUITES; do arguments+=("--suite=$glob"); done
for glob in $FILTER; do arguments+=("--filter=$glob"); done
set +f
if [[ -n $BUDGET ]]; then arguments+=("--budget=$BUDGET"); fi
if [[ -n $FAIL_ON && $FAIL_ON != policy ]]; then arguments+=("--fail-on=$FAIL_ON"); fi

printf 'benchgate'
printf ' %q' "${arguments[@]}"
printf '\n'
status=0
# What is built and measured has no business with the files by which a step talks to the runner.
env -u GITHUB_ENV -u GITHUB_OUTPUT -u GITHUB_PATH -u GITHUB_STATE -u GITHUB_STEP_SUMMARY \
    "$BENCHGATE" "${arguments[@]}" 2>&1 | tee "$RUNNER_TEMP/benchgate-check.log" || status=${PIPESTATUS[0]}
output exit "$status"
