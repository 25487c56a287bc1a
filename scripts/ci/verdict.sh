#!/usr/bin/env bash
# Ends the job as the exit code of `benchgate check` says.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=constants.sh
. "$(dirname "${BASH_SOURCE[0]}")/constants.sh"

exit_code=${EXIT:-$EXIT_INCOMPLETE}
if [[ -n $SHARD ]]; then
    case $exit_code in
        "$EXIT_PASS" | "$EXIT_INCONCLUSIVE" | "$EXIT_REGRESSION")
            printf 'measured: the job that merges the shards decides\n'
            exit 0
            ;;
        *) ;;
    esac
fi
case $exit_code in
    "$EXIT_PASS") printf 'pass\n' ;;
    "$EXIT_INCONCLUSIVE")
        kind=warning
        if [[ $FAIL_ON_INCONCLUSIVE == true ]]; then kind=error; fi
        meaning=$EXIT_INCONCLUSIVE_MEANING
        if [[ $METHOD == bisect ]]; then meaning='no single commit: the summary has the set, or why nothing was searched'; fi
        printf '::%s title=benchgate::%s\n' "$kind" "$meaning"
        [[ $kind == warning ]] || exit "$exit_code"
        ;;
    "$EXIT_REGRESSION")
        printf '::error title=benchgate::%s\n' "$EXIT_REGRESSION_MEANING"
        exit "$exit_code"
        ;;
    *)
        printf '::error title=benchgate::could not measure (exit %d)\n' "$exit_code"
        exit "$exit_code"
        ;;
esac
