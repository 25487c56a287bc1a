#!/usr/bin/env bash
# The released benchgate, by its digest. Where none was released of this source or for this machine: built from
# this checkout without optimisation, as it renders one file.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

renderer=$RUNNER_TEMP/benchgate-renderer
rm -rf "$renderer"
if ! released "$renderer/bin"; then
    cd "$SOURCE"
    CARGO_TARGET_DIR=$RUNNER_TEMP/benchgate-build cargo install --quiet --locked --debug --no-track \
        --path crates/benchgate --root "$renderer"
    rm -rf "$RUNNER_TEMP/benchgate-build"
fi
