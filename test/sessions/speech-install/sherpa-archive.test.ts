import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installSpeech } from '../../../daemon/modules/sessions/speech-install/install.js';

let dataDir: string;
let models: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'earshot-test-'));
  models = join(dataDir, 'speech', 'models');
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Packs a folder `tiny` with these files, as tar's own options say; path and sum of the archive. */
async function archiveOf(
  files: Record<string, string>,
  ...options: string[]
): Promise<{ from: string; sha256: string }> {
  const folder = join(dataDir, 'packing', 'tiny');
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return pack(...options);
}

async function pack(...options: string[]): Promise<{ from: string; sha256: string }> {
  const from = join(dataDir, 'some model.tar.gz');
  execFileSync('tar', ['-czf', from, '-C', join(dataDir, 'packing'), ...(options.length === 0 ? ['tiny'] : options)]);
  return {
    from,
    sha256: createHash('sha256')
      .update(await readFile(from))
      .digest('hex'),
  };
}

/** Has the daemon find that program as `tar`, and note its first argument in the returned file at each call. */
async function callTar(program: string): Promise<string> {
  const programs = join(dataDir, 'programs');
  await mkdir(programs);
  const calls = join(dataDir, 'calls');
  const [path] = execFileSync('which', [program]).toString().split('\n');
  await writeFile(join(programs, 'tar'), `#!/bin/sh\necho "$1" >> '${calls}'\nexec ${path} "$@"\n`);
  await chmod(join(programs, 'tar'), 0o755);
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
  return calls;
}

const model = { 'encoder.onnx': 'e', 'decoder.onnx': 'd', 'tokens.txt': 't' };

describe('speech install --from', () => {
  it('unpacks a model whose sum is right, in place of an older one', async () => {
    await mkdir(join(models, 'tiny'), { recursive: true });
    await writeFile(join(models, 'tiny', 'old.onnx'), '');
    const result = await installSpeech({ speechDir: join(dataDir, 'speech'), archive: await archiveOf(model) });
    expect(result).toEqual({ ok: true, engine: 'sherpa', location: join(models, 'tiny'), fetched: true });
    expect((await readdir(join(models, 'tiny'))).sort()).toEqual(['decoder.onnx', 'encoder.onnx', 'tokens.txt']);
    expect(await readdir(models)).toEqual(['tiny']);
  });

  it('fetches from an address and tells how far it is', async () => {
    const { from, sha256 } = await archiveOf(model, '-C', 'tiny', ...Object.keys(model)); // no folder around them
    const file = await readFile(from);
    const server = createServer((_, response) => response.writeHead(200, { 'content-length': file.length }).end(file));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const progress: number[] = [];
    const result = await installSpeech({
      speechDir: join(dataDir, 'speech'),
      archive: { from: `http://127.0.0.1:${port}/models/small.tar.gz?download=1`, sha256: sha256.toUpperCase() },
      onProgress: ({ fetchedBytes, totalBytes }) => progress.push(fetchedBytes / totalBytes),
    });
    server.close();
    expect(result).toMatchObject({ ok: true, location: join(models, 'small') });
    expect(progress.at(-1)).toBe(1);
  });

  it('refuses another sum and leaves nothing behind', async () => {
    const { from } = await archiveOf(model);
    const result = await installSpeech({
      speechDir: join(dataDir, 'speech'),
      archive: { from, sha256: '0'.repeat(64) },
    });
    expect(result).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^The SHA-256 of the archive is [0-9a-f]{64}\.$/),
    });
    expect(await readdir(models)).toEqual([]);
  });

  it.each([
    ['an archive without a model', async () => archiveOf({ 'readme.txt': '' }), 'no known sherpa-onnx model'],
    ['a file that is no archive', async () => noArchive(), 'cannot be read'],
    ['a path without a file', async () => ({ from: join(dataDir, 'gone'), sha256: '' }), 'There is no file'],
    [
      'an address where nobody answers',
      async () => ({ from: 'http://127.0.0.1:1/m.tar.gz', sha256: '' }),
      'does not answer',
    ],
  ])('refuses %s', async (_, archive, reason) => {
    const result = await installSpeech({ speechDir: join(dataDir, 'speech'), archive: await archive() });
    expect(result).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
      remedy: expect.stringMatching(/\.$/),
    });
  });
});

async function noArchive(): Promise<{ from: string; sha256: string }> {
  const from = join(dataDir, 'text');
  await writeFile(from, 'text');
  return { from, sha256: createHash('sha256').update('text').digest('hex') };
}

/** Systems have the one or the other as `tar`. */
const tars = ['tar', 'bsdtar'];
const isMissing = (program: string) => spawnSync('which', [program]).status !== 0;

describe.each(tars)('an archive from elsewhere, unpacked by %s', (program) => {
  /** A missing one is skipped, which continuous integration does not accept. */
  const installed = it.skipIf(isMissing(program));
  const install = async (archive: { from: string; sha256: string }) => {
    const calls = await callTar(program);
    const result = await installSpeech({ speechDir: join(dataDir, 'speech'), archive });
    vi.unstubAllEnvs();
    return { result, calls: await readFile(calls, 'utf8'), left: await readdir(models) };
  };

  installed('is read once, whatever its names', async () => {
    const { result, calls } = await install(await archiveOf({ ...model, 'a name\nof two lines': 'x' }));
    expect(result).toMatchObject({ ok: true });
    expect(calls).toBe('-x\n');
    expect(await readdir(join(models, 'tiny'))).toContain('a name\nof two lines');
  });

  installed.each([
    ['a path that leads out', ['--absolute-names', '--transform', 's,^tiny/tokens,../../tokens,', 'tiny']],
    ['an absolute path', ['--absolute-names', '--transform', 's,^tiny/tokens,/tmp/earshot-tokens,', 'tiny']],
  ])('is refused for %s', async (_, options) => {
    const { result, left } = await install(await archiveOf(model, ...options));
    // BSD tar lists an absolute path without its slash, and leaves it in the folder, where the model then has no tokens.
    expect(result).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/unsafe entry|no known sherpa-onnx model/),
    });
    expect([left, existsSync('/tmp/earshot-tokens.txt'), existsSync(join(dataDir, 'tokens.txt'))]).toEqual([
      [],
      false,
      false,
    ]);
  });

  installed.each([
    ['a link', () => symlink('/etc', join(dataDir, 'packing', 'tiny', 'link'))],
    [
      'a second name of a file',
      () => link(join(dataDir, 'packing/tiny/tokens.txt'), join(dataDir, 'packing/tiny/same')),
    ],
    ['a pipe', async () => execFileSync('mkfifo', [join(dataDir, 'packing/tiny/pipe')])],
  ])('is refused for %s', async (_, make) => {
    await archiveOf(model);
    await make();
    const { result, left } = await install(await pack());
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('unsafe entry') });
    expect(left).toEqual([]);
  });

  installed('is refused where it would fill the disk', async () => {
    await mkdir(join(dataDir, 'packing', 'tiny'), { recursive: true });
    await writeFile(join(dataDir, 'packing', 'tiny', 'encoder.onnx'), '');
    await truncate(join(dataDir, 'packing', 'tiny', 'encoder.onnx'), 9 * 1024 ** 3);
    const packed = await archiveOf({ 'decoder.onnx': 'd', 'tokens.txt': 't' }, '--sparse', 'tiny');
    const { result, left } = await install(packed);
    expect(result).toMatchObject({ ok: false, reason: 'The archive would take more than 8 GiB unpacked.' });
    expect(left).toEqual([]);
  });
});
