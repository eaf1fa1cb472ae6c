/** When a receiver's failures disable its subscription: 410 at once, failures only for five days. */
import { describe, expect, it } from 'vitest';
import { healthAfter } from '../../daemon/modules/webhooks/delivery/health.js';

const day = 86_400_000;
const start = new Date('2026-01-01T00:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);
const well = { enabled: true, disabledAt: null, disabledReason: null, failingSince: null };
const failing = { ...well, failingSince: start };
const outcome = (statusCode: number | null, error: string | null) => ({
  ...{ statusCode, error, durationMs: 1, snippet: null, retryAfter: null, startedAt: start },
});
const delivered = outcome(200, null);
const failed = outcome(500, 'http_500');
const gone = outcome(410, 'http_410');

describe('the health of a receiver', () => {
  it.each([
    ['delivered: stays well', well, delivered, 0, well],
    ['delivered: is well again', failing, delivered, day, well],
    ['first failure: remembers since when', well, failed, 0, failing],
    ['more failures: the first one counts', failing, failed, 5 * day - 1, failing],
    [
      'failures for five days: disabled',
      ...([failing, failed, 5 * day] as const),
      { ...failing, enabled: false, disabledAt: later(5 * day), disabledReason: 'failing' },
    ],
    [
      '410: disabled at once',
      ...([well, gone, 7] as const),
      { enabled: false, disabledAt: later(7), disabledReason: 'gone', failingSince: later(7) },
    ],
  ])('%s', (_, before, result, ms, after) => {
    expect(healthAfter(before, result, later(ms))).toEqual(after);
  });

  it('is not judged again once it is disabled', () => {
    const disabled = { ...failing, enabled: false, disabledAt: start, disabledReason: 'manual' };
    expect(healthAfter(disabled, gone, later(9 * day))).toBe(disabled);
  });
});
