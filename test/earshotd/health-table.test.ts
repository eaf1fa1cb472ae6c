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
  it('has a row for each attack, with the times of health and of the writes of others', () => {
    const file = join(folder, 'health.jsonl');
    const rows = [
      {
        ...{ title: 'resets', memoryMib: 180.4, starvedMs: 12.4 },
        live: { answers: 120, failed: 0, medianMs: 1.24, p95Ms: 3, worstMs: 87.6 },
        writes: { answers: 40, failed: 0, medianMs: 5, p95Ms: 12.3, worstMs: 99.5 },
      },
      {
        ...{ title: 'slow readers', memoryMib: 2_049, starvedMs: 0 },
        live: { answers: 9, failed: 1, medianMs: 0.5, p95Ms: 900, worstMs: 1204 },
        writes: { answers: 3, failed: 2, medianMs: 5, p95Ms: 1000, worstMs: 1300 },
      },
    ];
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const lines = tableOf(file)
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
    const writes = ["neighbour's writes", 'failed', 'p95 ms', 'worst ms'];
    expect(lines).toContainEqual(['attack', 'health answers', 'failed', 'worst ms', ...writes, 'MiB', 'starved ms']);
    expect(lines).toContainEqual(['resets', '120', '0', '88', '40', '0', '12', '100', '180', '12']);
    expect(lines).toContainEqual(['slow readers', '9', '1', '1204', '3', '2', '1000', '1300', '2049', '0']);
  });

  it('is left out when nothing was attacked', () => {
    expect(tableOf(join(folder, 'nothing.jsonl'))).toBe('');
  });
});
