import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/licences.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-licences-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const judge = (packages: Record<string, { license?: string; dev?: boolean; link?: boolean }>) => {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  const { status, stderr } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
  return { status, stderr };
};

it('refuses what may not be shipped, and passes what is only used to build', () => {
  const fine = { 'node_modules/a': { license: 'MIT' }, 'node_modules/b': { license: '(GPL-3.0 OR MIT)' } };
  const own = { tools: {}, 'node_modules/earshot-tools': { link: true } };
  const toBuild = { 'node_modules/c': { license: 'GPL-3.0', dev: true } };
  expect(judge({ ...fine, ...own, ...toBuild })).toEqual({ status: 0, stderr: '' });
  const refused = judge({
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
