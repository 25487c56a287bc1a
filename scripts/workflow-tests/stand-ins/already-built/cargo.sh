#!/bin/sh
# A cargo that has built the tools of the gate already: the caller has, of the same sources, and three builds take ten
# minutes. The builds of scripts/ci, word for word; with other words they fail.
set -eu
# Not by variables: a sandbox passes none on.
# shellcheck disable=SC1091 # the scenario writes it
. "${0%/*}/tools.sh"
case "$*" in
    "build --quiet --locked --release --package benchgate")
        mkdir -p "$CARGO_TARGET_DIR/release"
        exec cp "$BENCHGATE" "$CARGO_TARGET_DIR/release/"
        ;;
    "install --quiet --locked --debug --no-track --path crates/benchgate --root "*) tool=$BENCHGATE ;;
    "install --quiet --locked --debug --no-track --root "*" --version $CRITCMP_VERSION critcmp")
        tool=$CRITCMP
        ;;
    install* | *" --package benchgate"*)
        echo "not a build that this stands for: cargo $*" >&2
        exit 101
        ;;
    *) exec "$CARGO" "$@" ;;
esac
[ -e Cargo.lock ]
while [ "$1" != --root ]; do shift; done
mkdir -p "$2/bin"
exec cp "$tool" "$2/bin/"
