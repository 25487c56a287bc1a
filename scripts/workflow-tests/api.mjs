// A GitHub to run workflows against: emulate's stateful API, and in front of it what it lacks: commit
// statuses, the limit of a comment, the ids of our own git commits, and faults where a scenario wants them.
//
// node api.mjs PORT REPOSITORY BRANCH, a bare git repository and its default branch: GET /_requests lists what was asked and clears it, POST /_faults adds
// {method, path, status, headers, times}, POST /_pull opens a pull request of {title, branch,
// head, base, fork}, head and base being ids of our git repository, POST /_push gives its branch another
// head.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const emulate = path.join(process.env.STAND_IN_MODULES, 'node_modules/emulate/dist/api.js');
const { createEmulator } = await import(pathToFileURL(emulate));

const port = Number(process.argv[2]);
const bare = process.argv[3];
const DEFAULT = process.argv[4];
const OWNER = 'octo';
const REPO = 'gated';
const BOT = 'github-actions[bot]';
const repository = `/repos/${OWNER}/${REPO}`;
const COMMENT_LIMIT = 65_536;

const emulator = await createEmulator({
  service: 'github',
  port: port + 1,
  seed: {
    tokens: {
      bot_token: { login: BOT, scopes: ['repo'] },
      owner_token: { login: OWNER, scopes: ['repo'] },
      outsider_token: { login: 'outsider', scopes: ['repo'] },
    },
    github: {
      users: [{ login: OWNER }, { login: BOT }, { login: 'outsider' }],
      repos: [{ owner: OWNER, name: REPO, auto_init: true }],
    },
  },
});

// The scope of each call of a job, as its token has it by `permissions`. What is not here is a fault of this list.
const NEEDS = [
  [/\/pulls(\/\d+)?$|\/issues\/(\d+|comments)(\/|$)|^\/graphql$/, 'pull-requests'],
  [/\/actions\//, 'actions'],
  [/\/statuses(\/|$)|\/status$/, 'statuses'],
  [/\/(contents|compare|git|branches|tags)(\/|$)/, 'contents'],
];
const TO_READ = new Set(['GET', 'HEAD']);

/** The answer to a job whose token may not make a call, or nothing. */
function denied(method, pathname, header) {
  const [, scope] = NEEDS.find(([pattern]) => pattern.test(pathname)) ?? [];
  if (!scope) return [599, { message: `api.mjs does not know what ${method} ${pathname} needs` }];
  const may = JSON.parse(header ?? '{}')?.[scope];
  if (may === 'write' || (may === 'read' && TO_READ.has(method))) return null;
  return [403, { message: `Resource not accessible by integration: ${scope} of ${method} ${pathname}` }];
}

const requests = [];
const faults = [];
const statuses = new Map();
/** Comments that were minimised. */
const folded = [];
/** Of every run. */
const jobs = [];
/** Ids of emulate's commits, and the ids in our git repository that they represent. */
const commits = new Map();
/** The commit of emulate at the tip of a branch of a pull request. */
const branches = new Map();

const toGit = (text) => [...commits].reduce((all, [its, ours]) => all.replaceAll(its, ours), text);
const fromGit = (text) => [...commits].reduce((all, [its, ours]) => all.replaceAll(ours, its), text);

async function ask(method, url, body, token = 'owner_token') {
  const answer = await fetch(`${emulator.url}${url}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const data = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${JSON.stringify(data)}`);
  return data;
}

/** Which commit of our git repository the default branch represents. */
async function main({ commit }) {
  const { object } = await ask('GET', `${repository}/git/ref/heads/${DEFAULT}`);
  commits.set(object.sha, commit);
}

/**
 * Opens a pull request whose commits represent those of our git repository, from a fork if requested.
 */
async function pull({ title, branch, head, base, fork = false }) {
  const from = fork ? 'outsider' : OWNER;
  const token = fork ? 'outsider_token' : 'owner_token';
  const source = `/repos/${from}/${REPO}`;
  await main({ commit: base });
  if (fork) await ask('POST', `${repository}/forks`, {}, token);
  const start = await ask('GET', `${source}/git/ref/heads/${DEFAULT}`);
  const { tree } = await ask('GET', `${source}/git/commits/${start.object.sha}`);
  const parents = [start.object.sha];
  const commit = { message: head, tree: tree.sha, parents };
  const made = await ask('POST', `${source}/git/commits`, commit, token);
  commits.set(made.sha, head);
  branches.set(branch, made.sha);
  const ref = { ref: `refs/heads/${branch}`, sha: made.sha };
  await ask('POST', `${source}/git/refs`, ref, token);
  const { number } = await ask(
    'POST',
    `${repository}/pulls`,
    { title, head: `${from}:${branch}`, base: DEFAULT },
    token,
  );
  return { number };
}

if (DEFAULT !== 'main') {
  const { object } = await ask('GET', `${repository}/git/ref/heads/main`);
  await ask('POST', `${repository}/git/refs`, { ref: `refs/heads/${DEFAULT}`, sha: object.sha });
  await ask('PATCH', repository, { default_branch: DEFAULT });
}

/** Opens another pull request of a branch, onto a separate branch. */
async function again({ branch, onto }) {
  const { object } = await ask('GET', `${repository}/git/ref/heads/${DEFAULT}`);
  await ask('POST', `${repository}/git/refs`, { ref: `refs/heads/${onto}`, sha: object.sha });
  const of = { title: `${branch} again`, head: `${OWNER}:${branch}`, base: onto };
  await ask('POST', `${repository}/pulls`, of);
}

// What `permissions:` of a workflow give its token.
await ask('PUT', `${repository}/collaborators/${encodeURIComponent(BOT)}`, { permission: 'push' });

const control = {
  'GET /_requests': async () => requests.splice(0),
  'POST /_faults': async (fault) => faults.push({ times: 1, headers: {}, ...fault }),
  'DELETE /_faults': async () => faults.splice(0),
  'POST /_main': main,
  'POST /_pull': pull,
  'POST /_again': again,
  'POST /_push': async ({ branch, head }) => commits.set(branches.get(branch), head) && null,
  'POST /_jobs': async (all) => jobs.splice(0, jobs.length, ...all) && null,
  'GET /_folded': async () => folded,
  'GET /_statuses': async () => Object.fromEntries(statuses),
};

function fault(method, url) {
  const at = faults.findIndex((f) => f.method === method && url.startsWith(f.path));
  if (at < 0) return null;
  const found = faults[at];
  found.times -= 1;
  if (found.times === 0) faults.splice(at, 1);
  return found;
}

/** A file of our git repository, where the API's own has none of its files. */
function content(file, ref) {
  try {
    const sha = execFileSync('git', ['-C', bare, 'rev-parse', '--verify', `${ref}:${file}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return [200, { path: file, sha: sha.trim(), type: 'file' }];
  } catch {
    return [404, { message: 'Not Found' }];
  }
}

/** A head against a branch, of our git repository: where it forked, and the files that it changes. */
function comparison(base, head) {
  const git = (...of) =>
    execFileSync('git', ['-C', bare, ...of], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const sha = git('merge-base', base, head).trim();
    const lines = git('diff', '--no-renames', '--name-only', sha, head).split('\n').filter(Boolean);
    return [200, { merge_base_commit: { sha }, files: lines.map((filename) => ({ filename })) }];
  } catch {
    return [404, { message: 'Not Found' }];
  }
}

/** What emulate has not: an answer, or nothing. */
function own(method, url, query, body) {
  const status = url.match(`^${repository}/statuses/([0-9a-f]{40})$`);
  if (method === 'POST' && status) {
    const { state, description = '', context = 'default', target_url } = JSON.parse(body);
    const valid = ['error', 'failure', 'pending', 'success'].includes(state) && description.length <= 140;
    if (!valid) return [422, { message: 'Validation Failed' }];
    const all = statuses.get(status[1]) ?? [];
    all.unshift({ state, description, context, target_url });
    statuses.set(status[1], all);
    return [201, all[0]];
  }
  const listed = url.match(`^${repository}/commits/([0-9a-f]{40})/statuses$`);
  if (method === 'GET' && listed) return [200, statuses.get(listed[1]) ?? []];
  const contents = url.match(`^${repository}/contents/(.+)$`);
  if (method === 'GET' && contents) return content(decodeURIComponent(contents[1]), query.get('ref'));
  const compared = url.match(`^${repository}/compare/(.+)\\.\\.\\.([0-9a-f]{40})$`);
  if (method === 'GET' && compared) return comparison(decodeURIComponent(compared[1]), compared[2]);
  if (method === 'POST' && url === '/graphql') {
    folded.push(JSON.parse(body).variables.id);
    return [200, { data: { minimizeComment: { clientMutationId: null } } }];
  }
  if (method === 'GET' && new RegExp(`^${repository}/actions/runs/\\d+/jobs$`).test(url)) {
    return [200, { total_count: jobs.length, jobs }];
  }
  if (/\/comments(\/\d+)?$/.test(url) && body && JSON.parse(body).body?.length > COMMENT_LIMIT) {
    return [422, { message: `Body is too long (maximum is ${COMMENT_LIMIT} characters)` }];
  }
  return null;
}

async function answer(request, body) {
  const { method, url } = request;
  const handle = control[`${method} ${url}`];
  if (handle) return [200, JSON.stringify((await handle(body && JSON.parse(body))) ?? null), {}];
  requests.push({ method, url, time: Date.now() });
  const broken = fault(method, url);
  if (broken)
    return [broken.status, JSON.stringify({ message: broken.message ?? 'a fault' }), broken.headers];
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (request.headers.authorization === 'token bot_token') {
    const refused = denied(method, pathname, request.headers['x-permissions']);
    if (refused) return [refused[0], JSON.stringify(refused[1]), {}];
  }
  const [status, data] = own(method, pathname, searchParams, body) ?? [];
  if (status) return [status, JSON.stringify(data), {}];
  const passed = await fetch(`${emulator.url}${fromGit(url)}`, {
    method,
    headers: {
      authorization: request.headers.authorization ?? '',
      'content-type': 'application/json',
    },
    body: body ? fromGit(body) : undefined,
  });
  const link = passed.headers.get('link');
  // Pages are asked for by the address in this header, and it has to come back here.
  const headers = link ? { link: link.replaceAll(/http:\/\/[^/>]+/g, `http://127.0.0.1:${port}`) } : {};
  return [passed.status, toGit(await passed.text()), headers];
}

createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    answer(request, body)
      .catch((error) => [599, JSON.stringify({ message: String(error) }), {}])
      .then(([status, text, headers]) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(status === 204 ? undefined : text);
      });
  });
}).listen(port, '127.0.0.1', () => console.log(`listening on ${port}`));
