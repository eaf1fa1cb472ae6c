/** `earshot why` as it stands on terminals of 80 and 140 columns, in colour and plain: the same each time. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findingLines } from '../../src/cli/why/finding-lines.js';
import { commandLine } from '../support/cli.js';
import { type ClockRelay, startClockRelay } from '../support/clock-relay.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';

vi.hoisted(() => {
  process.env.TZ = 'UTC';
});
const begin = Date.parse('2026-01-15T18:00:00Z');
let daemon: TestDaemon;
let receiver: Receiver;
let relay: ClockRelay;
const cli = commandLine(() => ({ EARSHOT_URL: relay.url }));

const prepared = (url: string): readonly (readonly string[])[] => [
  ['participants', 'create', '--user', 'u1', '--name', 'Bob'],
  // The clock jumps: a session would end because nobody was there for so long.
  ['sessions', 'create', '--title', 'Evening', '--room', 'demo', '--idle-timeout', '0'],
  ['mute', 'bob', '10m', '--reason', 'shouting over everybody else for the whole evening'],
  ['ban', 'bob', '2 days', '--reason', 'threats', '--also'],
  ['webhooks', 'create', '--to', url, '--events', 'sanction.*', '--description', 'bridge', '--secrets-stdin'],
  ['warn', 'bob', '--reason', 'nobody hears of this'],
];

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer = 410; // after which it is turned off: nothing more happens to it
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
  daemon = await startDaemon({ settings: { EARSHOT_TRANSCRIBER: 'off', EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' } });
  relay = await startClockRelay(daemon.url, () => new Date());
  const login = ['login', '--email', administrator.email, '--password-stdin'];
  await cli.run(login, { input: administrator.password });
  for (const [index, line] of prepared(receiver.url).entries()) {
    vi.setSystemTime(begin + (index + 1) * 60_000);
    const { code, stderr } = await cli.run(line, { input: JSON.stringify({ secret: 'long enough for a secret' }) });
    if (code !== 0) throw new Error(`${line.join(' ')}: ${stderr}`);
  }
  await eventually(async () => expect((await cli.run(['why', 'bridge'])).stdout).toContain('was disabled'));
  await eventually(async () => expect((await cli.run(['why', 'demo'])).stdout).toContain('No speech recogniser'));
  vi.setSystemTime(begin + 30 * 60_000);
}, 60_000);
afterAll(async () => {
  vi.useRealTimers();
  relay.stop();
  await daemon.stop();
  await receiver.stop();
  cli.dispose();
});

/** Replaces text that differs each time by some of the same length. Ids begin with the time, which stands still. */
const still = (text: string): string =>
  text
    .replaceAll(/\b01[\da-f]{6}-[\da-f-]*/g, (id) => id.replaceAll(/[\da-f]/g, '0'))
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, (port) => port.replaceAll(/\d/g, '0'));

it.each(
  [
    ['room', 'demo'],
    ['webhook', 'bridge'],
    ['person', 'bob'],
  ].flatMap(([kind, name]) => [80, 140].map((columns) => ({ kind, name, columns }))),
)('why: $kind in $columns columns', async ({ kind, name = '', columns }) => {
  const shown = async (env: Record<string, string>): Promise<VirtualTerminal> => {
    const terminal = new VirtualTerminal(columns, 200);
    expect(await cli.run(['why', name], { terminal, env })).toMatchObject({ code: 1 });
    return terminal;
  };
  const plain = still((await shown({ NO_COLOR: '1' })).screen);
  const coloured = await shown({});
  expect(still(coloured.screen)).toBe(plain);
  await expect(`${plain}\n`).toMatchFileSnapshot(`screens/why-${kind}.${columns}.txt`);
  await expect(`${still(coloured.coloured)}\n`).toMatchFileSnapshot(`screens/why-${kind}.${columns}.colour.txt`);
  // Commands to copy stay in one line.
  for (const line of plain.split('\n').filter((one) => !one.startsWith('    ')))
    expect(line.length).toBeLessThanOrEqual(columns);
});

it('gives a command that is to be copied a line of its own where it would run over the edge', () => {
  const screen = { isTerminal: true, now: new Date(begin), width: 80 };
  const again = `earshot webhooks resend ${'0'.repeat(36)}`;
  const remedy = `Nobody answers at this address. Once it is reachable: ${again}`;
  const sentence = '    Nobody answers at this address. Once it is reachable:';
  expect(findingLines('!', 'It fails.', remedy, screen)).toEqual(['! It fails.', sentence, `    ${again}`]);
  expect(findingLines('!', 'It fails.', remedy, { ...screen, width: 140 })[1]).toBe(`    ${remedy}`);
});
