/** A queue_delay postpones a ready mark by its time and never by more, whatever the clock does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followDelays } from '../../daemon/modules/gatherings/delays.js';
import type { MemberRow } from '../../daemon/modules/gatherings/member-store.js';
import { markAfter, markDelayedAnew, markInTime, type ReadyMark } from '../../daemon/modules/gatherings/ready-mark.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import type { DomainEvent } from '../../src/contract/events.js';

const second = 1_000;
const start = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(start + ms);
const member = (mark: Partial<ReadyMark>): MemberRow => ({
  ...{ id: 'm', gatheringId: 'g', projectId: 'p', participantId: 'a', externalUserId: 'u' },
  ...{ status: 'joined', joinedAt: at(0), leftAt: null, readyAt: null, readyAskedAt: null },
  ...mark,
});
const ready = { status: 'ready', readyAt: null, readyAskedAt: null };

describe('a ready mark', () => {
  it('is set at once without a delay, and waits with one', () => {
    expect(markAfter(0, at(0), at(0))).toEqual(ready);
    expect(markAfter(30 * second, at(0), at(0))).toEqual({
      ...{ status: 'joined', readyAt: at(30 * second), readyAskedAt: at(0) },
    });
  });

  it.each<[string, Partial<ReadyMark>, number, object | null]>([
    ['waits', { readyAt: at(9 * second), readyAskedAt: at(0) }, 8 * second, null],
    ['takes effect at its time', { readyAt: at(9 * second), readyAskedAt: at(0) }, 9 * second, ready],
    ['is nothing where nobody asked', {}, 9 * second, null],
    ['is nothing for who has left', { status: 'left', readyAt: at(0), readyAskedAt: at(0) }, 9 * second, null],
  ])('%s', (_, mark, now, expected) => expect(markInTime(member(mark), at(now))).toEqual(expected));

  it.each<[string, number, object | null]>([
    ['lifted: at once', 0, ready],
    ['shorter: earlier', 20 * second, { status: 'joined', readyAt: at(20 * second), readyAskedAt: at(0) }],
    ['the same: no change', 30 * second, null],
    ['longer: later', 60 * second, { status: 'joined', readyAt: at(60 * second), readyAskedAt: at(0) }],
  ])('follows a delay that is %s', (_, delay, expected) => {
    const waiting = member({ readyAt: at(30 * second), readyAskedAt: at(0) });
    expect(markDelayedAnew(waiting, delay, at(10 * second))).toEqual(expected);
  });

  it('does not follow a delay where no mark waits', () => {
    expect(markDelayedAnew(member({}), second, at(0))).toBeNull();
  });

  it('never waits for longer than its delay once the clock stands still after a jump back', () => {
    const delays = fc.integer({ min: 1, max: 86_400 });
    fc.assert(
      fc.property(delays, fc.integer({ min: 6, max: 400_000 }), (delay, back) => {
        const asked = member(markAfter(delay * second, at(0), at(0)));
        const now = at(-back * second);
        const moved = markInTime(asked, now);
        expect(moved?.readyAt?.getTime()).toBe(now.getTime() + delay * second);
        expect(markInTime(member(moved ?? {}), at((delay - back) * second))).toEqual(ready);
      }),
    );
  });
});

it('follows a change of a delay, whatever another one fails at', async () => {
  const followed: string[] = [];
  const delayChanged = async (_: string, externalUserId: string) => {
    if (externalUserId === 'erased') throw new Error('There is no such person.');
    followed.push(externalUserId);
  };
  const changed = (externalUserId: string): DomainEvent => ({
    ...{ id: '1', type: 'sanction.updated', source: 'cortex:api', tenantId: 't', projectId: 'p', resourceId: 's' },
    ...{
      timestamp: at(0).toISOString(),
      payload: { action: 'updated', data: { type: 'queue_delay', externalUserId } },
    },
  });
  await followDelays({ delayChanged }, createLogger('silent')).on([changed('erased'), changed('ann')]);
  expect(followed).toEqual(['ann']);
});
