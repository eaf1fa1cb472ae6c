/** `speech install NAME` from a server that cuts connections, and `speech list`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { catalogue, folderOf } from '../../../daemon/modules/sessions/speech-install/catalogue.js';
import { installSpeech } from '../../../daemon/modules/sessions/speech-install/install.js';
import { earshotd } from '../../support/program.js';

let folder: string;
let speechDir: string;
let archive: Buffer;
let sha256: string;
let server: Server | undefined;
/** The ranges that were asked for, oldest first. */
let asked: (string | undefined)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-test-'));
  speechDir = join(folder, 'speech');
  const model = join(folder, 'packing', 'sherpa-onnx-whisper-tiny.en');
  await mkdir(model, { recursive: true });
  const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 2_654_435_761) >>> 24));
  for (const name of ['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx', 'cached_decode.int8.onnx'])
    await writeFile(join(model, name), noise);
  await writeFile(join(model, 'tokens.txt'), 't');
  execFileSync('tar', ['-cf', join(folder, 'a.tar'), '-C', join(folder, 'packing'), 'sherpa-onnx-whisper-tiny.en']);
  archive = await readFile(join(folder, 'a.tar'));
  sha256 = createHash('sha256').update(archive).digest('hex');
  asked = [];
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true });
});

/** Serves the archive; `answer` may do something else with a request, by its number from 1. */
async function mirror(
  answer: (response: ServerResponse, request: IncomingMessage, number: number) => boolean = () => false,
): Promise<string> {
  server = createServer((request, response) => {
    asked.push(request.headers.range);
    if (answer(response, request, asked.length)) return;
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (start >= archive.length) {
      response.writeHead(416, { 'content-range': `bytes */${archive.length}` }).end();
      return;
    }
    const rest = archive.subarray(start);
    response.writeHead(start === 0 ? 200 : 206, { 'content-length': rest.length }).end(rest);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/models`;
}
/** Sends 100,000 bytes of what is left, then cuts the connection. */
const cut = (response: ServerResponse, { headers }: IncomingMessage): true => {
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  response.writeHead(start === 0 ? 200 : 206, { 'content-length': archive.length - start });
  response.write(archive.subarray(start, start + 100_000));
  setTimeout(() => response.destroy(), 100);
  return true;
};
const install = (from: string, sum: string | null = sha256) =>
  installSpeech({ speechDir, archive: { from: `${from}/a.tar`, sha256: sum } });

it('continues where the connection was cut, in the same run', async () => {
  const url = await mirror((response, request, number) => number <= 3 && cut(response, request));
  const result = await install(url);
  expect(result).toMatchObject({ ok: true, location: join(speechDir, 'models', 'sherpa-onnx-whisper-tiny.en') });
  expect(asked[0]).toBeUndefined();
  expect(asked.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
  expect(await readdir(join(speechDir, '.downloads'))).toEqual([]);
});

it('continues in the next run where this one gave up', async () => {
  const url = await mirror((response, request, number) => {
    if (number === 1) return cut(response, request);
    if (number > 6) return false;
    response.destroy();
    return true;
  });
  expect(await install(url)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('was cut'),
    remedy: 'Run the command again; it continues there.',
  });
  expect(await readdir(join(speechDir, '.downloads'))).toHaveLength(2); // with what says whether it has changed
  expect(await install(url)).toMatchObject({ ok: true });
  expect(asked.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
});

it('begins again with a server that knows no ranges, and takes a file that is complete already', async () => {
  const url = await mirror((response, request, number) => {
    if (number === 1) return cut(response, request);
    response.writeHead(200, { 'content-length': archive.length }).end(archive);
    return true;
  });
  expect(await install(url)).toMatchObject({ ok: true });
  expect(asked).toHaveLength(2);
});

it('deletes what has another sum, and asks for all of it the next time', async () => {
  const url = await mirror();
  expect(await install(url, '0'.repeat(64))).toMatchObject({
    ok: false,
    reason: `The SHA-256 of the archive is ${sha256}.`,
  });
  expect(await readdir(join(speechDir, '.downloads'))).toEqual([]);
  expect(await install(url)).toMatchObject({ ok: true });
  expect(asked).toEqual([undefined, undefined]);
});

it('asks for all of it again where what came is no archive', async () => {
  const url = await mirror((response, _, number) => {
    if (number === 1) response.writeHead(200).end('<html>Sign in to this network</html>');
    return number === 1;
  });
  expect(await install(url, null)).toMatchObject({ ok: false, reason: expect.stringContaining('cannot be read') });
  expect(await install(url, null)).toMatchObject({ ok: true, recorded: sha256 });
  expect(asked).toEqual([undefined, undefined]);
});

it('holds a file with another name to the sum of the first fetch', async () => {
  const url = await mirror();
  const from = { archive: 'a.tar', sha256: null };
  expect(await installSpeech({ speechDir, archive: { ...from, from: `${url}/a.tar` } })).toMatchObject({ ok: true });
  const file = join(folder, 'renamed.tar');
  await writeFile(file, Buffer.concat([archive, Buffer.alloc(512)]));
  expect(await installSpeech({ speechDir, archive: { ...from, from: file } })).toMatchObject({ ok: false });
  expect(await readFile(file)).toHaveLength(archive.length + 512);
});

it('records the sum of a first fetch where none is known, and holds later ones to it', async () => {
  const url = await mirror();
  expect(await install(url, null)).toMatchObject({ ok: true, recorded: sha256 });
  expect(await install(url, null)).not.toHaveProperty('recorded');
  archive = Buffer.concat([archive, Buffer.alloc(512)]);
  expect(await install(url, null)).toMatchObject({ ok: false, remedy: expect.stringContaining(sha256) });
});

it('installs by name from a mirror, says so in the list, and knows no other names', async () => {
  const url = await mirror();
  const env = { EARSHOT_SPEECH_DIR: speechDir, EARSHOT_SPEECH_MIRROR: `${url}/` };
  const dataDir = join(folder, 'data');
  const installed = await earshotd(dataDir, ['speech', 'install', 'whisper-tiny.en'], { env });
  expect(installed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`recorded that of this fetch, ${sha256}`),
  });
  expect(installed.stderr.match(/ MiB fetched\n/g)?.length).toBeLessThanOrEqual(11); // without a terminal, one for each tenth
  const listed = await earshotd(dataDir, ['speech', 'list', '--json'], { env });
  const models: { name: string; installed: boolean }[] = JSON.parse(listed.stdout);
  expect(models.filter((model) => model.installed).map(({ name }) => name)).toEqual(['whisper-tiny.en']);
  const wrong = await earshotd(dataDir, ['speech', 'install', 'whisper-tini.en'], { env });
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean whisper-tiny.en or whisper-tiny?'),
  });
});

it('has a catalogue of distinct archives, with whole sums where there are any', () => {
  expect(new Set(catalogue.map(folderOf)).size).toBe(catalogue.length);
  expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length);
  for (const model of catalogue)
    if ('archive' in model) expect(model.sha256 ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/);
});

it('begins anew where the file on the server has changed since the first piece', async () => {
  const old = archive;
  const replaced = Buffer.concat([Buffer.alloc(512, 1), old.subarray(512)]);
  let now = '"old"';
  const url = await mirror((response, request, number) => {
    const isSame = request.headers['if-range'] === now;
    if (number === 1) {
      archive = replaced;
      response.writeHead(200, { 'content-length': archive.length, etag: now });
      response.write(archive.subarray(0, 100_000));
      setTimeout(() => response.destroy(), 100);
      archive = old;
      now = '"new"';
      return true;
    }
    if (isSame) return false;
    response.writeHead(200, { 'content-length': archive.length, etag: now }).end(archive);
    return true;
  });
  expect(await install(url)).toMatchObject({ ok: true });
  expect(asked).toEqual([undefined, 'bytes=100000-']);
  expect(await readdir(join(speechDir, '.downloads'))).toEqual([]);
});
