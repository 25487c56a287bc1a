// What GitHub says of a run, apart from what the run itself left: whether it is the workflow, on the machine,
// that is to be believed.
'use strict';

/** Runs by hand may measure a part or another base: they report in their own summary. */
const EVENTS = ['pull_request', 'merge_group', 'push'];
/** The job that measures, in what `benchgate init` writes. */
const MEASURE = 'measure';
/** The group of GitHub's own machines. Larger ones are in groups of an organisation, and cannot be told from others. */
const HOSTED = 'GitHub Actions';
/** GitHub lists no more files of a comparison than these: what is behind them is not known. */
const MOST_FILES = 300;
/**
 * What decides how a change is measured and judged: workflows, the policy, cargo's settings, which may name a runner of
 * the benchmarks, and the toolchain. Each of the folders may also be a link to another one.
 */
const DECIDES = /^\.github(\/|$)|(^|\/)(benchgate\.toml$|\.cargo(\/|$)|rust-toolchain)/;

/**
 * Why a run is not to be believed at all, or nothing.
 *
 * @param {object} github an Octokit
 * @param {object} run of `reported`
 * @param {{workflow: string, runnerGroup: string, forks?: string, job?: string}} expected `job`: name of the job that
 *   measures
 * @returns {Promise<string | null>}
 */
async function problem(github, run, { workflow, runnerGroup, forks = 'refuse', job = MEASURE }) {
  if (run.workflow !== workflow) return `the run is not of ${workflow}`;
  if (!EVENTS.includes(run.event)) return `the event is none of ${EVENTS.join(', ')}`;
  if (isOfAnotherBranch(run) && !(await isOfTheDefaultBranch(github, run, workflow))) {
    return `a push to another branch ran its own ${workflow}, which is not the default branch's`;
  }
  if (run.fork) return forks === 'auto' ? await problemOfFork(github, run, job) : null;
  // A run that never reached a machine has no artifact either, which is said as such.
  if (!runnerGroup || run.conclusion !== 'success') return null;
  const measured = await measuring(github, run, job);
  const elsewhere = measured.length === 0 || measured.some((one) => one.runner_group_name !== runnerGroup);
  return elsewhere ? `it was not measured by a runner of the group ${runnerGroup}` : null;
}

/** Who may push to the default branch decides what measures; who may push to another one does not. */
function isOfAnotherBranch(run) {
  return run.event === 'push' && (run.fork || run.headBranch !== run.defaultBranch);
}

/**
 * The jobs that measured, of all attempts of a run: the result may be of an earlier one. A job that was skipped, or
 * cancelled while it waited, is listed without a machine: it measured nothing.
 */
async function measuring(github, run, job) {
  return (await named(github, run, job)).filter(({ runner_group_name: group }) => group);
}

/** The jobs of this name, of all attempts of a run. */
async function named(github, { owner, repo, id }, job) {
  const of = { owner, repo, run_id: id, filter: 'all', per_page: 100 };
  const jobs = await github.paginate(github.rest.actions.listJobsForWorkflowRun, of);
  // A leg of a matrix has its values behind the name.
  const isMeasuring = (name) => name === job || (name.startsWith(`${job} (`) && name.endsWith(')'));
  return jobs.filter(({ name }) => isMeasuring(name));
}

/**
 * Whether what measures was started again in this attempt, so that nothing of an earlier one is its result. Where only
 * other jobs were, it had begun before the attempt did.
 *
 * @param {object} github an Octokit
 * @param {object} run of `reported`
 * @param {string} [job]
 */
async function measuresAgain(github, run, job = MEASURE) {
  const begun = Date.parse(run.startedAt);
  const jobs = await named(github, run, job);
  return jobs.length === 0 || !jobs.every((one) => Date.parse(one.started_at) < begun);
}

/**
 * Why what a fork's own run measured is not to be believed, or nothing: the machine is GitHub's, and the change leaves
 * alone what decides how it is measured and judged.
 */
async function problemOfFork(github, run, job) {
  const measured = await measuring(github, run, job);
  const isHosted = ({ runner_group_name: group, labels }) =>
    group === HOSTED && !(labels ?? []).some((label) => label.toLowerCase() === 'self-hosted');
  if (measured.length === 0 || !measured.every(isHosted)) {
    return "nothing says that a machine of GitHub's measured this fork";
  }
  const files = await changed(github, run);
  if (files === null) return 'the change of this fork cannot be compared with its base branch';
  if (files.length >= MOST_FILES) {
    return `the fork changes ${MOST_FILES} files or more, and GitHub does not list them all`;
  }
  const decides = files.find(({ filename, previous_filename: before = '' }) =>
    [filename, before].some((name) => DECIDES.test(name)),
  );
  return decides ? 'the fork changes a workflow, the policy, settings of cargo or the toolchain' : null;
}

/** The files that a change edits since it left its base branch; null where the two have no commit in common. */
async function changed(github, run) {
  const compared = await comparison(github, run);
  return compared && (compared.files ?? []);
}

/**
 * With the branch that the change is onto. The run itself says which one: the part that posts compares it with the pull
 * request, and the name of its status has it.
 */
async function comparison(github, { owner, repo, baseRef, defaultBranch, headSha }) {
  const basehead = `${baseRef || defaultBranch}...${headSha}`;
  return found(
    async () => (await github.rest.repos.compareCommitsWithBasehead({ owner, repo, basehead })).data,
  );
}

/** An answer of GitHub; null where it knows no such thing. */
async function found(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** The id of a file's content at a commit or a branch. */
async function blob(github, { owner, repo }, path, ref) {
  return found(async () => (await github.rest.repos.getContent({ owner, repo, path, ref })).data.sha);
}

async function isOfTheDefaultBranch(github, run, workflow) {
  const ofHead = await blob(github, run, workflow, run.headSha);
  return ofHead !== null && ofHead === (await blob(github, run, workflow, run.defaultBranch));
}

/**
 * Whether the change edits the workflow that measured it: then the run says what the change wants it to. What others
 * have changed on its base branch meanwhile is not the change's, as GitHub runs the merge of both; and a file
 * equal to the default branch's is not an edit.
 *
 * @param {object} github an Octokit
 * @param {object} run of `reported`
 * @param {string} workflow
 */
async function changesWorkflow(github, run, workflow) {
  // A push was compared with the default branch itself, and so was what a fork changes.
  if (run.fork || run.event === 'push') return false;
  const ofHead = await blob(github, run, workflow, run.headSha);
  if (ofHead === null) return true;
  if (ofHead === (await blob(github, run, workflow, run.defaultBranch))) return false;
  const forked = (await comparison(github, run))?.merge_base_commit?.sha;
  return !forked || ofHead !== (await blob(github, run, workflow, forked));
}

module.exports = { changesWorkflow, measuresAgain, problem };
