#!/bin/sh
# How long the engine needs until it has said what it can do: it speaks `benchgate.rounds/1`.
set -eu
say() { printf '{"schema":"benchgate.rounds/1","id":"help"%s}\n' "$1"; }

case $1 in
    --list)
        say ''
        ;;
    --measure)
        runs=20
        start=$(date +%s%N)
        for _ in $(seq $runs); do ./target/release/benchgate --help >/dev/null; done
        ns=$((($(date +%s%N) - start) / runs))
        say ",\"metric\":\"time\",\"unit\":\"ns\",\"value\":$ns"
        ;;
esac
