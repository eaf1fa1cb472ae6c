/** Events in columns: every kind that the daemon makes, on narrow and wide terminals. */
import { describe, expect, it, vi } from 'vitest';
import { DatedLines, eventLine, isDeliveryNoise } from '../../src/cli/events/event-line.js';
import type { Names } from '../../src/cli/names/known-names.js';
import { type DomainEvent, ownEventTypes } from '../../src/contract/events.js';
import { rendered } from '../../src/terminal/terminal.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';
import { samples } from './event-samples.js';

vi.hoisted(() => {
  process.env.TZ = 'UTC';
  delete process.env.NO_COLOR; // of whoever runs the suites
});

const names: Names = {
  person: (id) => ({ u1: 'Bob', u2: 'Ann' })[id] ?? id,
  participant: (id) => (id === 'p1' ? 'Bob' : id),
  moderator: (id) => (id === 'm1' ? 'mod@example.com' : id),
};
const screen = (width: number | undefined) => ({ isTerminal: false, now: new Date('2026-01-01T00:00:00.000Z'), width });
const event = (type: string, data: unknown, changes?: Record<string, unknown>): DomainEvent => ({
  id: '01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44',
  type,
  source: 'cortex:api',
  tenantId: 't',
  resourceId: 'message:01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44',
  timestamp: '2026-01-01T12:00:00.123Z',
  payload: {
    action: changes === undefined ? 'created' : 'updated',
    data,
    ...(changes === undefined ? {} : { changes }),
  },
});

describe('an event on a line', () => {
  it('of every kind has words of its own', () => {
    expect(Object.keys(samples).toSorted()).toEqual(ownEventTypes.toSorted());
    for (const [type, data] of Object.entries(samples))
      expect(eventLine(event(type, data), screen(200), names)).not.toMatch(/[{}]|undefined|null|\[object/);
  });

  it('says nothing of how sure a line is where an older daemon logged it', () => {
    const message = { ...samples['message.created'], asr: { engine: 'pocketsphinx', quality: 'basic' } };
    expect(eventLine(event('message.created', message), screen(200), names)).not.toMatch(/unheard|NaN|undefined/);
  });

  it.each([80, 140])('fits %i columns', async (width) => {
    const lines = Object.entries(samples).map(([type, data]) => eventLine(event(type, data), screen(width), names));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`screens/events.${width}.txt`);
  });

  it.each([80, 140])('has colours on a terminal of %i columns', async (width) => {
    const terminal = new VirtualTerminal(width, 200);
    const stream = terminal.stdout as unknown as NodeJS.WriteStream;
    for (const [type, data] of Object.entries(samples))
      stream.write(
        `${rendered(eventLine(event(type, data), { ...screen(width), isTerminal: true }, names), stream)}\n`,
      );
    await expect(`${terminal.coloured}\n`).toMatchFileSnapshot(`screens/events.${width}.colour.txt`);
  });

  it.each([
    ['an ingested type', event('server.started', { cores: 4 }), '{"cores":4}'],
    ['an erased person', event('participant.updated', { id: 'p1', redacted: true }), 'erased'],
    [
      'a mute of an erased person',
      event('sanction.created', { id: 's1', redacted: true, type: 'mute' }),
      'erased mute',
    ],
    [
      'what was changed',
      event('participant.updated', samples['participant.updated'], { userData: {} }),
      'changed: userData',
    ],
    [
      'hostile text',
      event('message.created', { ...samples['message.created'], content: '\u001b]0;x\n' }),
      '\\u001b]0;x\\n',
    ],
    ['data that is none', event('server.started', 'up'), '"up"'],
    [
      'what was taken back, and not by which fields',
      event(
        'sanction.revoked',
        { ...samples['sanction.revoked'], revokeReason: 'a mistake' },
        { isActive: true, status: 'active' },
      ),
      'revoked “a mistake” by mod@example.com\n',
    ],
  ])('shows %s', (_, one, says) => {
    expect(`${eventLine(one, screen(120), names)}\n`).toContain(says);
  });

  it('counts columns, not characters: wide letters take two', () => {
    const content = '漢字'.repeat(40);
    const line = eventLine(event('message.created', { ...samples['message.created'], content }), screen(80), names);
    expect(line.length).toBeLessThan(70);
    expect(line).toMatch(/漢字漢…$/);
  });

  it('takes a usual width where that is not known', () => {
    const data = { ...samples['message.created'], content: 'word '.repeat(100) };
    for (const unknown of [0, undefined])
      expect(eventLine(event('message.created', data), screen(unknown), names)).toHaveLength(120);
  });
});

describe('the date', () => {
  it('stands above the first event of another day than the one before', () => {
    const dated = new DatedLines(new Date('2026-01-01T09:00:00Z'));
    const on = (timestamp: string) => dated.line({ ...event('a.b', {}), timestamp }, 'line');
    expect([on('2026-01-01T23:59:59Z'), on('2026-01-02T00:00:01Z'), on('2026-01-02T08:00:00Z')]).toEqual([
      'line',
      expect.stringMatching(/2026-01-02.*\nline$/),
      'line',
    ]);
  });
});

it('deliveries are noise, and a subscription that was disabled is none', () => {
  expect(ownEventTypes.filter((type) => isDeliveryNoise(event(type, {})))).toEqual([
    'webhook.delivery.updated',
    'webhook.test',
  ]);
});
