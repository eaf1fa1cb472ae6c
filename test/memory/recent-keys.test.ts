/** Facts remembered of a key, project or person for a while are forgotten after it, however many there are. */
import { describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../daemon/modules/identity/api-keys/service.js';
import type { ApiKeyStore } from '../../daemon/modules/identity/api-keys/store.js';
import { RollingLimit } from '../../daemon/modules/ingest/rolling-limit.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { heapAfterCollection } from '../support/collect.js';
import { mebibyte } from '../support/heap.js';

const many = 100_000;
/** An entry for each of them would take 10 MiB and more. */
const grownMax = 4 * mebibyte;

/** Bytes that the work has left in memory. `held`: what must not be collected before. */
async function grownBy(held: object, work: () => Promise<void>): Promise<number> {
  const before = await heapAfterCollection();
  await work();
  const grown = (await heapAfterCollection()) - before;
  expect(held).toBeDefined();
  return grown;
}

describe('what is remembered for a while', () => {
  it('of API keys: when their last use was stored', async () => {
    let nowMs = Date.parse('2026-01-01T00:00:00Z');
    let stored = 0;
    const keys: Pick<ApiKeyStore, 'presented' | 'touch'> = {
      presented: async (key) =>
        ({ caller: { id: key, expiresAt: null } }) as Awaited<ReturnType<ApiKeyStore['presented']>>,
      touch: async () => {
        stored += 1;
      },
    };
    const grants = { grant: async () => null, shared: async () => [] };
    const service = new ApiKeyService({} as Database, keys as ApiKeyStore, grants, () => new Date(nowMs));
    const grown = await grownBy(service, async () => {
      for (let index = 0; index < many; index += 1) {
        await service.verify(`key-${index}`);
        await service.verify(`key-${index}`);
        nowMs += 100;
      }
    });
    expect(stored).toBe(many); // once a minute each
    expect(grown).toBeLessThan(grownMax);
  });

  it('of projects: the events of the last second', async () => {
    let nowMs = 0;
    const limit = new RollingLimit(2, 1_000, () => nowMs);
    const grown = await grownBy(limit, async () => {
      for (let index = 0; index < many; index += 1) {
        limit.take(`project-${index}`);
        nowMs += 10;
      }
    });
    expect(grown).toBeLessThan(grownMax);
    limit.take('last');
    limit.take('last');
    expect(() => limit.take('last')).toThrow('Too many requests');
  });
});
