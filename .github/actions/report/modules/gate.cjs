// The name of a gate: a repository may have several, by workflow and by artifact, and each reports for itself.
'use strict';

const WORKFLOW = 'benchgate';
const ARTIFACT = 'benchgate-result';

/**
 * Empty for the workflow and the artifact that `benchgate init` writes. Two gates have two names: neither a file of
 * `.github/workflows` nor an artifact has a slash in its name.
 *
 * @param {{workflow: string, artifact?: string}} of path of the workflow that measures, and the artifact's name
 */
function nameOf({ workflow, artifact = ARTIFACT }) {
  const stem = workflow.replace(/^\.github\/workflows\//, '').replace(/\.yml$/, '');
  const parts = artifact === ARTIFACT ? [stem] : [stem, artifact];
  return parts.length === 1 && stem === WORKFLOW ? '' : parts.join(' / ');
}

module.exports = { ARTIFACT, nameOf };
