#!/usr/bin/env bash
# Whose code this is, before any of it is there: that of a fork or of a bot's pull request is measured only
# where FORKS or BOTS say `measure`. `auto` measures it on a machine of GitHub's, which is gone afterwards, with a token
# that may only read. That of a bot's is also measured where a person runs an attempt again, which takes write access.
set -euo pipefail
shopt -s inherit_errexit

refuse() {
    printf '::error title=benchgate::not measured: %s\n' "$*"
    printf '## benchgate: not measured\n\n%s.\n' "$*" >>"$GITHUB_STEP_SUMMARY"
    exit 1
}

case $FORKS in
    refuse | auto | measure) ;;
    *) refuse "the input forks is neither \`refuse\`, \`auto\` nor \`measure\`" ;;
esac
case $BOTS in
    refuse | auto | measure) ;;
    *) refuse "the input bots is neither \`refuse\`, \`auto\` nor \`measure\`" ;;
esac
if [[ $GITHUB_EVENT_NAME == pull_request_target || $GITHUB_EVENT_NAME == workflow_run ]]; then
    refuse "the event $GITHUB_EVENT_NAME would run a change with the trust of the default branch"
fi
# Reviews and the like are of a pull request, too.
if [[ $GITHUB_EVENT_NAME != pull_request* ]]; then exit 0; fi
# A variable of the runner's own, which no `env:` replaces.
hosted=
if [[ ${RUNNER_ENVIRONMENT:-} == github-hosted ]]; then hosted=yes; fi
if [[ $FORKS == refuse && $HEAD_REPOSITORY != "$GITHUB_REPOSITORY" ]]; then
    refuse "the code of a fork does not run on the machine that measures (input forks: refuse); a maintainer who" \
        "has read it can open a pull request from a branch of this repository"
fi
if [[ $FORKS == auto && $HEAD_REPOSITORY != "$GITHUB_REPOSITORY" && -z $hosted ]]; then
    refuse "the code of a fork does not run on a machine that is not GitHub's (input forks: auto); a maintainer who" \
        "has read it can open a pull request from a branch of this repository"
fi
again=${GITHUB_TRIGGERING_ACTOR:-}
if ((${GITHUB_RUN_ATTEMPT:-1} > 1)) && [[ -n $again && $again != *'[bot]' ]]; then exit 0; fi
if [[ $BOTS != measure && $AUTHOR_TYPE == Bot && ($BOTS == refuse || -z $hosted) ]]; then
    refuse "a bot opened this pull request (input bots: $BOTS); a maintainer who has read it can run all jobs again"
fi
