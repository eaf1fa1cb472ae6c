/** The largest batch of sanctions that a tenant can send, and taking it back: nobody else waits meanwhile. */
import { expect, it } from 'vitest';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { describeEachDatabase } from '../support/each-database.js';
import { freePort } from '../support/free-port.js';
import { watchingHealth } from '../support/health-watch.js';
import { signIn } from '../support/room-client.js';
import { scale } from '../support/scale.js';

/** Even at small scale, more lines than one step processes. */
const lineCount = scale(600, 10_000);
/** Reason of the greatest length that fits the largest body with so many lines. */
const reason = 'They shouted at everybody who would not follow them to the other room. '.repeat(3);
const reviewsEach = 10;

describeEachDatabase('a batch of sanctions', ({ database, daemon }) => {
  it('lets others write all the while', async () => {
    const { client, projectId } = await signIn(daemon().url);
    const params = { projectId };
    const hook = {
      url: `http://127.0.0.1:${await freePort()}`,
      secret: 'a long enough secret',
      events: ['sanction.*'],
    };
    await client.call(webhookRoutes.create, { params, body: hook });
    const items = Array.from({ length: lineCount }, (_, index) => ({
      type: index % reviewsEach === 0 ? ('human_review' as const) : ('mute' as const),
      externalUserId: `u${index}`,
      reason,
    }));
    await watchingHealth(daemon(), `${lineCount} sanctions on ${database}`, async () => {
      const applied = await client.call(sanctionBatchRoutes.apply, { params, body: { batchId: 'raid', items } });
      expect(applied.created).toBe(lineCount);
    });
    await watchingHealth(daemon(), `taking ${lineCount} sanctions back on ${database}`, async () => {
      const undone = await client.call(sanctionBatchRoutes.undo, { params: { ...params, id: 'raid' } });
      expect(undone.revoked).toBe(lineCount);
    });
  });
});
