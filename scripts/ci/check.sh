#!/usr/bin/env bash
# Measures HEAD against BASE. How it ended is an output, not the end of the step: the report comes first.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rm -rf "$OUTPUT"
mkdir -p "$OUTPUT"

# Whether an unpacked artifact holds a result. A link could lead anywhere.
has_result() {
    [[ -f $1/result.json && ! -L $1/result.json ]]
}

arguments=(check --output "$OUTPUT")
case $METHOD in
    paired)
        arguments+=(--base "$BASE" --head "$HEAD")
        # Of the last attempt of this workflow run that has one; benchgate refuses one of something else. A single
        # artifact is unpacked without a folder, here and below.
        earlier=
        for ((before = 1; before < ${GITHUB_RUN_ATTEMPT:-1}; before++)); do
            for folder in "$RUNNER_TEMP"/benchgate-earlier{,/*-attempt-"$before"}; do
                if has_result "$folder"; then earlier=$folder/result.json; fi
            done
        done
        if [[ -z $SHARD && -n $earlier ]]; then
            arguments+=(--earlier "$earlier")
        elif [[ -z $SHARD && ${GITHUB_RUN_ATTEMPT:-1} != 1 ]]; then
            printf '::notice title=benchgate::no result of an earlier attempt is here: this one counts as a first one\n'
        fi
        ;;
    baseline) arguments+=(--base "$BASE" --baseline) ;;
    anchor) arguments+=(--anchor --head "$HEAD") ;;
    merge)
        arguments=(merge --output "$OUTPUT")
        # Of each shard what its last attempt left, also where that is no result: where only failed jobs run again, the
        # others' are of attempts before this one.
        declare -A newest=()
        for ((attempt = 1; attempt <= ${GITHUB_RUN_ATTEMPT:-1}; attempt++)); do
            for folder in "$RUNNER_TEMP"/benchgate-shards/*-attempt-"$attempt"; do
                newest[${folder%-attempt-*}]=$folder
            done
        done
        for folder in "$RUNNER_TEMP/benchgate-shards" "${newest[@]}"; do
            if has_result "$folder"; then arguments+=("$folder/result.json"); fi
        done
        ;;
    *)
        printf '::error title=benchgate::the input method is none of paired, baseline, anchor, merge, save-baseline, bisect\n'
        exit 1
        ;;
esac
if [[ $METHOD != merge ]]; then
    words suites "$SUITES"
    for glob in "${words[@]}"; do arguments+=("--suite=$glob"); done
    words filter "$FILTER"
    for glob in "${words[@]}"; do arguments+=("--filter=$glob"); done
    if [[ -n $BUDGET ]]; then arguments+=("--budget=$BUDGET"); fi
    if [[ -n $SHARD ]]; then arguments+=("--shard=$SHARD"); fi
fi
if [[ -n $LEVELS ]]; then arguments+=("--levels=$LEVELS"); fi
if [[ -n $FAIL_ON && $FAIL_ON != policy ]]; then arguments+=("--fail-on=$FAIL_ON"); fi
# Stopped as by Ctrl-C, so that what was measured is in the result.
limit=()
if [[ -n $TIMEOUT ]]; then limit=(timeout --signal=INT --kill-after=2m --preserve-status "$TIMEOUT"); fi

printf 'benchgate'
printf ' %q' "${arguments[@]}"
printf '\n'

measured() {
    apart "${limit[@]}" "$BENCHGATE" "${arguments[@]}" 2>&1 | tee "$RUNNER_TEMP/benchgate-check.log"
}

status=0
without_commands measured || status=$?
output exit "$status"
