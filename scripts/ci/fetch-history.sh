#!/usr/bin/env bash
# Fetches what the page shows of the history into a repository of its own: the branch benchgate-history, and the last
# commits of the default branch without their files. Nothing of it is checked out or run.
#
# Usage: scripts/ci/fetch-history.sh FOLDER
#
# From the environment: GITHUB_SERVER_URL, GITHUB_REPOSITORY, TOKEN, and BRANCH, the default branch. Where there is no
# such branch, or it cannot be fetched, there is no folder: a page is complete without it.
set -euo pipefail
shopt -s inherit_errexit

MOST_COMMITS=5000
MOST_SECONDS=120

folder=${1:?names the folder}
url=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY
kept=refs/heads/benchgate-history
line=refs/heads/$BRANCH

# Not as an argument: other processes see those.
export GIT_TERMINAL_PROMPT=0
if [[ -n ${TOKEN:-} ]]; then
    GIT_CONFIG_COUNT=1
    GIT_CONFIG_KEY_0=http.$GITHUB_SERVER_URL/.extraheader
    GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$TOKEN" | base64 --wrap=0)"
    export GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
fi

fetched() {
    git init --quiet "$folder" &&
        git -C "$folder" remote add origin "$url" &&
        timeout "$MOST_SECONDS" git -C "$folder" fetch --quiet --no-tags --depth=1 origin "$kept:$kept" &&
        timeout "$MOST_SECONDS" git -C "$folder" fetch --quiet --no-tags --depth="$MOST_COMMITS" --filter=tree:0 \
            origin "$line:refs/remotes/origin/line"
}

rm -rf "$folder"
if ! fetched; then
    rm -rf "$folder"
    printf 'no history: %s is not there, or could not be fetched\n' "$kept"
fi
