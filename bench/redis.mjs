// A Redis of its own on a Unix socket, without persistence, and as much of its protocol as the bench of leaderboards speaks.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const triesMax = 100;
const newLine = '\r\n';

export const hasRedis = () => spawnSync('redis-server', ['--version']).status === 0;

const encode = (words) =>
  `*${words.length}${newLine}${words.map((word) => `$${Buffer.byteLength(String(word))}${newLine}${word}${newLine}`).join('')}`;

/** The reply at a place of the text, and where it ends; null: it has not come completely. Members and scores are ASCII here. */
function reply(text, at) {
  const end = text.indexOf(newLine, at);
  if (end < 0) return null;
  const line = text.slice(at + 1, end);
  const next = end + newLine.length;
  if (text[at] === '$') {
    const length = Number(line);
    if (length < 0) return { value: null, next };
    const last = next + length;
    return text.length < last + newLine.length ? null : { value: text.slice(next, last), next: last + newLine.length };
  }
  if (text[at] !== '*') {
    if (text[at] === '-') throw new Error(`Redis: ${line}`);
    return { value: line, next };
  }
  const items = [];
  let from = next;
  for (let left = Number(line); left > 0; left -= 1) {
    const item = reply(text, from);
    if (item === null) return null;
    items.push(item.value);
    from = item.next;
  }
  return { value: items, next: from };
}

export class Redis {
  #waiting = [];
  #text = '';

  constructor(server, socket, folder) {
    this.server = server;
    this.socket = socket;
    this.folder = folder;
    socket.setEncoding('latin1').on('data', (chunk) => this.#take(chunk));
  }

  static async start() {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-redis-'));
    const path = join(folder, 'redis.sock');
    const flags = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', folder];
    const server = spawn('redis-server', flags, { stdio: 'ignore' });
    process.once('exit', () => server.kill('SIGKILL'));
    for (let tries = 0; tries < triesMax; tries += 1) {
      const socket = connect(path);
      const open = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (open) return new Redis(server, socket, folder);
      await sleep(50);
    }
    throw new Error('redis-server did not start.');
  }

  #take(chunk) {
    this.#text += chunk;
    let at = 0;
    for (
      let found = reply(this.#text, at);
      found !== null;
      found = at < this.#text.length ? reply(this.#text, at) : null
    ) {
      at = found.next;
      this.#waiting.shift()(found.value);
    }
    this.#text = this.#text.slice(at);
  }

  call(...words) {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.socket.write(encode(words));
    });
  }

  /** Many commands in one write; resolves when all are answered. */
  async many(commands) {
    const answers = commands.map(() => new Promise((resolve) => this.#waiting.push(resolve)));
    this.socket.write(commands.map(encode).join(''));
    await Promise.all(answers);
  }

  async stop() {
    this.socket.destroy();
    this.server.kill('SIGTERM');
    await once(this.server, 'exit');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
