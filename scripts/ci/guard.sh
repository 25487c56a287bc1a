#!/usr/bin/env bash
# Whose code this is, before any of it is there: that of a fork or of a bot's pull request is measured only
# where FORKS or BOTS say `measure`.
set -euo pipefail
shopt -s inherit_errexit

refuse() {
    printf '::error title=benchgate::not measured: %s\n' "$*"
    printf '## benchgate: not measured\n\n%s.\n' "$*" >>"$GITHUB_STEP_SUMMARY"
    exit 1
}

# choice INPUT VALUE
choice() {
    case $2 in
        refuse | measure) ;;
        *) refuse "the input $1 is neither \`refuse\` nor \`measure\`" ;;
    esac
}

choice forks "$FORKS"
choice bots "$BOTS"
if [[ $GITHUB_EVENT_NAME == pull_request_target || $GITHUB_EVENT_NAME == workflow_run ]]; then
    refuse "the event $GITHUB_EVENT_NAME would run a change with the trust of the default branch"
fi
if [[ $GITHUB_EVENT_NAME != pull_request ]]; then exit 0; fi
if [[ $FORKS == refuse && $HEAD_REPOSITORY != "$GITHUB_REPOSITORY" ]]; then
    refuse "the code of a fork does not run on the machine that measures (input forks: refuse); a maintainer who" \
        "has read it can open a pull request from a branch of this repository"
fi
if [[ $BOTS == refuse && $AUTHOR_TYPE == Bot ]]; then
    refuse "a bot opened this pull request (input bots: refuse); a maintainer can start the workflow by hand"
fi
