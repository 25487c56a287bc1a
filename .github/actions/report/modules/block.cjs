// Text of others as Markdown in which nothing of it is markup.
'use strict';

/** Of a table: two of them and some words fit into a pull request's 65,536 characters. */
const MOST_CHARACTERS = 28_000;
/** Characters that change how their neighbours are shown: controls, and marks of direction. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text as a code block that it cannot leave. */
function block(text) {
  const plain = text.replace(INVISIBLE, '?');
  const cut = plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}\n(cut)` : plain;
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${cut.replace(/\n*$/, '\n')}${fence}`;
}

module.exports = { MOST_CHARACTERS, block };
