/** `earshot stats`: tables, CSV, and the chart. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plotOf, pngPlotOf } from '../../src/cli/stats/plot.js';
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

  it('draws a PNG where the name of the file says so', async () => {
    const file = join(shell.config, 'figures.png');
    expect((await stats('--since', '6d', '--plot', file)).code).toBe(0);
    expect(pixelsOf(await readFile(file)).width).toBe(1920);
  });

  it('counts anew', async () => {
    const { stdout } = await shell.run(['stats', 'rebuild', '--project', daemon.projectId]);
    expect(stdout).toMatch(/events +\d/);
  });
});

/** The pixels of a PNG of eight bits and RGB whose rows have no filter, by place. */
function pixelsOf(png: Buffer): { width: number; height: number; at: (x: number, y: number) => string } {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const from = png.indexOf('IDAT', 0, 'latin1');
  const raw = inflateSync(png.subarray(from + 4, from + 4 + png.readUInt32BE(from - 4)));
  expect(png.readUInt32BE(from + 4 + png.readUInt32BE(from - 4))).toBe(
    crc32(png.subarray(from, from + 4 + png.readUInt32BE(from - 4))),
  );
  const row = width * 3 + 1;
  expect(raw).toHaveLength(row * height);
  return { width, height, at: (x, y) => raw.subarray(y * row + 1 + x * 3, y * row + 4 + x * 3).toString('hex') };
}

describe('a chart', () => {
  const day = (name: string, reports: number) => ({ day: name, reports, sanctions: 0, decided: 0 });
  const heights = (svg: string): string[] =>
    [...svg.matchAll(/<circle cx="[\d.]+" cy="([\d.]+)"/g)].map(([, y]) => y ?? '');

  it('shows days without anything as 0, and the most at the top', () => {
    const days = [day('2026-03-01', 10), day('2026-03-03', 5)];
    const [first, empty, last, zero] = heights(plotOf({ since: '2026-03-01', until: '2026-03-03', days }));
    expect([first, empty, last, zero]).toEqual(['48.0', '320.0', '184.0', '320.0']);
  });

  it('is a PNG of the same, at twice the size', () => {
    const days = [day('2026-03-01', 10), day('2026-03-03', 5)];
    const { width, height, at } = pixelsOf(Buffer.from(pngPlotOf({ since: '2026-03-01', until: '2026-03-03', days })));
    expect([width, height]).toEqual([1920, 720]);
    // Reports of the first and last day, the key of sanctions, and nothing at a corner.
    expect(at(112, 96)).toBe('1f77b4');
    expect(at(1888, 368)).toBe('1f77b4');
    expect(at(360, 68)).toBe('d62728');
    expect(at(1, 1)).toBe('ffffff');
  });

  it('is one of a single day without anything', () => {
    const svg = plotOf({ since: '2026-03-01', until: '2026-03-01', days: [] });
    expect(svg).not.toContain('NaN');
    expect(heights(svg)).toEqual(['320.0', '320.0', '320.0']);
  });
});
