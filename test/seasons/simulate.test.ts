/** `earshotd simulate`: a season file played in a process of its own. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { programEnvironment } from '../support/program-environment.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const program = fileURLToPath(new URL('../../bin/earshotd.js', import.meta.url));
const example = fileURLToPath(new URL('../../examples/season.yaml', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const simulate = (...args: string[]) => simulateIn(folder, ...args);
/** @param temporary where whatever it leaves behind lies */
const simulateIn = (temporary: string, ...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...programEnvironment, TMPDIR: temporary };
    execFile(process.execPath, [program, 'simulate', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
const file = (text: string): string => {
  const path = join(mkdtempSync(join(folder, 'season-')), 'season.yaml');
  writeFileSync(path, text);
  return path;
};

const Reached = z.object({
  key: z.string(),
  reached: z.int(),
  share: z.number(),
  shareByKind: z.array(z.number()),
  afterMinutes: z.object({ first: z.int(), median: z.int(), last: z.int() }).nullable(),
  onDay: z.object({ first: z.int(), median: z.int(), last: z.int() }).nullable(),
  overTime: z.array(z.number()),
});
const Report = z.object({
  players: z.int(),
  kinds: z.array(z.object({ name: z.string(), players: z.int() })),
  sessions: z.int(),
  events: z.int(),
  battlePasses: z.array(z.object({ key: z.string(), levels: z.array(Reached) })),
  challenges: z.array(Reached),
  leaderboards: z.array(
    z.object({ key: z.string(), members: z.int(), best: z.int().nullable(), median: z.int().nullable() }),
  ),
});
const reportOf = async (...args: string[]) => Report.parse(JSON.parse((await simulate(...args, '--json')).stdout));

describe.concurrent('earshotd simulate', { timeout: 60_000 }, () => {
  it('plays the example twice alike with one seed, differently with another, and leaves no folder behind', async () => {
    const args = ['-f', example, '--players', '6', '--minutes', '10'];
    const temporary = mkdtempSync(join(folder, 'left-'));
    const [first, second, other] = await Promise.all([
      simulateIn(temporary, ...args, '--seed', '7', '--json'),
      simulateIn(temporary, ...args, '--seed', '7', '--json'),
      simulateIn(temporary, ...args, '--seed', '8', '--json'),
    ]);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(second.stdout).toBe(first.stdout);
    expect(other.stdout).not.toBe(first.stdout);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('says what the file makes certain: gifts reach all, what nobody does reaches none, goals take their time', async () => {
    const season = file(`
battlePasses:
  - key: pass
    name: Pass
    startDate: 2027-01-01T00:00:00Z
    levels:
      - { key: gift }
      - key: ten
        challenges: [{ key: ten, name: Ten, eventName: kill-enemy, goal: 10, counting: total }]
      - key: never
        challenges: [{ key: never, name: Never, eventName: defeat-boss, goal: 1 }]
challenges:
  - { key: five, name: Five, eventName: earn-points, goal: 5, counting: total }
leaderboards:
  - { key: points, name: Points, eventName: earn-points }
players:
  - { name: busy, share: 3, skill: 0.5, sessionsPerDay: 2, minutesPerSession: 30, events: { kill-enemy: 30, earn-points: { perMinute: 30, properties: { amount: 5 } } } }
  - { name: idle, share: 1, sessionsPerDay: 2, minutesPerSession: 30 }
  - { name: away, share: 1, sessionsPerDay: 0, events: { kill-enemy: 30 } }
`);
    const { players, kinds, battlePasses, challenges, leaderboards } = await reportOf(
      '-f',
      season,
      '--players',
      '10',
      '--minutes',
      '15',
    );
    expect([players, kinds]).toEqual([
      10,
      [
        { name: 'busy', players: 6 },
        { name: 'idle', players: 2 },
        { name: 'away', players: 2 },
      ],
    ]);
    const [gift, ten, never] = battlePasses[0]?.levels ?? [];
    expect(gift).toMatchObject({
      key: 'gift',
      reached: 8,
      share: 0.8,
      shareByKind: [1, 1, 0],
      afterMinutes: { first: 0 },
    });
    expect(ten).toMatchObject({ key: 'ten', reached: 6, share: 0.6, shareByKind: [1, 0, 0] });
    expect(ten?.afterMinutes?.last).toBeLessThanOrEqual(15);
    expect(ten?.overTime.at(-1)).toBe(0.6);
    expect(ten?.overTime).toEqual([...(ten?.overTime ?? [])].sort((a, b) => a - b));
    expect(never).toMatchObject({ reached: 0, share: 0, afterMinutes: null, onDay: null });
    expect(challenges).toMatchObject([{ key: 'five', reached: 6 }]);
    expect(leaderboards).toMatchObject([{ key: 'points', members: 6 }]);
    expect((leaderboards[0]?.best ?? 0) % 5).toBe(0);
  });

  it('ends with the season, and with --days', async () => {
    const season = (dates: string) =>
      file(`
battlePasses:
  - { key: pass, name: Pass, ${dates}, levels: [{ key: gift }] }
players: [{ name: all, sessionsPerDay: 4, minutesPerSession: 10, events: { kill-enemy: 1 } }]
`);
    const withoutEnd = 'startDate: 2027-01-01T00:00:00Z';
    const [twoDays, bySeason] = await Promise.all([
      reportOf('-f', season(withoutEnd), '--players', '3', '--days', '2'),
      reportOf('-f', season(`${withoutEnd}, endDate: 2027-01-03T00:00:00Z`), '--players', '3', '--days', '9'),
    ]);
    expect(bySeason).toEqual(twoDays);
    expect(twoDays.sessions).toBeGreaterThan(10);
  });

  it('prints a table in 80 columns, without decoration in a pipe', async () => {
    const { stdout, code } = await simulate('-f', example, '--players', '5', '--minutes', '5');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Winter season$/m);
    expect(stdout).toMatch(/^welcome +5 +100 % +0 min +1(-\d+)?$/m);
    for (const decoration of ['█', '▁', '·', '\u001b']) expect(stdout).not.toContain(decoration);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  const long = 'a-name-that-no-column-has-room-for';
  const wide = () =>
    file(`
battlePasses:
  - { key: pass, name: Pass, startDate: 2027-01-01T00:00:00Z, levels: [{ key: ${long} }] }
leaderboards:
  - { key: ${long}, name: Board, eventName: earn-points }
players:
${Array.from({ length: 6 }, (_, kind) => `  - { name: ${long}-${kind}, sessionsPerDay: ${kind % 2}, events: { earn-points: { perMinute: 2, properties: { amount: 1000000000 } } } }`).join('\n')}
`);
  it.skipIf(!hasTerminal).each([
    ['the example', () => example, /^welcome +20 +100 % +█{19} +0 min +1-\d+$/, /^welcome +[▁▂▃▄▅▆▇█]+$/],
    [
      'long names and many kinds of players',
      wide,
      /^a-name-that-no-colu… {2}10 +50 % +█{10}·{9} +0 min +1$/,
      /^a-name-that-no-colu… {2}0 % +100 % +0 % +100 % +0 %$/,
    ],
  ])(
    'draws bars and curves in 80 columns of a terminal, and a line of progress meanwhile: %s',
    async (_, path, ...shown) => {
      const command = `stty cols 80 rows 24; ${process.execPath} ${program} simulate -f ${path()} --players 20 --minutes 10`;
      const terminal = onTerminal(command, { TMPDIR: folder });
      expect(await terminal.ended).toBe(0);
      const [progress, report = ''] = terminal.shown.split(/(?=20 players)/);
      expect(progress).toMatch(/[█░]{20} {2}day \d+, [\d,]+ events/);
      const lines = report.split('\r\n').map((line) => stripVTControlCharacters(line));
      for (const line of shown) expect(lines).toContainEqual(expect.stringMatching(line));
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it.each([
    ['a file that is not there', () => ['-f', 'nowhere.yaml'], /nowhere\.yaml cannot be read/],
    [
      'a season that is wrong, with its line',
      () => ['-f', file('challenges:\n  - key: a\n')],
      /season\.yaml:2:\d+ challenges\.a/,
    ],
    ['a season without players', () => ['-f', file('challenges: []\n')], /describes no players/],
    ['too many events', () => ['-f', example, '--players', '100000', '--minutes', '1000'], /Reduce --players/],
    ['no number', () => ['-f', example, '--players', 'many'], /--players takes a whole number/],
    [
      'rules that contradict each other',
      () => [
        '-f',
        file(
          `
battlePasses:
  - key: pass
    name: Pass
    levels:
      - key: both
        challenges:
          - { key: a, name: A, eventName: kill-enemy, goal: 1, counting: total }
          - { key: b, name: B, eventName: kill-enemy, goal: 1, counting: per-session }
players: [{ name: p }]
`,
        ),
      ],
      /season\.yaml:\d+:\d+ battlePasses\.pass\.levels\.both/,
    ],
  ])('refuses %s', async (_, args, message) => {
    const { code, stdout, stderr } = await simulate(...args());
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
  });
});
