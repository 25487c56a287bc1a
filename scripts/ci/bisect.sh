#!/usr/bin/env bash
# Searches the history from BASE to HEAD for what made BENCHMARKS slower. How it ended is an output, not the end of the
# step: the answer comes first.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rm -rf "$OUTPUT" "$ARTIFACT"
mkdir -p "$OUTPUT" "$ARTIFACT"
arguments=(bisect --output "$OUTPUT" --good "$BASE" --bad "$HEAD")
words suites "$SUITES"
for glob in "${words[@]}"; do arguments+=("--suite=$glob"); done
if [[ -n $BUDGET ]]; then arguments+=("--budget=$BUDGET"); fi
words filter "$BENCHMARKS"
for glob in "${words[@]}"; do arguments+=("--filter=$glob"); done
# Stopped as by Ctrl-C, so that what was learnt is kept.
limit=()
if [[ -n $TIMEOUT ]]; then limit=(timeout --signal=INT --kill-after=2m --preserve-status "$TIMEOUT"); fi

printf 'benchgate'
printf ' %q' "${arguments[@]}"
printf '\n'

log=$RUNNER_TEMP/benchgate-bisect.log
searched() {
    apart "${limit[@]}" "$BENCHGATE" "${arguments[@]}" 2>&1 | tee "$log"
}

status=0
without_commands searched || status=$?
output exit "$status"

# Uploading follows links, and what was measured could have put one there.
page=$RUNNER_TEMP/benchgate-page
rm -rf "$page"
mkdir -p "$page"
for file in "$OUTPUT"/bisect.md "$OUTPUT"/bisect*.log; do
    if [[ -f $file && ! -L $file ]]; then cp --no-dereference "$file" "$page/"; fi
done
answer=$OUTPUT/bisect.json
if [[ -f $answer && ! -L $answer ]]; then
    cp --no-dereference "$answer" "$ARTIFACT/"
    output found true
    "$BENCHGATE" report "$answer" --format markdown >>"$GITHUB_STEP_SUMMARY"
else
    {
        printf '## benchgate: nothing was found (exit %d)\n' "$status"
        printf '\nThe last lines of benchgate bisect:\n'
        tail -n 40 "$log" | quote
    } >>"$GITHUB_STEP_SUMMARY"
fi
