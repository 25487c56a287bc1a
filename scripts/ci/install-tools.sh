#!/usr/bin/env bash
# Builds benchgate from this checkout and the pinned critcmp.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rm -rf "$TOOLS"
mkdir -p "$TOOLS/bin"
target=$RUNNER_TEMP/benchgate-build
# In its own folder, as the settings in .cargo of the checkout to be measured are not for the gate.
cd "$SOURCE"
CARGO_TARGET_DIR=$target cargo build --quiet --locked --release --package benchgate
cp "$target/release/benchgate" "$TOOLS/bin/"
CARGO_TARGET_DIR=$target cargo install --quiet --locked --no-track --root "$TOOLS" \
    --version "$CRITCMP_VERSION" critcmp
rm -rf "$target"
"$BENCHGATE" --version
