import { beforeEach, describe, expect, it } from 'vitest';
import { RollingLimit } from '../../daemon/modules/ingest/rolling-limit.js';

describe('a limit of three in any second', () => {
  let nowMs: number;
  let limit: RollingLimit;
  const take = (atMs: number, key = 'p') => {
    nowMs = atMs;
    limit.consume(key);
  };
  beforeEach(() => {
    limit = new RollingLimit(3, 1_000, () => nowMs);
    for (const at of [900, 950, 990]) take(at);
  });

  it('does not start anew when the clock strikes', () => {
    expect(() => take(1_001)).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 0.899 }));
  });

  it('gives each place back a second later', () => {
    take(1_900);
    expect(() => take(1_949)).toThrow();
    take(1_950);
  });

  it('counts refusals for nothing, and every key by itself', () => {
    for (let tries = 0; tries < 10; tries += 1) expect(() => take(1_500)).toThrow();
    take(1_500, 'q');
    take(1_900);
  });
});
