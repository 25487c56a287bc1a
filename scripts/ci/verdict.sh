#!/usr/bin/env bash
# Ends the job as the exit code of `benchgate check` says.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${EXIT:-101} in
    0) printf 'pass\n' ;;
    102)
        kind=warning
        if [[ $FAIL_ON_INCONCLUSIVE == true ]]; then kind=error; fi
        printf '::%s title=benchgate::inconclusive: neither a slowdown nor its absence is proven\n' "$kind"
        [[ $kind == warning ]] || exit 102
        ;;
    100)
        printf '::error title=benchgate::regression proven\n'
        exit 100
        ;;
    *)
        printf '::error title=benchgate::could not measure (exit %d)\n' "${EXIT:-101}"
        exit "${EXIT:-101}"
        ;;
esac
