// What the tests of releases share: folders, programs, and a server on this machine.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folders = [];

after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

export const sha256 = (data) => createHash('sha256').update(data).digest('hex');
export const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');

export function temporary() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchgate-release-test-'));
  folders.push(folder);
  return folder;
}

export function write(file, text, mode = 0o644) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode });
}

// Not in the foreground: the server of these tests answers in the meantime.
export function run(command, args, options) {
  return new Promise((done) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      done({ status: error ? error.code : 0, text: stdout + stderr });
    });
  });
}

// A server of what is put into `files`, by path.
export async function serve() {
  const files = new Map();
  const server = http.createServer((request, response) => {
    const body = files.get(request.url);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  after(() => server.close());
  return { files, url: `http://127.0.0.1:${server.address().port}` };
}
