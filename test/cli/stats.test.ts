/** `earshot stats`: tables, CSV, and the chart. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plotOf } from '../../src/cli/stats/plot.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe('earshot stats moderation', () => {
  let daemon: TestDaemon;
  const shell = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
  const stats = (...args: string[]) => shell.run(['stats', 'moderation', '--project', daemon.projectId, ...args]);
  beforeAll(async () => {
    daemon = await startDaemon();
    const params = { projectId: daemon.projectId };
    const body = { externalUserId: 'bad', category: 'spam', roomId: 'arena' };
    for (const reporterUserId of ['one', 'two'])
      await daemon.client.call(reportRoutes.create, { params, body: { ...body, reporterUserId } });
  });
  afterAll(async () => {
    await daemon.stop();
    shell.dispose();
  });

  it('shows tables', async () => {
    const { stdout, code } = await stats('--since', '2d');
    expect(code).toBe(0);
    expect(stdout).toMatch(/: 2 reports, 0 sanctions/);
    expect(stdout).toMatch(/Reports by category\n.*\nspam +2/);
    expect(stdout).toMatch(/Most reported\n.*\nbad +2/);
  });

  it('writes a figure a line as CSV', async () => {
    const { stdout } = await stats('--csv');
    expect(stdout.split('\r\n')[0]).toBe('table,row,figure,value');
    expect(stdout).toContain('Reports by category,spam,reports,2\r\n');
    expect(stdout).toContain('Rooms,arena,reports,2\r\n');
  });

  it('draws the days that were asked for', async () => {
    const file = join(shell.config, 'figures.svg');
    expect((await stats('--since', '6d', '--plot', file)).code).toBe(0);
    const svg = await readFile(file, 'utf8');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    // Three lines of seven days.
    expect(svg.match(/<circle /g)).toHaveLength(21);
  });

  it('counts anew', async () => {
    const { stdout } = await shell.run(['stats', 'rebuild', '--project', daemon.projectId]);
    expect(stdout).toMatch(/events +\d/);
  });
});

describe('a chart', () => {
  const day = (name: string, reports: number) => ({ day: name, reports, sanctions: 0, decided: 0 });
  const heights = (svg: string): string[] =>
    [...svg.matchAll(/<circle cx="[\d.]+" cy="([\d.]+)"/g)].map(([, y]) => y ?? '');

  it('shows days without anything as 0, and the most at the top', () => {
    const days = [day('2026-03-01', 10), day('2026-03-03', 5)];
    const [first, empty, last, zero] = heights(plotOf({ since: '2026-03-01', until: '2026-03-03', days }));
    expect([first, empty, last, zero]).toEqual(['48.0', '320.0', '184.0', '320.0']);
  });

  it('is one of a single day without anything', () => {
    const svg = plotOf({ since: '2026-03-01', until: '2026-03-01', days: [] });
    expect(svg).not.toContain('NaN');
    expect(heights(svg)).toEqual(['320.0', '320.0', '320.0']);
  });
});
