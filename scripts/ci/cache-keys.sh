#!/usr/bin/env bash
# Names of the caches: of the tools by the source that they are built from and by the compiler, of the downloads
# by the lock file of the checkout in this folder.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

digest() { sha256sum | cut -c1-20; }

sources() {
    cd "$SOURCE"
    local name
    for name in Cargo.toml Cargo.lock crates/benchgate*; do
        if [[ -e $name ]]; then find -L "$name" -type f -print0; fi
    done | LC_ALL=C sort -z | xargs -0 sha256sum
    printf '%s\n' "$CRITCMP_VERSION"
    rustc --version
}

lock() { if [[ -f Cargo.lock ]]; then cat Cargo.lock; fi; }

platform=${RUNNER_OS:-Linux}-${RUNNER_ARCH:-X64}
output tools "benchgate-tools-$platform-$(sources | digest)"
output renderer "benchgate-renderer-$platform-$(sources | digest)"
output registries "benchgate-registry-$platform-"
output registry "benchgate-registry-$platform-$(lock | digest)"
