#!/usr/bin/env bash
# The released benchgate and critcmp, by their digests. Where none was released of this source or for this
# machine: both built, benchgate from this checkout.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rm -rf "$TOOLS"
if ! released "$TOOLS/bin"; then
    target=$RUNNER_TEMP/benchgate-build
    # In its own folder, as the settings in .cargo of the checkout to be measured are not for the gate.
    cd "$SOURCE"
    CARGO_TARGET_DIR=$target cargo build --quiet --locked --release --package benchgate
    cp "$target/release/benchgate" "$TOOLS/bin/"
    # It prints a few tables: what optimising it saves there is a part of what it costs here.
    CARGO_TARGET_DIR=$target CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug --no-track \
        --root "$TOOLS" --version "$CRITCMP_VERSION" critcmp
    rm -rf "$target"
fi
"$BENCHGATE" --version
