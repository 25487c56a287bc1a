// The parts of the report action: `pending`; `check`, `renderPage` and `renderResult` in the job that may write
// nothing, `post` in the one that runs nothing. Each takes what github-script gives, and its inputs from the environment.
'use strict';

const artifact = require('./artifact.cjs');
const bisection = require('./bisection.cjs');
const comment = require('./comment.cjs');
const { nameOf } = require('./gate.cjs');
const history = require('./history.cjs');
const { outcome } = require('./outcome.cjs');
const pullRequest = require('./pull-request.cjs');
const { page, record, render } = require('./render.cjs');
const { retrying } = require('./retry.cjs');
const status = require('./status.cjs');
const trust = require('./trust.cjs');

/** Whether it is a search that is reported, from within its own run, and not a run that this workflow was started for. */
function isSearch(context) {
  return context.payload.workflow_run === undefined;
}

/** The branch that a merge queue is of, by the name that GitHub gives the branch of a group. */
const QUEUE = /^gh-readonly-queue\/(.+)\/pr-\d+-[0-9a-f]+$/;

/** What GitHub itself says about the run that is reported. */
function reported(context) {
  const run = context.payload.workflow_run;
  const { owner, repo } = context.repo;
  const attempt = run.run_attempt ?? 1;
  const server = context.serverUrl ?? 'https://github.com';
  const runs = `${server}/${owner}/${repo}/actions/runs/${run.id}/attempts`;
  return {
    owner,
    repo,
    id: run.id,
    attempt,
    startedAt: run.run_started_at ?? '',
    // Some answers have the branch behind it.
    workflow: (run.path ?? '').split('@', 1)[0],
    event: run.event,
    conclusion: run.conclusion ?? 'unknown',
    headSha: run.head_sha,
    headBranch: run.head_branch,
    queueOf: run.event === 'merge_group' ? (QUEUE.exec(run.head_branch ?? '')?.[1] ?? '') : '',
    headRepository: run.head_repository?.full_name ?? null,
    defaultBranch: context.payload.repository?.default_branch ?? '',
    fork: run.head_repository?.full_name !== `${owner}/${repo}`,
    // Who started an attempt again is another than whose change it is.
    bot: run.actor?.type === 'Bot' && run.triggering_actor?.type !== 'User',
    url: `${runs}/${attempt}`,
    urlOf: (measuredIn) => `${runs}/${measuredIn ?? attempt}`,
  };
}

/**
 * The name of the gate that a run is of, and of the status that it sets. The run of a fork has another name, measured or not:
 * its head may be a commit of this repository, which has an answer already.
 */
function namesOf(run, env, baseRef) {
  const gate = nameOf({ workflow: run.workflow, artifact: env.ARTIFACT_NAME || undefined });
  return { gate, name: status.contextOf({ ...run, gate, baseRef, isOfFork: run.fork }) };
}

/** The branch that the change of a run is onto; empty for the default one, where nothing says another. */
function baseOf(run, ofPull) {
  return run.event === 'pull_request' ? ofPull : run.queueOf;
}

/** Says that a run has begun: nothing is silent until a runner has time. Input: `ARTIFACT_NAME`. */
async function pending({ github, context, core, env = process.env, world }) {
  const run = reported(context);
  const { owner, repo, headSha: sha, attempt, url } = run;
  const isRunning = context.payload.action === 'in_progress';
  const line = isRunning ? 'being measured' : 'waiting for a runner';
  const again = retrying(core, world);
  const isPull = run.event === 'pull_request';
  const pull = isPull ? await again(() => pullRequest.find(github, run)) : {};
  const { name } = namesOf(run, env, baseOf(run, pull.baseRef));
  const done = await again(() =>
    status.pending(github, { run, owner, repo, sha, context: name, line, attempt, url }),
  );
  core.info(`status: ${done}: ${line}`);
}

/**
 * Checks the run and the artifacts of its attempts, unpacked in `ATTEMPTS`, and moves the newest to `ARTIFACT`.
 * Inputs: `WORKFLOW`, `JOB`, `RUNNER_GROUP`, `FORKS`. Outputs: `state`, and all that was found as JSON in `rendered`.
 */
async function check({ github, context, core, env = process.env, world }) {
  if (isSearch(context)) return bisection.check({ context, core, env });
  const run = reported(context);
  const again = retrying(core, world);
  const { WORKFLOW: workflow, RUNNER_GROUP: runnerGroup = '', FORKS: forks, JOB } = env;
  const expected = { workflow, runnerGroup, forks, job: JOB || undefined };
  const attempt = artifact.take(env, run.attempt);
  let found = artifact.check(env.ARTIFACT, run, attempt);
  const compared = { ...run, baseRef: baseOf(run, found.baseRef) };
  const problem = await again(() => trust.problem(github, compared, expected));
  if (problem) found = artifact.refused(problem);
  const isEarlier = found.attempt !== null && found.attempt < run.attempt;
  if (isEarlier && (await again(() => trust.measuresAgain(github, run, expected.job))))
    found = artifact.absent();
  const doubts = [];
  if (!problem && (await again(() => trust.changesWorkflow(github, compared, expected.workflow)))) {
    doubts.push(`this change edits ${expected.workflow}, which measured it`);
  }
  core.info(`artifact: ${found.state} ${found.reason} ${doubts.join('; ')}`);
  core.setOutput('state', found.state);
  core.setOutput(
    'rendered',
    JSON.stringify({ ...found, doubts, isProven: run.fork && env.FORKS === 'auto' && !problem }),
  );
}

/** What a renderer needs of a run, and where the run was measured. */
function toRender(context, checked, env) {
  const { headSha, urlOf } = reported(context);
  const { RENDERER: renderer, ARTIFACT: artifact } = env;
  return { renderer, artifact, headSha, runUrl: urlOf(checked.attempt) };
}

/** Writes the page of the result in `ARTIFACT` with `RENDERER` into the file `PAGE`. Inputs: `CHECKED`, what `check`
 * found; `HISTORY`, a repository with the runs before, where there is one. Output: `written`. */
function renderPage({ context, core, env = process.env }) {
  if (isSearch(context)) return;
  const of = toRender(context, JSON.parse(env.CHECKED), env);
  const problem = page({ ...of, file: env.PAGE, history: env.HISTORY });
  if (problem) core.info(`no page: ${problem}`);
  core.setOutput('written', String(!problem));
}

/** Renders the result in `ARTIFACT` with `RENDERER`. Inputs: `CHECKED`, what `check` found; `PAGE_URL`, empty where the
 * page could not be uploaded. Output: `CHECKED` with what was rendered, or that it was refused. */
function renderResult({ context, core, env = process.env }) {
  if (isSearch(context)) return void bisection.render({ context, core, env });
  const checked = JSON.parse(env.CHECKED);
  const of = toRender(context, checked, env);
  const rendered = render({ ...of, pageUrl: env.PAGE_URL ?? '', exit: checked.exit });
  core.info(`result: ${rendered.state} ${rendered.reason ?? rendered.line}`);
  const text = rendered.state === 'result' && isOfHistory(reported(context)) ? record(of) : '';
  core.setOutput('rendered', JSON.stringify({ ...checked, ...rendered, record: text }));
}

/** Whether a run is one of the default branch: the history is of merges. */
function isOfHistory(run) {
  return run.event === 'push' && run.headBranch === run.defaultBranch && !run.fork;
}

/** Adds the record of the run to the history. Input: `RENDERED`, the output of the job that rendered. */
async function keep({ github, context, core, env = process.env, world }) {
  const run = reported(context);
  const { state, doubts, record: text } = handedOver(env.RENDERED, core);
  if (state !== 'result' || !text || !isOfHistory(run)) {
    core.info('nothing is recorded: there is no result of the default branch');
    return;
  }
  const wrong = doubts[0] ?? history.problem(text, run.headSha);
  if (wrong) {
    core.warning(`nothing is recorded: ${wrong}`);
    return;
  }
  const { owner, repo } = run;
  core.info(`recorded: ${await history.append(github, { owner, repo, text }, world)}`);
}

/** What the job before handed over; nothing where it failed. */
function handedOver(text, core) {
  try {
    return { doubts: [], state: '', ...JSON.parse(text) };
  } catch {
    core.info('the job before left nothing');
    return { doubts: [], state: '' };
  }
}

/** Makes calls that are reported where they fail, and do not keep each other back. */
class Attempts {
  constructor(core, world) {
    this.core = core;
    this.again = retrying(core, world);
    this.failed = [];
  }

  async make(what, call) {
    try {
      return await this.again(call);
    } catch (error) {
      this.core.warning(`the ${what} could not be posted: ${error.status ?? ''} ${error.message}`);
      this.failed.push(what);
      return null;
    }
  }
}

const MODES = ['always', 'on-findings', 'never'];

/**
 * Posts the comment and the commit status. Inputs: `RENDERED`, the output of the other job; `AUTHOR`, the
 * login that this token writes as; `ARTIFACT_NAME`, `FORKS`, and `COMMENT`, one of `always`, `on-findings`, `never`. One
 * that cannot be posted is a warning and does not keep the other back; when neither could, the job fails.
 */
async function post({ github, context, core, env = process.env, world }) {
  if (isSearch(context)) return bisection.post({ github, context, core, env, world });
  const run = reported(context);
  const rendered = handedOver(env.RENDERED, core);
  const attempts = new Attempts(core, world);
  const mode = env.COMMENT || 'always';
  if (!MODES.includes(mode)) {
    core.setFailed(`nothing was posted: the input comment is \`${mode}\`: expected ${MODES.join(', ')}`);
    return;
  }
  const pull = await pullOf(github, run, rendered, attempts);
  const said = outcome({
    ...rendered,
    isProven: rendered.isProven === true && env.FORKS === 'auto',
    doubts: [...rendered.doubts, ...pull.doubts],
    measuredIn: rendered.attempt,
    conclusion: run.conclusion,
    fork: run.fork,
    bot: run.bot,
    attempt: run.attempt,
    runUrl: run.url,
  });
  // A pull request with a newer head, or a closed one, is not found: its base is the one that was measured.
  const { gate, name } = namesOf(run, env, baseOf(run, pull.baseRef || rendered.baseRef));
  await attempts.make('comment', async () => {
    if (pull.number === null || mode === 'never') {
      core.info(`no comment: ${pull.reason || 'the input comment is `never`'}`);
      return;
    }
    const { status: state, body } = said;
    const quiet = mode === 'on-findings' && !said.hasFindings;
    const of = { ...run, number: pull.number, author: env.AUTHOR, run: { ...run, gate, state }, body, quiet };
    core.info(`comment: ${await comment.upsert(github, of, world)}`);
  });
  await attempts.make('status', async () => {
    const { owner, repo, headSha: sha, attempt, url } = run;
    const { status: state, line } = said;
    const of = { owner, repo, sha, context: name, state, line, attempt, url, run };
    core.info(`status: ${await status.settle(github, of)}: ${state}: ${line}`);
  });
  if (attempts.failed.includes('comment') && attempts.failed.includes('status')) {
    core.setFailed('neither the comment nor the status could be posted');
  }
}

/** The pull request that a run is of. */
async function pullOf(github, run, { base, baseRef }, attempts) {
  const none = { number: null, baseRef: '', doubts: [], reason: 'it is of no pull request' };
  if (run.event !== 'pull_request') return none;
  const found = await attempts.make('comment', () => pullRequest.find(github, { ...run, base, baseRef }));
  const doubts = ['the pull request could not be looked up'];
  return found ?? { ...none, doubts, reason: 'GitHub did not answer' };
}

module.exports = { check, keep, pending, post, renderPage, renderResult, reported };
