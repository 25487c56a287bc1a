#!/usr/bin/env bash
# Puts what was measured, or that nothing was, into the summary and into the folder that is uploaded.
# EXIT is empty where `benchgate check` was not reached or was stopped: that is "could not measure".
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=constants.sh
. "$(dirname "${BASH_SOURCE[0]}")/constants.sh"

MOST_BYTES=16777216 # of a result that report.yml reads

exit_code=${EXIT:-$EXIT_INCOMPLETE}
log=$RUNNER_TEMP/benchgate-check.log
rm -rf "$ARTIFACT"
mkdir -p "$ARTIFACT"

# Uploading follows links, and what was measured could have put one there.
result=$OUTPUT/result.json
if [[ -f $result && ! -L $result ]] && (($(stat -c %s "$result") <= MOST_BYTES)); then
    cp --no-dereference "$result" "$ARTIFACT/result.json"
fi
page=$RUNNER_TEMP/benchgate-page
rm -rf "$page"
mkdir -p "$page"
for name in report.html report.md; do
    if [[ -f $OUTPUT/$name && ! -L $OUTPUT/$name ]]; then cp --no-dereference "$OUTPUT/$name" "$page/"; fi
done
head=${HEAD:-$(git rev-parse HEAD)}
RUN_SCHEMA=$RUN_SCHEMA EXIT=$exit_code HEAD=$head "$SOURCE/scripts/ci/run-record" >"$ARTIFACT/run.json"

summary=$RUNNER_TEMP/benchgate-summary.md
if [[ ! -f $ARTIFACT/result.json ]] ||
    ! "$BENCHGATE" report "$ARTIFACT/result.json" --format markdown --max-bytes 1000000 >"$summary"; then
    {
        printf '## benchgate: not measured (exit %d)\n' "$exit_code"
        if [[ -f $log && ! -L $log ]]; then
            printf '\nThe last lines of benchgate check:\n'
            tail -n 40 "$log" | quote
        else
            printf '\nbenchgate check was not reached: the log of the job says why.\n'
        fi
    } >"$summary"
fi
cat "$summary" >>"$GITHUB_STEP_SUMMARY"
output exit "$exit_code"
