import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const hostile = readdirSync(join(root, 'test/hostile'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/hostile/${name}`);

describe('SECURITY.md', () => {
  it.each(hostile)('tells what %s shows', (suite) => {
    expect(page).toContain(`\`${suite}\``);
  });

  it.each(hostile)('says of %s that the daemon has 2 GiB of memory and 1,024 files there', (suite) => {
    expect(readFileSync(join(root, suite), 'utf8')).toMatch(/\b(rentedMachine|describeEachDatabase)\b/);
  });

  it('names only what is there', () => {
    const named = [...page.matchAll(/`(test\/[^`]+)`|\]\(([^):]+)\)/g)].map(([, suite, link]) => suite ?? link ?? '');
    expect(named.length).toBeGreaterThan(hostile.length);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('is found from the README', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(SECURITY.md)');
  });
});
