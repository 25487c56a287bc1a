#!/usr/bin/env bash
# Installs valgrind on a machine that GitHub hosts, where it is missing: with it the gate counts instructions, and says
# where a slowdown sits. It measures without it, so this never ends the job.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

MOST=2m # of each attempt; a mirror that does not answer must not take the time of measuring

# What is installed on a machine of one's own is its owner's to say.
if [[ ${RUNNER_ENVIRONMENT:-} != github-hosted ]] || type -P valgrind >/dev/null; then exit 0; fi

as_root=()
if ((EUID != 0)); then as_root=(sudo --non-interactive); fi
apt_get() {
    timeout "$MOST" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes "$@"
}
installed() {
    apt_get install --no-install-recommends valgrind ||
        # The list of packages of the image may name a version that is gone.
        { apt_get update && apt_get install --no-install-recommends valgrind; }
}

if ! without_commands installed; then
    printf '::notice title=benchgate::valgrind is missing and could not be installed: instructions are not counted, %s\n' \
        'and the report does not say where a slowdown sits'
fi
