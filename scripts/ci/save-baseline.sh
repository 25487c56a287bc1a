#!/usr/bin/env bash
# Measures this commit and puts its baselines, with what they change, into the folder that is uploaded.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

without_commands "$BENCHGATE" baseline save
without_commands "$BENCHGATE" baseline verify

rm -rf "$ARTIFACT"
mkdir -p "$ARTIFACT"
git ls-files --modified --others --exclude-standard -z -- baselines |
    xargs -0 --no-run-if-empty cp --parents --no-dereference --target-directory "$ARTIFACT"
"$BENCHGATE" baseline diff HEAD >"$ARTIFACT/change.txt"
if release=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
    {
        printf 'since %s\n\n' "$release"
        "$BENCHGATE" baseline diff "$release"
    } >"$ARTIFACT/drift.txt"
else
    printf 'there is no release yet\n' >"$ARTIFACT/drift.txt"
fi
{
    printf '## The baselines that were measured\n'
    quote <"$ARTIFACT/change.txt"
    printf '### Since the last release\n'
    quote <"$ARTIFACT/drift.txt"
} >>"$GITHUB_STEP_SUMMARY"
