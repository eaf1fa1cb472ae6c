import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CountedEvent,
  type Counter,
  count,
  counterMax,
  sumOf,
} from '../../daemon/modules/game-events/model/counting.js';

const single = (amount: number | null, sessionId = 's1'): CountedEvent => ({ type: 'single', amount, sessionId });
const group = (amount: number, sessionId = 's1'): CountedEvent => ({ type: 'group', amount, sessionId });
const zero: Counter = { ...sumOf(0), sessionId: null };
const values = (events: CountedEvent[], counting: 'per-session' | 'total' = 'per-session') =>
  events.map(
    ((counter) => (event: CountedEvent) => {
      counter = count(counter, event, counting);
      return counter.value;
    })(zero),
  );

describe('rules of counters', () => {
  it.each([
    ['An event of type single adds the event amount value to the current counter.', [single(2), single(3)], [2, 5]],
    ['An event of type group sets the counter to the event amount value', [single(9), group(4)], [9, 4]],
    ['(for instance amount 0 resets it).', [single(9), group(0)], [9, 0]],
    [
      'When the session_id changes for the same user_id and event_name, the counter restarts from zero.',
      [single(2, 'a'), single(3, 'b'), single(1, 'b'), single(1, 'a')],
      [2, 3, 4, 1],
    ],
    [
      'a group event with amount 3 followed by a single event with amount 1 yields a counter of 4.',
      [group(3), single(1)],
      [3, 4],
    ],
  ])('%s', (_, events, expected) => expect(values(events)).toEqual(expected));

  it('lets another session restart the counter even by an event that it does not count', () => {
    expect(values([single(5, 'a'), single(null, 'b'), single(1, 'b')])).toEqual([5, 0, 1]);
  });

  it('ignores session changes in a total', () => {
    expect(values([single(2, 'a'), single(3, 'b'), group(1, 'c')], 'total')).toEqual([2, 5, 1]);
  });
});

const anyEvent: fc.Arbitrary<CountedEvent> = fc.record({
  type: fc.constantFrom('single' as const, 'group' as const),
  amount: fc.option(fc.nat(), { nil: null }),
  sessionId: fc.constantFrom('a', 'b'),
});

describe('count', () => {
  it('is the sum of the amounts while only single events of one session come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (amounts) => {
        const sum = amounts.reduce((total, amount) => total + amount, 0);
        expect(values(amounts.map((amount) => single(amount))).at(-1)).toBe(sum);
      }),
    );
  });

  it('forgets everything before the last change of session, and everything before the last group event', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1 }), fc.nat(), (events, amount) => {
        const last = events.at(-1)?.sessionId ?? 'a';
        expect(values([...events, single(amount, `not ${last}`)]).at(-1)).toBe(amount);
        expect(values([...events, group(amount, last)]).at(-1)).toBe(amount);
      }),
    );
  });

  it('is the sum since the last group event, shown within 2^53 - 1 of 0, whatever comes', () => {
    const large = fc.record({
      type: fc.constantFrom('single' as const, 'group' as const),
      amount: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(counterMax, -counterMax, 1, -1)),
      sessionId: fc.constant('a'),
    });
    const limit = BigInt(counterMax);
    fc.assert(
      fc.property(fc.array(large), (events) => {
        let sum = 0n;
        const shown = events.map(({ type, amount }) => {
          sum = type === 'group' ? BigInt(amount) : sum + BigInt(amount);
          return Number(sum > limit ? limit : sum < -limit ? -limit : sum);
        });
        expect(values(events)).toEqual(shown);
      }),
    );
    expect(values([single(counterMax), single(1), single(-2)])).toEqual([counterMax, counterMax, counterMax - 1]);
  });
});
