/** Properties of the order of cases, and of what follows from misuse. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CaseLoad, priorityOf, rankOf } from '../../daemon/modules/reports/cases/priority.js';
import {
  consequenceAfter,
  type ReporterRecord,
  recordAfter,
  unknownReporter,
  type Verdict,
  weightOf,
} from '../../daemon/modules/reports/reporters/reliability.js';

const start = Date.parse('2026-01-01T00:00:00Z');
const dayMs = 86_400_000;
const load = fc.record({
  categoryWeight: fc.integer({ min: 1, max: 10 }),
  weight: fc.double({ min: 0, max: 1_000, noNaN: true }),
  reviews: fc.nat(20),
  blockers: fc.nat(2_000),
  orders: fc.nat(3),
  trusted: fc.nat(3),
});
const time = fc.integer({ min: 0, max: 30 * dayMs }).map((ms) => new Date(start + ms));

describe('the priority of a case', () => {
  it('grows with each thing that speaks for it', () => {
    fc.assert(
      fc.property(
        load,
        time,
        fc.constantFrom<keyof CaseLoad>('categoryWeight', 'weight', 'reviews', 'blockers', 'orders', 'trusted'),
        (one, at, field) => {
          const more = { ...one, [field]: one[field] + 1 };
          expect(rankOf(more, at)).toBeGreaterThanOrEqual(rankOf(one, at));
        },
      ),
    );
  });

  it('grows with waiting, alike for all: the order of two never changes by time alone', () => {
    fc.assert(
      fc.property(load, load, time, time, fc.nat(1_000 * dayMs), (a, b, madeA, madeB, waitMs) => {
        const later = new Date(start + 30 * dayMs + waitMs);
        const [rankA, rankB] = [rankOf(a, madeA), rankOf(b, madeB)];
        const shown = [priorityOf(rankA, later, false), priorityOf(rankB, later, false)] as const;
        if (rankA > rankB) expect(shown[0]).toBeGreaterThanOrEqual(shown[1]);
        expect(priorityOf(rankA, later, true)).toBeGreaterThan(shown[0]);
      }),
    );
  });

  it('counts any number of blocks for no more than one report of somebody unknown', () => {
    fc.assert(
      fc.property(load, time, (one, at) => {
        const reported = { ...one, weight: one.weight + 1, blockers: 0 };
        expect(rankOf(one, at)).toBeLessThanOrEqual(rankOf(reported, at));
      }),
    );
  });

  it('lets no flood of reports about spam pass one about minors for longer than a day', () => {
    const flood = rankOf(
      { categoryWeight: 1, weight: 10_000, reviews: 0, blockers: 10_000, orders: 0, trusted: 0 },
      new Date(start),
    );
    const one = rankOf(
      { categoryWeight: 10, weight: 1, reviews: 0, blockers: 0, orders: 0, trusted: 0 },
      new Date(start),
    );
    expect(one).toBeGreaterThan(flood);
  });
});

describe('the weight of a reporter', () => {
  it('is 1 for somebody unknown, between 0 and 2, and higher with each upheld report', () => {
    expect(weightOf(unknownReporter)).toBe(1);
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(10_000), (upheld, others) => {
        const weight = weightOf({ upheld, decided: upheld + others });
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThan(2);
        expect(weightOf({ upheld: upheld + 1, decided: upheld + 1 + others })).toBeGreaterThanOrEqual(weight);
        expect(weightOf({ upheld, decided: upheld + others + 1 })).toBeLessThan(weight);
      }),
    );
  });

  it('is never suspended by a program, nor is that proposed without a warning before, for few of many, or for honest mistakes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<Verdict>('upheld', 'not_upheld', 'unfounded'), { maxLength: 60 }),
        (verdicts) => {
          let record: ReporterRecord = unknownReporter;
          for (const [index, verdict] of verdicts.entries()) {
            const before = record;
            const at = new Date(start + index * dayMs);
            record = recordAfter(record, verdict, at);
            const { proposedAt, suspendedUntil } = consequenceAfter(record, { before, after: record }, record, at);
            if (proposedAt !== null) {
              expect(verdict).toBe('unfounded');
              expect(before.warnedAt).not.toBeNull();
              expect(record.unfounded).toBeGreaterThanOrEqual(Math.max(4, record.decided / 2));
            }
            expect(suspendedUntil).toBeNull();
            expect(record.decided).toBe(index + 1);
          }
        },
      ),
    );
  });

  it('forgets what lies half a year back', () => {
    let record: ReporterRecord = unknownReporter;
    for (let month = 0; month < 48; month += 8)
      record = recordAfter(record, 'unfounded', new Date(start + month * 31 * dayMs));
    expect(record).toMatchObject({ unfounded: 6, recentUnfounded: 1, suspensions: 0 });
  });
});
