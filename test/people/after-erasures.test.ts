/** What an erasure leaves behind goes on working: repeats, undoing and figures. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('after an erasure', (start) => {
  let daemon: TestDaemon;
  const now = new Date('2026-03-01T10:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => now });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const erase = (user: string) => daemon.client.call(personRoutes.erase, { params: { ...params(), user } });
  const impose = (body: CreateSanctionRequest) => daemon.client.call(sanctionRoutes.create, { params: params(), body });

  it('a repeat of what was done to the person is refused, and does nothing', async () => {
    const key = randomUUID();
    const ban = () =>
      fetch(`${daemon.url}${sanctionRoutes.create.path.replace('{projectId}', daemon.projectId)}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey, 'Idempotency-Key': key },
        body: JSON.stringify({ type: 'mute', externalUserId: 'repeated' }),
      });
    expect((await ban()).status).toBe(201);
    expect((await ban()).status).toBe(201);
    await erase('repeated');
    const refused = await ban();
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 410,
      body: { code: 'idempotency_answer_erased' },
    });
    const query = { externalUserId: 'repeated' };
    expect((await daemon.client.call(sanctionRoutes.list, { params: params(), query })).total).toBe(0);
  });
});
