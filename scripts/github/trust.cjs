// What GitHub says of a run, apart from what the run itself left: whether it is the workflow, on the machine,
// that is to be believed.
'use strict';

/** Runs by hand may measure a part or another base: they report in their own summary. */
const EVENTS = ['pull_request', 'merge_group', 'push'];
const MEASURE = 'measure';

/**
 * Why a run is not to be believed at all, or nothing.
 *
 * @param {object} github an Octokit
 * @param {object} run of `reported`
 * @param {{workflow: string, runnerGroup: string}} expected
 * @returns {Promise<string | null>}
 */
async function problem(github, run, { workflow, runnerGroup }) {
  if (run.workflow !== workflow) return `the run is not of ${workflow}`;
  if (!EVENTS.includes(run.event)) return `the event is none of ${EVENTS.join(', ')}`;
  // A run that never reached a machine has no artifact either, which is said as such.
  if (!runnerGroup || run.conclusion !== 'success') return null;
  const { owner, repo, id } = run;
  const jobs = await github.paginate(github.rest.actions.listJobsForWorkflowRun, {
    owner,
    repo,
    run_id: id,
    per_page: 100,
  });
  const measured = jobs.filter((job) => job.name === MEASURE);
  const elsewhere = measured.length === 0 || measured.some((job) => job.runner_group_name !== runnerGroup);
  return elsewhere ? `it was not measured by a runner of the group ${runnerGroup}` : null;
}

/**
 * Whether the commit changes the workflow that measured it: then the run says what the change wants it to.
 *
 * @param {object} github an Octokit
 * @param {object} run of `reported`
 * @param {string} workflow
 */
async function changesWorkflow(github, run, workflow) {
  // Who may push to the default branch decides what measures; a fork is not believed in any case.
  if (run.fork || run.event === 'push') return false;
  const { owner, repo } = run;
  const at = async (ref) => {
    try {
      const { data } = await github.rest.repos.getContent({ owner, repo, path: workflow, ref });
      return data.sha;
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  };
  const [ofHead, ofDefault] = [await at(run.headSha), await at(run.defaultBranch)];
  return ofHead === null || ofHead !== ofDefault;
}

module.exports = { changesWorkflow, problem };
