/** Live views as they stand on a terminal of 80 × 24 and of 140 × 40, in colour and plain: the same each time. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { partialLine } from '../../src/cli/events/event-line.js';
import { figuresView } from '../../src/cli/figures/figures-view.js';
import { peopleOf, type RoomPicture, roomLine, roomView, spokenLine } from '../../src/cli/rooms/watch/view.js';
import { LiveScreen, type Size } from '../../src/cli/terminal/live/screen.js';
import type { DomainEvent } from '../../src/contract/events.js';
import type { LiveFigures } from '../../src/contract/figures/figures.js';
import type { Room } from '../../src/contract/rooms/rooms.js';
import type { Screen } from '../../src/terminal/output.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';
import { samples } from './event-samples.js';

vi.hoisted(() => {
  process.env.TZ = 'UTC';
});
afterEach(() => vi.unstubAllEnvs());

const sizes = [
  [80, 24],
  [140, 40],
] as const;

/** Returns the screen that the view leaves on a terminal. */
function drawn(view: (size: Size) => string, [columns, rows]: readonly [number, number], isColoured: boolean): string {
  vi.stubEnv('NO_COLOR', isColoured ? undefined : '1');
  const terminal = new VirtualTerminal(columns, rows);
  // The terminal has what the screen uses of a stream.
  const screen = new LiveScreen(view, terminal.stdout as unknown as NodeJS.WriteStream);
  const text = isColoured ? terminal.coloured : terminal.screen;
  screen.close();
  return `${text}\n`;
}

const golden = async (name: string, view: (size: Size) => string): Promise<void> => {
  for (const size of sizes) {
    const plain = drawn(view, size, false);
    const lines = plain.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(size[1]);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(size[0]);
    await expect(plain).toMatchFileSnapshot(`screens/${name}.${size[0]}.txt`);
    await expect(drawn(view, size, true)).toMatchFileSnapshot(`screens/${name}.${size[0]}.colour.txt`);
  }
};

const peer = (name: string, more: Partial<Room['peers'][number]> = {}): Room['peers'][number] => ({
  ...{
    externalUserId: name.toLowerCase(),
    displayName: name,
    publishing: true,
    speaking: false,
    muted: false,
    bot: false,
    observer: false,
  },
  ...more,
});
const noQuestion = { line: null, help: 'Return confirms.', hasProblem: false };
const names = {
  person: (id: string) => (id === 'u1' ? 'Bob' : id),
  participant: (id: string) => id,
  moderator: () => 'mod@example.com',
};
const event = (type: keyof typeof samples, data: object = {}): DomainEvent => ({
  ...{ id: '01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44', type, source: 'cortex:api', tenantId: 't', resourceId: 'x:y' },
  timestamp: '2026-01-01T18:04:05.000Z',
  payload: { action: 'created', data: { ...samples[type], ...data } },
});
const picture = (more: Partial<RoomPicture> = {}): RoomPicture => ({
  roomId: 'demo',
  room: {
    roomId: 'demo',
    sessionId: 's1',
    muted: null,
    closed: null,
    peers: [
      peer('Bob', { speaking: true }),
      peer('Ann', { muted: true }),
      peer('Cid', { publishing: false }),
      peer('Bot', { bot: true }),
    ],
  },
  session: samples['session.created'] as RoomPicture['session'],
  lines: [
    event('session.created'),
    event('participant.joined'),
    event('message.created'),
    event('message.created', { type: 'system', content: 'Bob joined' }),
    event('message.created', { content: `${'A long sentence that goes on and on. '.repeat(6)}End.` }),
    event('message.annotation.created'),
    event('rule.matched'),
    event('sanction.created'),
    event('participant.left'),
    event('bot.status.changed'),
  ].flatMap((one) => roomLine(one, names) ?? []),
  ...{ chosen: 'bob', prompt: noQuestion, foot: 'Ann: mute for 10m. u undoes it.' },
  ...more,
});

describe('rooms watch', () => {
  it('shows who is there, what is said and the keys', () => golden('room', (size) => roomView(picture(), size)));

  it('shows what somebody is saying below what was said, greyed', () => {
    const partial = {
      ...{
        projectId: 'p',
        sessionId: 's1',
        roomId: 'demo',
        externalUserId: 'bob',
        senderName: 'Bob',
        shadowMuted: false,
      },
      ...{ content: 'go for\u001b[31m', timestamp: '2026-01-01T18:04:06.000Z', startMs: 5_000 },
    };
    const line = spokenLine(partial, names);
    expect(line).toMatchObject({ name: 'Bob', style: 'dim' });
    const text = drawn((size) => roomView(picture({ lines: [...picture().lines, line] }), size), [80, 24], false);
    expect(text).toMatch(/\n18:04:06 +Bob +go for\S* …\n/);
    const screen = { isTerminal: false, width: 80 } as Screen;
    expect(partialLine(partial, screen, names)).toMatch(/^18:04:06 +message\.partial +Bob +go for\S* …$/);
    expect(partialLine({ ...partial, content: '' }, screen)).toContain('no message follows');
  });

  it('keeps the chosen person in sight among many', () => {
    const peers = Array.from({ length: 60 }, (_, index) => peer(`P${String(index).padStart(2, '0')}`));
    const room = { roomId: 'demo', sessionId: null, muted: null, closed: null, peers };
    const text = drawn((size) => roomView(picture({ room, chosen: 'p40' }), size), [80, 24], false);
    expect(text).toContain('> P40');
    expect(text).toContain('q quit');
    expect(text.trimEnd().split('\n')).toHaveLength(24);
  });

  it('shows the end of a long question, where somebody types', () => {
    const text = drawn(
      (size) => roomView(picture({ prompt: { ...noQuestion, line: `${'long '.repeat(40)}typed▏` } }), size),
      [80, 24],
      false,
    );
    expect(text).toMatch(/\n….* typed▏\n/);
  });

  it('leaves bots and observers out of those who can be chosen, and says that the team listens', () => {
    const peers = [peer('Bob'), peer('Bot', { bot: true }), peer('The team', { observer: true, publishing: false })];
    const room = { roomId: 'demo', sessionId: null, muted: null, closed: null, peers };
    expect(peopleOf(room).map(({ displayName }) => displayName)).toEqual(['Bob']);
    expect(drawn((size) => roomView(picture({ room }), size), [80, 24], false)).toContain('1 person, the team listens');
  });
});

const figures: LiveFigures = {
  at: '2026-01-01T18:04:05.000Z',
  version: '1.2.3',
  events: {
    ...{ perSecond: 12.4, lastMinute: 744 },
    types: [
      { type: 'message.created', lastMinute: 500 },
      { type: 'challenge.changed', lastMinute: 240 },
      { type: 'sanction.created', lastMinute: 4 },
    ],
  },
  rooms: {
    ...{ open: 31, people: 122, speaking: 9 },
    busiest: Array.from({ length: 31 }, (_, index) => ({
      ...{
        projectId: 'p',
        projectName: 'default',
        roomId: `match-${index + 1}`,
        people: 31 - index,
        speaking: index % 3,
      },
      transcribed: index % 2 === 0,
    })),
  },
  deliveries: { pending: 1_204, delivered: 310, retried: 12, failed: 1 },
  queues: { gameEvents: 0, utterances: 3 },
  storage: { today: 3_000_000, total: 5_000_000, dayMax: null, totalMax: null },
  requests: {
    ...{ lastMinute: 4_210, worstMs: 1_204.4 },
    slowest: [
      { method: 'GET', route: '/api/projects/{projectId}/messages/search', lastMinute: 3, worstMs: 1_204.4 },
      { method: 'POST', route: '/api/projects/{projectId}/sanctions', lastMinute: 4, worstMs: 31.2 },
    ],
  },
};
const top = (more: Partial<LiveFigures> = {}, foot = 'q quits') => ({
  ...{ url: 'http://127.0.0.1:8080', rates: [1, 4, 9, 12.4, 3, 0, 7], foot },
  figures: { ...figures, ...more },
});

describe('top', () => {
  it('shows the sums, the busiest rooms and the slowest requests', () =>
    golden('top', (size) => figuresView(top(), size)));

  it('is as calm when nothing goes on', () => {
    const rooms = { open: 0, people: 0, speaking: 0, busiest: [] };
    const text = drawn((size) => figuresView(top({ rooms }), size), [80, 24], false);
    expect(text).toContain('No room is open.');
    expect(text).toContain('q quits');
  });

  it.each([40, 24, 18, 15, 12, 10, 8, 5, 3])('fits %i lines: the sums and how to leave stay', (rows) => {
    const text = figuresView(top(), { columns: 80, rows });
    const lines = text.split('\n');
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(lines[0]).toContain('earshot');
    expect(lines.at(-1)).toContain('q quits');
    expect(text).toContain('12.4 per second');
    expect(text.includes('ROOM')).toBe(rows >= 15);
    expect(text.includes('SLOWEST')).toBe(rows >= 18);
  });

  it('gives the lines that rooms do not need to requests', () => {
    const requests = { ...top().figures.requests, slowest: Array(30).fill(top().figures.requests.slowest[0]) };
    const rooms = { ...top().figures.rooms, busiest: [] };
    const lines = figuresView(top({ rooms, requests }), { columns: 80, rows: 40 }).split('\n');
    expect(lines).toHaveLength(40);
  });

  it('says that the daemon is away and keeps the last figures', () => {
    const text = drawn(
      (size) => figuresView(top({}, 'The daemon does not answer. Trying again.'), size),
      [80, 24],
      false,
    );
    expect(text).toMatch(/122 people[\s\S]*Trying again\./);
  });
});
