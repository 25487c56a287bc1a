#!/usr/bin/env bash
# Builds HEAD as later pull requests need it, as their base, and runs no bench. Output `filled`: whether it is kept.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

MOST_MIB=1000 # a repository has 10 GB of caches, and each push saves one

output filled false
if without_commands apart "$BENCHGATE" cache fill "$HEAD" && "$BENCHGATE" cache prune --max-size "$MOST_MIB"; then
    output filled true
else
    printf '::warning title=benchgate::the base of later pull requests is not kept: benchgate cache fill failed\n'
fi
