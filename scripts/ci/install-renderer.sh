#!/usr/bin/env bash
# Builds benchgate from this checkout, to render one file: without optimisation.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd "$SOURCE"
CARGO_TARGET_DIR=$RUNNER_TEMP/benchgate-build cargo install --quiet --locked --debug --no-track \
    --path crates/benchgate --root "$RUNNER_TEMP/benchgate-renderer"
rm -rf "$RUNNER_TEMP/benchgate-build"
