/** The main lists as they stand on terminals of 80 and 140 columns, in colour and plain: the same each time. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { commandLine } from '../support/cli.js';
import { type ClockRelay, startClockRelay } from '../support/clock-relay.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';

vi.hoisted(() => {
  process.env.TZ = 'UTC';
});
const begin = Date.parse('2026-01-15T18:00:00Z');
let daemon: TestDaemon;
let relay: ClockRelay;
const cli = commandLine(() => ({ EARSHOT_URL: relay.url }));

/** Splits a line as a shell does. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const prepared = [
  'participants create --user u1 --name Bob',
  'participants create --user u2 --name "Ann of the long name, the second"',
  'sessions create --title Evening --room demo --no-auto-start',
  'sessions say demo --user u1 --content "You will regret this, and everybody who stands by will regret it too."',
  'sessions say demo --user u2 --content "So you say."',
  'warn bob --reason threats',
  'mute bob 10m --reason "shouting over everybody else for the whole evening"',
  'ban u2 2h --reason spam',
  'sanctions appeal u2 "I was only singing, and nobody asked me to stop."',
  'webhooks create --to https://hooks.example/earshot/moderation --events consumer.gap --description bridge',
  'api-keys create --name game --scopes gameplay,events',
  'gatherings create --name "Friday raid"',
  'challenges create --name "Three down" --event-name kill-enemy --goal 3',
];

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
  daemon = await startDaemon();
  relay = await startClockRelay(daemon.url, () => new Date());
  await cli.run(words(`login --email ${administrator.email} --password-stdin`), { input: administrator.password });
  for (const [index, line] of prepared.entries()) {
    vi.setSystemTime(begin + (index + 1) * 60_000);
    const { code, stderr } = await cli.run(words(line));
    if (code !== 0) throw new Error(`${line}: ${stderr}`);
  }
  vi.setSystemTime(begin + 30 * 60_000);
}, 60_000);
afterAll(async () => {
  vi.useRealTimers();
  relay.stop();
  await daemon.stop();
  cli.dispose();
});

/** Replaces text that differs each time by some of the same length. Ids begin with the time, which stands still. */
const still = (text: string): string =>
  text
    .replaceAll(/\b01[\da-f]{6}-[\da-f-]*/g, (id) => id.replaceAll(/[\da-f]/g, '0'))
    .replaceAll(/(?<=lobby .* )[A-Z2-9]{8}(?= )/g, 'JOINCODE')
    .replaceAll(/(?<=earshot_live_)\w+/g, (key) => 'x'.repeat(key.length));

const lists = [
  'participants list',
  'sessions list',
  'sessions messages demo',
  'sanctions list',
  'reviews list',
  'webhooks list',
  'api-keys list',
  'gatherings list',
  'challenges list',
  'audit list --action "create*"',
  'who bob',
  'messages search regret --context',
];

it.each(lists.flatMap((line) => [80, 140].map((columns) => ({ line, columns }))))(
  '$line in $columns columns',
  async ({ line, columns }) => {
    const name = line.replaceAll(/ --.*| (demo|bob|regret.*)$/g, '').replaceAll(' ', '-');
    const shown = async (env: Record<string, string>): Promise<VirtualTerminal> => {
      const terminal = new VirtualTerminal(columns, 200);
      const { code } = await cli.run(words(line), { terminal, env });
      expect([code, terminal.screen]).toEqual([0, expect.anything()]);
      return terminal;
    };
    const plain = still((await shown({ NO_COLOR: '1' })).screen);
    const coloured = await shown({});
    expect(still(coloured.screen)).toBe(plain);
    await expect(`${plain}\n`).toMatchFileSnapshot(`screens/${name}.${columns}.txt`);
    await expect(`${still(coloured.coloured)}\n`).toMatchFileSnapshot(`screens/${name}.${columns}.colour.txt`);
    if (line !== 'who bob') for (const row of plain.split('\n')) expect(row.length).toBeLessThanOrEqual(columns);
  },
);
