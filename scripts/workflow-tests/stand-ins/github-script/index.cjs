// The interface of actions/github-script v9, as far as the modules use it, on the libraries that v8 bundles. They are
// installed next to the tools, as act copies an action's folder for each step.
'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');

const libraries = createRequire(path.join(process.env.STAND_IN_MODULES, 'index.cjs'));
const core = libraries('@actions/core');
const { context, getOctokit } = libraries('@actions/github');
const workspace = createRequire(path.join(process.env.GITHUB_WORKSPACE, 'index.cjs'));

async function main() {
  const AsyncFunction = (async () => {}).constructor;
  const script = new AsyncFunction('github', 'context', 'core', 'require', core.getInput('script'));
  const github = getOctokit(core.getInput('github-token', { required: true }));
  // act has one token for all jobs.
  const permissions = JSON.parse(process.env.STAND_IN_PERMISSIONS)[process.env.GITHUB_JOB];
  github.hook.before('request', (options) => {
    options.headers['x-permissions'] = JSON.stringify(permissions);
  });
  const result = await script(github, context, core, workspace);
  core.setOutput('result', JSON.stringify(result) ?? '');
}

main().catch((error) => core.setFailed(`Unhandled error: ${error}`));
