/** What is installed together says one version: the daemon, the kits, the examples of the API and the newest part of the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

it.each([
  ['kits/csharp/package.json', `"version": "${version}"`],
  ['kits/typescript/package.json', `"version": "${version}"`],
  ['kits/typescript/README.md', `earshot-client-${version}.tgz`],
  ['kits/godot/addons/earshot/plugin.cfg', `version="${version}"`],
  ['src/contract/example-values.ts', `version: '${version}'`],
])('%s says the version of package.json', (path, text) => {
  expect(read(path)).toContain(text);
});

it('CHANGELOG.md begins with it', () => {
  expect(/^## \[?(\d+\.\d+\.\d+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
});
