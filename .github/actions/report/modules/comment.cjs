// One comment per pull request, kept up to date, with a section for each gate; and one for each search.
'use strict';

/** GitHub refuses more characters than these. */
const LIMIT = 65_536;
/** What a comment is of. */
const GATE = 'benchgate';
const SEARCH = 'benchgate-bisect';
/** The first line of a section, and of what an older comment begins with once a newer one has taken its place. */
const MARKER =
  /^<!-- (benchgate|benchgate-bisect)(?: gate=([\w.%!~*'()-]{1,600}))? run=(\d{1,15}) attempt=(\d{1,6})(?: state=(\w{1,10}))? -->$/;
const OUTDATED = '<!-- benchgate-outdated -->';
const CUT = '\n\n(cut: GitHub takes no longer comment)\n';
/** States of a status, the worst last. */
const STATES = ['success', 'error', 'failure'];
/** Reports of several gates write one comment at once: how often one looks whether its section is still there. */
const LOOKS = 6;
/** How many looks in a row find everything in place before one stops looking. */
const QUIET_LOOKS = 2;
/** A report writes right after it has read: one that read before this one wrote has written by the next look. */
const PAUSE_SECONDS = 3;

/** @typedef {{id: number, attempt: number, gate?: string, state?: string}} Run */
/** @typedef {{run: Run, body: string}} Section */

/** The first line of a section: which run of which gate wrote it, and what it came to. */
function marker({ id, attempt, gate = '', state = '' }, kind = GATE) {
  const of = gate ? ` gate=${encodeURIComponent(gate)}` : '';
  return `<!-- ${kind}${of} run=${id} attempt=${attempt}${state ? ` state=${state}` : ''} -->`;
}

/** @returns {Run | null} the run that a line names, where it is a marker of ours */
function namedBy(line, kind) {
  const found = MARKER.exec(line);
  if (found?.[1] !== kind) return null;
  const run = { id: Number(found[3]), attempt: Number(found[4]) };
  if (found[2]) run.gate = decoded(found[2]);
  if (found[5]) run.state = found[5];
  return run;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns {Run | null} the run that wrote a comment, where it begins with our marker */
function writtenBy(body, kind = GATE) {
  return namedBy((body ?? '').split('\n', 1)[0], kind);
}

/** Whether run `a` came after run `b`. */
function isNewer(a, b) {
  return a.id !== b.id ? a.id > b.id : a.attempt > b.attempt;
}

/** The sections of a comment of ours; none where it begins otherwise. @returns {Section[]} */
function sectionsOf(body) {
  const found = [];
  for (const line of (body ?? '').split('\n')) {
    const run = namedBy(line, GATE);
    if (run) found.push({ run, lines: [] });
    else if (found.length === 0) return [];
    else found.at(-1).lines.push(line);
  }
  return found.map(({ run, lines }) => {
    const text = lines.join('\n');
    const title = titleOf(run);
    return { run, body: text.startsWith(title) ? text.slice(title.length) : text };
  });
}

/** What tells the sections of a comment apart. */
function titleOf({ gate = '' }) {
  return `Gate \`${(gate || GATE).replace(/[`\n]/g, '?')}\`\n\n`;
}

/** Text of a run in which no line is a marker: what it quotes could be one. */
function unmarked(body) {
  return body.replaceAll('<!-- benchgate', '<!- - benchgate');
}

/** The whole text of a comment with one section. */
function text(run, body, kind = GATE) {
  return shortened(`${marker(run, kind)}\n${body}`, LIMIT);
}

/** The whole text of a comment: its sections in the order of the names of the gates. */
function whole(sections) {
  const sorted = sections.toSorted((a, b) => ((a.run.gate ?? '') < (b.run.gate ?? '') ? -1 : 1));
  if (sorted.length === 1) return text(sorted[0].run, sorted[0].body);
  const parts = sorted.map(({ run, body }) => `${marker(run)}\n${titleOf(run)}${body.replace(/\n*$/, '\n')}`);
  const joined = parts.join('\n');
  if (joined.length <= LIMIT) return joined;
  const room = Math.floor(LIMIT / parts.length) - 1;
  return parts.map((part) => shortened(part, room)).join('\n');
}

/** Text of at most so many characters, with what a cut leaves open closed again. */
function shortened(text, room) {
  if (text.length <= room) return text;
  // A fence and the ends of a few folded parts.
  const CLOSING = 200;
  const cut = text.slice(0, room - CUT.length - CLOSING).replace(/[\ud800-\udbff]$/, '');
  let fence = '';
  for (const line of cut.split('\n')) {
    const found = /^(`{3,})/.exec(line)?.[1] ?? '';
    if (!fence) fence = found;
    else if (line.trim() === fence) fence = '';
  }
  const open = cut.split('<details>').length - cut.split('</details>').length;
  const closing = (fence ? `\n${fence}` : '') + '\n</details>'.repeat(Math.max(0, open));
  return `${cut}${closing.length <= CLOSING ? closing : ''}${CUT}`;
}

/**
 * Our comments: of this author **and** beginning with the marker. Anybody can write a marker, and the
 * author writes other comments too.
 *
 * @returns {{id: number, node: string, run: Run, sections: Section[]}[]} oldest first
 */
function ours(comments, author, kind = GATE) {
  return comments
    .filter((comment) => comment.user?.login === author)
    .map(({ id, node_id: node, body }) => ({
      id,
      node,
      run: writtenBy(body, kind),
      sections: sectionsOf(body),
    }))
    .filter((comment) => comment.run !== null)
    .sort((a, b) => a.id - b.id);
}

/** Of each gate the section of its newest run, and of equals the first. @returns {Map<string, Section>} */
function newestOf(sections) {
  const newest = new Map();
  for (const section of sections) {
    const gate = section.run.gate ?? '';
    const there = newest.get(gate);
    if (!there || isNewer(section.run, there.run)) newest.set(gate, section);
  }
  return newest;
}

/** Whether a run came to something worse than the one before it. */
function isWorse(now, before) {
  return STATES.includes(before) && STATES.indexOf(now) > STATES.indexOf(before);
}

/** The comments of a pull request that are ours, and how one is written. */
class Comments {
  constructor(github, { owner, repo, number, author }) {
    Object.assign(this, { github, author, at: { owner, repo }, number });
  }

  async list() {
    const { issues } = this.github.rest;
    const query = { ...this.at, issue_number: this.number, per_page: 100 };
    return ours(await this.github.paginate(issues.listComments, query), this.author);
  }

  async create(sections) {
    const body = whole(sections);
    await this.github.rest.issues.createComment({ ...this.at, issue_number: this.number, body });
  }

  async update(id, sections) {
    await this.github.rest.issues.updateComment({ ...this.at, comment_id: id, body: whole(sections) });
  }

  async remove(id) {
    await this.github.rest.issues.deleteComment({ ...this.at, comment_id: id });
  }

  /** Hides a comment behind a newer one. A server that cannot fold it still has it marked as outdated. */
  async retire({ id, node, sections }) {
    const body = `${OUTDATED}\nA newer comment has taken the place of this one.\n\n${whole(sections)}`;
    await this.github.rest.issues.updateComment({ ...this.at, comment_id: id, body: body.slice(0, LIMIT) });
    try {
      await this.github.graphql(MINIMIZE, { id: node });
    } catch (error) {
      return `not folded: ${error.message}`;
    }
    return '';
  }
}

const MINIMIZE =
  'mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { clientMutationId } }';

/**
 * Writes the section of a run into the one comment; leaves that of a newer run of its gate, and those of other gates,
 * alone. It looks before it writes, so that it may be called again after an answer was lost, and after it wrote: reports
 * of two commits and of two gates run at once.
 *
 * What is worse than before is a comment of its own, which GitHub notifies of, and the old one is folded.
 *
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, number: number, author: string, run: Run, body: string, quiet?: boolean}} of
 *   `quiet`: not a reason for a comment where there is none yet
 * @param {{sleep?: (seconds: number) => Promise<void>}} [world]
 * @returns {Promise<'created' | 'updated' | 'superseded' | 'replaced' | 'none'>}
 */
async function upsert(github, { run, body, quiet = false, ...of }, world = {}) {
  const comments = new Comments(github, of);
  const mine = { run, body: unmarked(body) };
  const gate = run.gate ?? '';
  const found = await comments.list();
  const before = newestOf(found.flatMap((comment) => comment.sections));
  const there = before.get(gate);
  if (there && isNewer(there.run, run)) return 'superseded';
  if (!there && quiet) return 'none';
  const sections = [...before.set(gate, mine).values()];
  let did = 'updated';
  if (found.length === 0) {
    await comments.create(sections);
    did = 'created';
  } else if (there && isWorse(run.state, there.run.state)) {
    await comments.create(sections);
    for (const old of found) await comments.retire(old);
    did = 'replaced';
  } else await comments.update(found.at(-1).id, sections);
  await keep(comments, sections, world);
  return did;
}

/**
 * Looks until one comment, the last, is left that holds these sections, and those of others that any look saw. A report that read
 * before this one wrote may write later: then this section is gone, or an older one is there in its place. GitHub has no
 * write that depends on what was read, so what remains is a write that takes longer than the last pause. Such a report may
 * also have written into a comment that is folded by now, which a newer one has replaced.
 */
async function keep(comments, sections, { sleep = wait } = {}) {
  let known = sections;
  for (let look = 1, quiet = 0; look <= LOOKS; look += 1) {
    const found = await comments.list();
    const [last, others] = [found.at(-1), found.slice(0, -1)];
    const there = found.flatMap((comment) => comment.sections);
    known = [...newestOf([...there, ...known]).values()];
    const isWhole = known.every(({ run }) => there.some((section) => isSame(section.run, run)));
    if (!last) await comments.create(known);
    else if (!isWhole || others.length > 0) await comments.update(last.id, known);
    for (const { id } of others) await comments.remove(id);
    quiet = isWhole && others.length === 0 ? quiet + 1 : 0;
    if (quiet === QUIET_LOOKS) return;
    await sleep(PAUSE_SECONDS);
  }
}

/** Whether two sections are of the same run of the same gate. */
function isSame(a, b) {
  return (a.gate ?? '') === (b.gate ?? '') && a.id === b.id && a.attempt === b.attempt;
}

const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/**
 * Creates the comment of a search; another attempt of the same run updates it.
 *
 * @param {object} github an Octokit
 * @param {{owner: string, repo: string, number: number, author: string, run: Run, body: string}} of
 * @returns {Promise<'created' | 'updated'>}
 */
async function append(github, { owner, repo, number, author, run, body }) {
  const { issues } = github.rest;
  const at = { owner, repo };
  const all = await github.paginate(issues.listComments, { ...at, issue_number: number, per_page: 100 });
  const before = ours(all, author, SEARCH).find((comment) => comment.run.id === run.id);
  const written = text(run, body, SEARCH);
  if (before) await issues.updateComment({ ...at, comment_id: before.id, body: written });
  else await issues.createComment({ ...at, issue_number: number, body: written });
  return before ? 'updated' : 'created';
}

module.exports = { LIMIT, append, isNewer, marker, ours, sectionsOf, text, upsert, writtenBy };
