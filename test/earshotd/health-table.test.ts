import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'earshot-health-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = pathToFileURL(join(import.meta.dirname, '../../bin/health-table.mjs')).href;
const tableOf = (file: string): string => {
  const script = `import(${JSON.stringify(program)}).then(({ healthTable }) => process.stdout.write(healthTable(process.argv[1])))`;
  return execFileSync(process.execPath, ['-e', script, file], { encoding: 'utf8' });
};

describe('the table at the end of a test run', () => {
  it('has a row for each attack, with the worst answer that health gave', () => {
    const file = join(folder, 'health.jsonl');
    const rows = [
      { title: 'resets', answers: 120, failed: 0, medianMs: 1.24, worstMs: 87.6 },
      { title: 'slow readers', answers: 9, failed: 1, medianMs: 0.5, worstMs: 1204 },
    ];
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const lines = tableOf(file)
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
    expect(lines).toContainEqual(['attack', 'health answers', 'failed', 'median ms', 'worst ms']);
    expect(lines).toContainEqual(['resets', '120', '0', '1.2', '88']);
    expect(lines).toContainEqual(['slow readers', '9', '1', '0.5', '1204']);
  });

  it('is left out when nothing was attacked', () => {
    expect(tableOf(join(folder, 'nothing.jsonl'))).toBe('');
  });
});
