#!/usr/bin/env bash
# Where suites of bases are kept, if they are to be in a cache of Actions.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case $BASES in
    machine) ;;
    cache)
        output path "$("$BENCHGATE" cache path)"
        output prefix "benchgate-bases-${RUNNER_OS:-Linux}-${RUNNER_ARCH:-X64}-"
        ;;
    *)
        printf '::error title=benchgate::the input bases is neither machine nor cache\n'
        exit 1
        ;;
esac
