// A GitHub small enough to hold in the head: pull requests, comments and statuses in memory, answered a
// page at a time, and faults where a test wants them. The API that is not ours is in the end-to-end test.
'use strict';

const PAGE = 100;
/** Where the head left the default branch. */
const FORKED = 'c3'.repeat(20);

class ApiError extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.response = { headers };
  }
}

/** What a token needs for a call; `write` may read, too. Comments of a pull request are written with either of two. */
const NEEDS = [
  [/^pulls\.list$/, ['pull-requests', 'read']],
  [/^issues\.listComments$/, ['pull-requests', 'read']],
  [/^issues\.|^graphql$/, ['pull-requests', 'write']],
  [/^actions\./, ['actions', 'read']],
  [/^repos\.(getContent|compare)/, ['contents', 'read']],
  [/^repos\.list/, ['statuses', 'read']],
  [/^repos\.create/, ['statuses', 'write']],
];

/** Whether a token with these permissions may make a call. */
function isAllowed(name, permissions) {
  const [, [scope, access]] = NEEDS.find(([pattern]) => pattern.test(name));
  return [access, 'write'].includes(permissions[scope]);
}

/**
 * @param {{pulls?: object[], comments?: object[], jobs?: object[], contents?: Record<string, string>,
 *          compared?: object | null, bases?: string[], bot?: string, permissions?: Record<string, string>}} [initial] `contents`: the blob of the workflow by ref; the same one
 *          everywhere else. `compared`: the head against each of the branches `bases`. `permissions`: of the
 *          token, as a workflow grants them; all without
 */
function fakeGitHub({
  pulls = [],
  comments = [],
  jobs = [],
  contents = {},
  compared = { merge_base_commit: { sha: FORKED }, files: [] },
  bases = ['main'],
  bot = 'github-actions[bot]',
  permissions,
} = {}) {
  const calls = [];
  const faults = [];
  const statuses = [];
  const folded = [];
  let nextId = 1 + Math.max(0, ...comments.map((comment) => comment.id));

  const mayCall = (name) => {
    if (!permissions || isAllowed(name, permissions)) return;
    throw new ApiError(403, 'Resource not accessible by integration');
  };
  const endpoint = (name, answer) => {
    const call = async (parameters) => {
      calls.push({ name, parameters });
      mayCall(name);
      const at = faults.findIndex((fault) => fault.name === name);
      const [fault] = at < 0 ? [] : faults.splice(at, 1);
      if (fault && !fault.afterwards) throw fault.error;
      const data = answer(parameters);
      if (fault) throw fault.error;
      return { data };
    };
    call.endpointName = name;
    return call;
  };
  const page = (all, { per_page = 30, page: number = 1 }) =>
    all.slice((number - 1) * per_page, number * per_page);

  const github = {
    rest: {
      pulls: {
        list: endpoint('pulls.list', (query) => {
          const open = pulls.filter((pull) => query.state === 'all' || pull.state === query.state);
          const wanted = (pull) => !query.head || pull.head.label === query.head;
          return page(open.filter(wanted), query);
        }),
      },
      actions: {
        listJobsForWorkflowRun: endpoint('actions.listJobsForWorkflowRun', (query) => page(jobs, query)),
      },
      issues: {
        listComments: endpoint('issues.listComments', (query) =>
          page(
            comments.filter((comment) => comment.issue === query.issue_number),
            query,
          ),
        ),
        createComment: endpoint('issues.createComment', ({ issue_number: issue, body }) => {
          if (body.length > 65_536) throw new ApiError(422, 'body is too long');
          const comment = { id: nextId++, node_id: `node-${nextId}`, issue, body, user: { login: bot } };
          comments.push(comment);
          return comment;
        }),
        updateComment: endpoint('issues.updateComment', ({ comment_id: id, body }) => {
          if (body.length > 65_536) throw new ApiError(422, 'body is too long');
          const comment = comments.find((one) => one.id === id);
          comment.body = body;
          return comment;
        }),
        deleteComment: endpoint('issues.deleteComment', ({ comment_id: id }) => {
          comments.splice(
            comments.findIndex((one) => one.id === id),
            1,
          );
        }),
      },
      repos: {
        getContent: endpoint('repos.getContent', ({ ref }) => {
          const sha = ref in contents ? contents[ref] : 'blob';
          if (sha === null) throw new ApiError(404, 'Not Found');
          return { sha };
        }),
        compareCommitsWithBasehead: endpoint('repos.compareCommitsWithBasehead', ({ basehead }) => {
          if (compared === null || !bases.includes(basehead.split('...')[0]))
            throw new ApiError(404, 'No common ancestor');
          return compared;
        }),
        listCommitStatusesForRef: endpoint('repos.listCommitStatusesForRef', (query) =>
          page(statuses.filter((status) => status.sha === query.ref).toReversed(), query),
        ),
        createCommitStatus: endpoint('repos.createCommitStatus', (status) => {
          if (status.description.length > 140) throw new ApiError(422, 'description is too long');
          statuses.push(status);
          return status;
        }),
      },
    },
    graphql: async (_, { id }) => {
      mayCall('graphql');
      const fault = faults.findIndex(({ name }) => name === 'graphql');
      if (fault >= 0) throw faults.splice(fault, 1)[0].error;
      folded.push(id);
    },
    async paginate(call, parameters) {
      const all = [];
      for (let number = 1; ; number += 1) {
        const { data } = await call({ ...parameters, page: number });
        all.push(...data);
        if (data.length < (parameters.per_page ?? PAGE)) return all;
      }
    },
  };
  return {
    github,
    comments,
    statuses,
    folded,
    calls,
    count: (name) => calls.filter((call) => call.name === name).length,
    /** The next call of `name` fails; `afterwards`: only its answer is lost. */
    fail: (name, status, headers, { message = 'no', afterwards = false } = {}) =>
      faults.push({ name, error: new ApiError(status, message, headers), afterwards }),
  };
}

/** Time that passes when it is waited for. */
function fakeWorld() {
  const slept = [];
  let seconds = 1_000_000;
  return {
    slept,
    sleep: async (pause) => {
      slept.push(pause);
      seconds += pause;
    },
    now: () => seconds,
  };
}

/** What github-script calls `core`. */
function fakeCore() {
  const lines = [];
  const outputs = {};
  const say = (kind) => (line) => lines.push(`${kind}: ${line}`);
  return {
    lines,
    outputs,
    info: say('info'),
    warning: say('warning'),
    setFailed: say('failed'),
    setOutput: (name, value) => {
      outputs[name] = value;
    },
  };
}

const SHA = 'a1'.repeat(20);
const OTHER_SHA = 'b2'.repeat(20);

function pull(
  number,
  { sha = SHA, repo = 'o/r', branch = 'topic', base = OTHER_SHA, onto = 'main', state = 'open' } = {},
) {
  const owner = repo.split('/')[0];
  return {
    number,
    state,
    head: { sha, label: `${owner}:${branch}`, repo: repo === 'gone' ? null : { full_name: repo } },
    base: { sha: base, ref: onto },
  };
}

module.exports = { ApiError, FORKED, OTHER_SHA, SHA, fakeCore, fakeGitHub, fakeWorld, pull };
