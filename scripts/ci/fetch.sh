#!/usr/bin/env bash
# Downloads what the lock file of the checkout in this folder names, so that a cache can be saved before
# anything of the checkout runs. Output `complete`: whether all of it is there.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

manifest=$PWD/Cargo.toml
output complete false
# From a folder of its own: settings in .cargo of the checkout may name programs, and cargo takes them from
# the folder it is called in.
empty=$(mktemp -d)
cd "$empty"
if without_commands cargo fetch --locked --manifest-path "$manifest"; then
    output complete true
else
    printf '::warning title=benchgate::downloads are not cached: cargo fetch --locked failed\n'
fi
