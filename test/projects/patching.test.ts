/** PATCH: an absent field stays, null clears it, and the order of two fields never matters. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { scale } from '../support/scale.js';

const patienceMs = scale(60_000, 600_000);
const runs = { numRuns: scale(5, 200), seed: 20_260_101 };
let daemon: TestDaemon;
let client: EarshotClient;
beforeAll(async () => {
  daemon = await startDaemon();
  client = daemon.client;
});
afterAll(() => daemon.stop());

const text = fc.stringMatching(/^[a-z]{1,20}$/);
const patch = fc.record(
  {
    botUserId: fc.option(text, { nil: null }),
    botUserData: fc.option(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()), { noNullPrototype: true }), {
      nil: null,
    }),
    transcriptRetentionDays: fc.option(fc.integer({ min: 1, max: 3_650 }), { nil: null }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

it(
  'leaves settings as all the changes one after the other make them',
  async () => {
    const params = { projectId: daemon.projectId };
    await fc.assert(
      fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 5 }), async (patches) => {
        let expected: object = await client.call(settingsRoutes.get, { params });
        for (const body of patches) {
          await client.call(settingsRoutes.update, { params, body });
          expected = { ...expected, ...body, updatedAt: expect.any(String) };
        }
        expect(await client.call(settingsRoutes.get, { params })).toEqual(expected);
      }),
      runs,
    );
  },
  patienceMs,
);

it(
  'pages of any size, put together, are the whole list, each row once',
  async () => {
    const params = { projectId: daemon.projectId };
    const count = 23;
    for (let index = 0; index < count; index += 1)
      await client.call(participantRoutes.create, { params, body: { externalUserId: `paged_${index}` } });
    const page = (limit: number, offset: number) =>
      client.call(participantRoutes.list, { params, query: { limit, offset } });
    const whole = (await page(200, 0)).participants.map(({ id }) => id);
    expect(whole).toHaveLength(count);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (limit) => {
        const ids: string[] = [];
        for (let offset = 0; offset < count; offset += limit) {
          const { participants, nextAfter: _, ...info } = await page(limit, offset);
          expect(info).toEqual({ total: count, limit, offset });
          ids.push(...participants.map(({ id }) => id));
        }
        expect(ids).toEqual(whole);
      }),
      runs,
    );
  },
  patienceMs,
);

it.each([
  ['limit', 0],
  ['limit', 201],
  ['limit', 1.5],
  ['offset', -1],
])('a page with %s %d is refused', async (name, value) => {
  const asked = client.call(participantRoutes.list, {
    params: { projectId: daemon.projectId },
    query: { [name]: value },
  });
  await expect(asked).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
});
