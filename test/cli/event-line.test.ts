import { describe, expect, it } from 'vitest';
import { eventLine } from '../../src/cli/event-line.js';
import type { DomainEvent } from '../../src/contract/events.js';

const screen = { isTerminal: false, now: new Date('2026-01-01T00:00:00.000Z') };
const event = (type: string, data: unknown): DomainEvent => ({
  id: '01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44',
  type,
  source: 'cortex:api',
  tenantId: 't',
  resourceId: 'message:01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44',
  timestamp: '2026-01-01T12:00:00.123Z',
  payload: { action: 'created', data },
});
const said = { senderName: 'Ann', externalUserId: 'u1', content: 'go forward ten meters', type: 'user' };

describe('an event on a line', () => {
  it.each([
    ['message.created', said, 'user=u1  content=go forward ten meters  type=user'],
    ['bot.status.changed', { bot: { state: 'listening', cause: 'no_speech' } }, 'bot=listening  cause=no_speech'],
    [
      'challenge.changed',
      { new_challenge: { user_id: 'u1', type: 'unclaimed', user_challenge_current_score: 3 } },
      'user=u1  challenge=unclaimed  score=3',
    ],
    ['server.started', { cores: 4 }, '{"cores":4}'],
  ])('tells of %s what matters first', (type, data, told) => {
    const line = eventLine(event(type, data), screen, 200);
    expect(line).toBe(`12:00:00.123  ${type.padEnd(26)}  01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44  ${told}`);
  });

  it('ends where the terminal does, and takes a usual width where that is not known', () => {
    expect(eventLine(event('message.created', said), screen, 100)).toHaveLength(100);
    for (const unknown of [0, undefined])
      expect(eventLine(event('message.created', said), screen, unknown)).toHaveLength(120);
  });
});
