#!/usr/bin/env bash
# Copies what the store has of KEY, or of its part before the digest, to INTO.
set -euo pipefail
shopt -s inherit_errexit

printf 'restore %s\n' "$KEY" >>"$STAND_IN_STORE/caches.log"
found=$STAND_IN_STORE/caches/$KEY
if [[ ! -d $found ]]; then found=$STAND_IN_STORE/caches/${KEY%-*}; fi
if [[ ! -d $found || $INTO == *$'\n'* ]]; then
    # The real one leaves the output empty.
    exit 0
fi
rm -rf "$INTO"
mkdir -p "$INTO"
cp -R "$found/." "$INTO"
printf 'cache-hit=true\ncache-matched-key=%s\n' "$KEY" >>"$GITHUB_OUTPUT"
