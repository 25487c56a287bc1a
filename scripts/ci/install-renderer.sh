#!/usr/bin/env bash
# The released benchgate, by its digest. Where none was released of this source or for this machine: built from
# this checkout without optimisation, as it renders one file.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

renderer=$RUNNER_TEMP/benchgate-renderer
rm -rf "$renderer"
mkdir -p "$renderer/bin"
status=0
"$SOURCE/scripts/ci/take-release" "$renderer/bin" || status=$?
if ((status == 3)); then
    cd "$SOURCE"
    CARGO_TARGET_DIR=$RUNNER_TEMP/benchgate-build cargo install --quiet --locked --debug --no-track \
        --path crates/benchgate --root "$renderer"
    rm -rf "$RUNNER_TEMP/benchgate-build"
elif ((status != 0)); then
    exit "$status"
fi
