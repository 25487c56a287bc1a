// The steps of report.yml: `check` and `render` in the job that may write nothing, `post` in the one that
// runs nothing. Each takes what github-script gives, and its inputs from the environment.
'use strict';

const artifact = require('./artifact.cjs');
const comment = require('./comment.cjs');
const { outcome } = require('./outcome.cjs');
const pullRequest = require('./pull-request.cjs');
const { render } = require('./render.cjs');
const { retry } = require('./retry.cjs');
const status = require('./status.cjs');

/** What GitHub itself says about the run that is reported. */
function reported(context) {
  const run = context.payload.workflow_run;
  const { owner, repo } = context.repo;
  const attempt = run.run_attempt ?? 1;
  const server = context.serverUrl ?? 'https://github.com';
  return {
    owner,
    repo,
    id: run.id,
    attempt,
    event: run.event,
    conclusion: run.conclusion ?? 'unknown',
    headSha: run.head_sha,
    headBranch: run.head_branch,
    headRepository: run.head_repository?.full_name ?? null,
    fork: run.head_repository?.full_name !== `${owner}/${repo}`,
    url: `${server}/${owner}/${repo}/actions/runs/${run.id}/attempts/${attempt}`,
  };
}

/** Looks at the unpacked artifact in `ARTIFACT`. Outputs: `state`, `reason`, `exit`, `base`. */
function check({ context, core, env = process.env }) {
  const found = artifact.check(env.ARTIFACT, reported(context).headSha);
  core.info(`artifact: ${found.state} ${found.reason}`);
  for (const [name, value] of Object.entries(found)) core.setOutput(name, String(value ?? ''));
}

/** Renders the result in `ARTIFACT` with `RENDERER`. Outputs: `state`, and `reason` or `verdict`,
 * `line`, `body`. */
function renderResult({ context, core, env = process.env }) {
  const { headSha, url } = reported(context);
  const rendered = render({
    renderer: env.RENDERER,
    result: `${env.ARTIFACT}/result.json`,
    headSha,
    runUrl: url,
    exit: Number(env.EXIT),
  });
  core.info(`result: ${rendered.state} ${rendered.reason ?? rendered.line}`);
  for (const [name, value] of Object.entries(rendered)) core.setOutput(name, value);
}

/**
 * Posts the comment and the commit status. Inputs: `STATE`, `REASON`, `EXIT`, `BASE`, `VERDICT`, `LINE`, `BODY` of
 * the other job, and `AUTHOR`, the login that this token writes as. One that cannot be posted is a
 * warning and does not keep the other back; when neither could, the job fails.
 */
async function post({ github, context, core, env = process.env, world = {} }) {
  const run = reported(context);
  const said = outcome({
    conclusion: run.conclusion,
    fork: run.fork,
    state: env.STATE ?? '',
    reason: env.REASON,
    exit: env.EXIT ? Number(env.EXIT) : null,
    verdict: env.VERDICT,
    line: env.LINE,
    body: env.BODY,
    runUrl: run.url,
  });
  const again = (call) => retry(call, { say: core.info, ...world });
  const failed = [];
  const attempt = async (what, call) => {
    try {
      return await call();
    } catch (error) {
      core.warning(`the ${what} could not be posted: ${error.status ?? ''} ${error.message}`);
      failed.push(what);
      return null;
    }
  };

  let written = 'none';
  if (run.event === 'pull_request') {
    written = await attempt('comment', async () => {
      const pull = await again(() => pullRequest.find(github, { ...run, base: env.BASE }));
      if (pull.number === null) {
        core.info(`no comment: ${pull.reason}`);
        return 'none';
      }
      const of = { ...run, number: pull.number, author: env.AUTHOR, run, body: said.body };
      return again(() => comment.upsert(github, of));
    });
    core.info(`comment: ${written}`);
  }
  if (written === 'superseded') {
    core.info('a newer run has reported: its comment and its status stay');
    return;
  }
  const { owner, repo, headSha: sha, url } = run;
  const of = { owner, repo, sha, state: said.status, line: said.line, url };
  await attempt('status', () => again(() => status.set(github, of)));
  core.info(`status: ${said.status}: ${said.line}`);
  if (failed.length === 2) core.setFailed('neither the comment nor the status could be posted');
}

module.exports = { check, post, renderResult, reported };
