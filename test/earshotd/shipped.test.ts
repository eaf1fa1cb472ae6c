import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/shipped.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-shipped-'));

/** What the registry knows; null: it does not answer. */
let known: object | null;
const asked: string[] = [];
const registry = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const sent = Buffer.concat(chunks);
  asked.push(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent));
  response.writeHead(known === null ? 405 : 200, { 'Content-Type': 'application/json' });
  const name = request.url?.slice(1) ?? '';
  const document = { name, versions: { '1.0.0': { name, version: '1.0.0' } }, 'dist-tags': { latest: '1.0.0' } };
  response.end(JSON.stringify(request.method === 'GET' ? document : (known ?? {})));
});
beforeAll(() => new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve)));
afterAll(() => registry.close());
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  known = null;
});

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

async function judge(packages: Record<string, LockedPackage>, bundled: readonly string[] = [], inBundles = bundled) {
  for (const name of ['cli', 'earshotd', 'start', 'web']) {
    mkdirSync(join(folder, 'dist', name), { recursive: true });
    const licences = inBundles.map((one) => `${one} 1.0.0\n\nMIT\n`).join(`\n${'-'.repeat(80)}\n\n`);
    writeFileSync(join(folder, 'dist', name, 'LICENSES.txt'), licences);
  }
  const manifest = { name: 'game', version: '1.0.0', bundled };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const lock = { name: 'game', version: '1.0.0', lockfileVersion: 3, packages: { '': manifest, ...packages } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const { port } = registry.address() as AddressInfo;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'true',
  };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, [program, folder], { env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    ),
  );
}

it('refuses licences that may not be shipped, and passes what is only used to build', async () => {
  const fine = { 'node_modules/a': { license: 'MIT' }, 'node_modules/b': { license: '(GPL-3.0 OR MIT)' } };
  const own = { tools: {}, 'node_modules/earshot-tools': { link: true } };
  const toBuild = { 'node_modules/c': { license: 'GPL-3.0', dev: true } };
  expect(await judge({ ...fine, ...own, ...toBuild })).toMatchObject({ status: 0, stderr: '' });
  const refused = await judge({
    ...fine,
    'node_modules/c': { license: 'GPL-3.0' },
    'node_modules/a/node_modules/d': { license: 'MIT AND AGPL-3.0' },
    'node_modules/e': {},
    'node_modules/swagger-ui-dist': { license: 'SSPL-1.0', dev: true },
  });
  expect(refused.status).toBe(1);
  for (const name of ['GPL-3.0: c', 'MIT AND AGPL-3.0: d', 'not stated: e', 'SSPL-1.0: swagger-ui-dist'])
    expect(refused.stderr).toContain(name);
});

it('refuses a package that is said to be bundled and is in no bundle', async () => {
  const a = { 'node_modules/a': { version: '1.0.0', license: 'MIT', dev: true } };
  expect(await judge(a, ['a'])).toMatchObject({ status: 0 });
  const { status, stderr } = await judge(a, ['a', 'gone'], ['a']);
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('names gone') });
});

it('refuses a bundled package of which the registry knows a weakness, and says where it was not asked', async () => {
  const packages = Object.fromEntries(
    ['a', 'tool'].map((name) => [`node_modules/${name}`, { version: '1.0.0', license: 'MIT', dev: true }]),
  );
  const advisory = {
    id: 1,
    url: 'https://example.com/1',
    title: 'Bad',
    severity: 'high',
    vulnerable_versions: '<2.0.0',
  };
  known = { a: [advisory], tool: [advisory] };
  const refused = await judge(packages, ['a']);
  expect(asked).toContainEqual(expect.stringContaining('"a":["1.0.0"]'));
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('a has a known weakness (high)') });
  expect(refused.stderr).not.toContain('tool');
  known = null;
  const unanswered = await judge(packages, ['a']);
  expect(unanswered).toMatchObject({ status: 0, stdout: expect.stringContaining('the registry does not answer') });
});
