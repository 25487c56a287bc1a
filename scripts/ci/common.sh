# shellcheck shell=bash
# Where the steps of the benchgate action meet. Sourced by each of them.

# critcmp prints tables and decides nothing. `scripts/test` checks that both pins are equal.
# renovate: datasource=crate depName=critcmp
CRITCMP_VERSION=0.1.8

# This repository's own checkout: what the steps run of it comes from nowhere else.
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
: "${RUNNER_TEMP:?is set by the runner}"
TOOLS=$RUNNER_TEMP/benchgate-tools
OUTPUT=$RUNNER_TEMP/benchgate-output
ARTIFACT=$RUNNER_TEMP/benchgate-artifact
BENCHGATE=$TOOLS/bin/benchgate
export CRITCMP_VERSION SOURCE TOOLS OUTPUT ARTIFACT BENCHGATE

# output NAME VALUE: of the step.
output() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

# without_commands COMMAND…: nothing that it prints is a command to the runner, which reads them anywhere in a line.
without_commands() {
    local token status=0
    token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    printf '::stop-commands::%s\n' "$token"
    "$@" || status=$?
    printf '\n::%s::\n' "$token"
    return "$status"
}

# apart COMMAND…: what is built and measured has no business with the files by which a step talks to the runner.
apart() {
    env -u GITHUB_ENV -u GITHUB_OUTPUT -u GITHUB_PATH -u GITHUB_STATE -u GITHUB_STEP_SUMMARY "$@"
}

# released FOLDER: takes the released executables into it; fails where there are none for this machine or this
# source, and the caller builds. A file that is not what was released ends the step.
released() {
    local status=0
    mkdir -p "$1"
    "$SOURCE/scripts/ci/take-release" "$1" || status=$?
    if ((status != 0 && status != 3)); then exit "$status"; fi
    return "$status"
}

# words INPUT VALUE: the globs of an input into the array `words`, which spaces and lines separate. One that holds
# spaces is in quotation marks.
words() {
    local split
    split=$("$SOURCE/scripts/ci/split-words" "$2" | base64 --wrap=0) || {
        printf '::error title=benchgate::the input %s has a quotation mark that is not closed\n' "$1"
        exit 1
    }
    # shellcheck disable=SC2034 # of the caller
    mapfile -d '' -t words < <(base64 --decode <<<"$split")
}

# Git refuses a folder of another user, as a checkout is in a job that runs in a container. This one was checked out by
# the action itself, into WORKING_DIRECTORY. No other one is trusted.
trust_checkout() {
    local count=${GIT_CONFIG_COUNT:-0} folder
    folder=$(cd "${GITHUB_WORKSPACE:?is set by the runner}" && realpath --canonicalize-missing -- "$WORKING_DIRECTORY")
    export GIT_CONFIG_COUNT=$((count + 1))
    export "GIT_CONFIG_KEY_$count=safe.directory" "GIT_CONFIG_VALUE_$count=$folder"
}
if [[ -n ${WORKING_DIRECTORY:-} ]]; then trust_checkout; fi

# Text of others in the summary: as an indented block nothing in it is markup.
quote() { printf '\n' && sed 's/^/    /' && printf '\n'; }
