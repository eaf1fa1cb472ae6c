import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { madeAtMs } from '../../daemon/platform/ids/id-time.js';
import { newId } from '../../daemon/platform/ids/new-id.js';
import { timeText } from '../../daemon/platform/time/time-text.js';

describe('an id', () => {
  it('is a UUIDv7 of the present, and later in order than those before', () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, newId);
    expect(() => z.array(z.uuidv7()).parse(ids)).not.toThrow();
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(madeAtMs(ids[0] ?? '')).toBeGreaterThanOrEqual(before);
  });
});

describe('the text of a time', () => {
  it('is that of ISO 8601, however often it is asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.date({ noInvalidDate: true })), (times) => {
        const texts = times.map((time) => time.toISOString());
        expect(times.map(timeText)).toEqual(texts);
        expect(times.map(timeText)).toEqual(texts);
      }),
    );
    expect(() => timeText(new Date(Number.NaN))).toThrow(RangeError);
  });
});
