import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    ['a path that leads out', ['--absolute-names', '--transform', 's,^tiny/tokens,../../tokens,', 'tiny']],
    ['an absolute path', ['--absolute-names', '--transform', 's,^tiny/tokens,/tmp/earshot-tokens,', 'tiny']],
  ])('refuses %s', async (_, options) => {
    const result = await installSpeech({
      speechDir: join(dataDir, 'speech'),
      archive: await archiveOf(model, ...options),
    });
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('unsafe entry') });
    expect(await readdir(models)).toEqual([]);
  });

  it('refuses a link', async () => {
    await archiveOf(model);
    await symlink('/etc', join(dataDir, 'packing', 'tiny', 'link'));
    const result = await installSpeech({ speechDir: join(dataDir, 'speech'), archive: await pack() });
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('unsafe entry') });
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

it('refuses an archive that would fill the disk, before it unpacks', async () => {
  await mkdir(join(dataDir, 'packing', 'tiny'), { recursive: true });
  await writeFile(join(dataDir, 'packing', 'tiny', 'encoder.onnx'), '');
  await truncate(join(dataDir, 'packing', 'tiny', 'encoder.onnx'), 9 * 1024 ** 3);
  const result = await installSpeech({
    speechDir: join(dataDir, 'speech'),
    archive: await archiveOf({ 'decoder.onnx': 'd', 'tokens.txt': 't' }, '--sparse', 'tiny'),
  });
  expect(result).toMatchObject({ ok: false, reason: 'The archive would take more than 8 GiB unpacked.' });
  expect(await readdir(models)).toEqual([]);
});
