/** The client's package as npm would publish it: what it holds, how large a page gets with it, and that programs compile and run with it. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { installClient } from '../support/client-package.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const consumer = fileURLToPath(new URL('./consumer', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-client-'));
const installed = join(folder, 'node_modules/earshot-client');
const run = promisify(execFile);
const patienceMs = 120_000;
const Manifest = z.object({ version: z.string() });
const manifestOf = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const listed = installClient(folder);
symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]) =>
  run(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, timeout: patienceMs });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2023'];
const withDaemon = (program: string) =>
  node(join(root, 'bin/earshotd.js'), 'exec', '--set', 'EARSHOT_TRANSCRIBER=off', '--', process.execPath, program);

describe('the package of the client', { timeout: patienceMs }, () => {
  it('holds the client, its types and its licences, and needs no other package', () => {
    const places = /^(LICENSE|LICENSES\.txt|README\.md|package\.json|(esm|cjs)\/(package\.json|.+\.js|.+\.d\.ts))$/;
    expect(listed.filter((path) => !places.test(path))).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'esm/seal-worker.js', 'cjs/types.d.ts']));
    expect(listed.filter((path) => /contract\/|voice|topic/.test(path))).toEqual([]);
    expect(manifestOf(join(installed, 'package.json'))).not.toHaveProperty('dependencies');
    expect(readFileSync(join(installed, 'LICENSES.txt'), 'utf8')).toMatch(/^eventsource /m);
    const { version } = Manifest.parse(manifestOf(join(root, 'package.json')));
    expect(Manifest.parse(manifestOf(join(installed, 'package.json'))).version).toBe(version);
  });

  it.each([
    ['CommonJS', 'client.ts', 'client.js'],
    ['ES modules', 'client.mts', 'client.mjs'],
  ])('types a strict program in %s, which runs against a daemon', async (_, file, program) => {
    copyFileSync(join(consumer, 'client.ts'), join(folder, file));
    await node(tsc, ...strict, '--module', 'node16', '--types', 'node', file);
    expect((await withDaemon(program)).stdout.trim()).toBe('all of it');
  });

  it('has a README whose programs compile, and do what it says', async () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    const programs = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
    const fileOf = (index: number) => `example-${index}.${programs[index]?.includes('require(') ? 'cts' : 'mts'}`;
    for (const [index, text] of programs.entries()) writeFileSync(join(folder, fileOf(index)), text);
    const isJavaScript = (file: string) => file.endsWith('.cts'); // require is untyped, and no `import` of TypeScript
    const files = programs.map((_, index) => fileOf(index));
    const options = ['--module', 'node20', '--lib', 'es2023,dom,dom.iterable', '--types', 'node'];
    await node(tsc, ...strict, ...options, ...files.filter((file) => !isJavaScript(file)));
    for (const file of files.filter(isJavaScript))
      copyFileSync(join(folder, file), join(folder, file.replace('cts', 'cjs')));
    writeFileSync(
      join(folder, 'examples.mjs'),
      [
        "await import('./example-0.mjs');",
        "await import('./example-1.cjs');",
        "await import('./example-2.mjs');",
        "const { default: worker } = await import('./example-3.mjs');",
        "const request = new Request('http://localhost', { method: 'POST', body: '{}' });",
        "console.log((await worker.fetch(request, { SECRET: 'whsec_c2VjcmV0' })).status);",
      ].join('\n'),
    );
    const lines = (await withDaemon('examples.mjs')).stdout.trim().split('\n').sort();
    const end = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(lines).toEqual(['0', end, '400', expect.stringMatching(/^sanction_not_found There is no /), 'u1 shouting']);
  });

  it('types a page that takes a seat in a room and knows nothing of Node.js', async () => {
    const page = readFileSync(join(consumer, 'page.mts'), 'utf8')
      .replace('RoomCall, ', '')
      .replace("'earshot/browser';", "'earshot-client';\nimport { RoomCall } from 'earshot-client/rooms';");
    writeFileSync(join(folder, 'page.mts'), page);
    const lib = ['--lib', 'es2023,dom,dom.iterable', '--types', ''];
    await node(tsc, ...strict, '--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler', ...lib, 'page.mts');
  });

  /** Bytes, compressed, of a page of these lines. */
  const bytesOf = async (...lines: string[]) => {
    writeFileSync(join(folder, 'part.mjs'), lines.join('\n'));
    const { output } = await build({
      ...{ cwd: folder, input: 'part.mjs', platform: 'browser', write: false, output: { minify: true } },
    });
    return output.reduce((sum, part) => sum + (part.type === 'chunk' ? gzipSync(part.code).length : 0), 0);
  };
  it.each([
    ['verifyWebhook', 2_000, ["export { verifyWebhook } from 'earshot-client';"]],
    ['verify', 2_000, ["export * from 'earshot-client/verify';"]],
    ['RoomCall', 12_000, ["export { RoomCall } from 'earshot-client/rooms';"]],
    ['everything', 40_000, ["export * from 'earshot-client';", "export * from 'earshot-client/rooms';"]],
  ])('gives a page that imports %s at most %i bytes', async (_, bytesMax, lines) => {
    const bytes = await bytesOf(...lines);
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThan(bytesMax);
  });

  it('names its package.json, and has every part in both kinds of modules', async () => {
    const names = ['earshot-client', 'earshot-client/rooms', 'earshot-client/verify'].map((name) => `'${name}'`);
    const required = `console.log(require('earshot-client/package.json').name, ${names.map((name) => `Object.keys(require(${name})).length > 0`)})`;
    expect((await node('-e', required)).stdout.trim()).toBe('earshot-client true true true');
    const imported = `${names.map((name, index) => `import * as part${index} from ${name};`).join('')} console.log('RoomCall' in part1, 'verifyWebhook' in part2, 'routes' in part0)`;
    expect((await node('--input-type=module', '-e', imported)).stdout.trim()).toBe('true true true');
  });
});
