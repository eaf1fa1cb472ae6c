/** Erasing somebody of whom very much is known: nobody else waits meanwhile. */
import { expect, it } from 'vitest';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { describeEachDatabase } from '../support/each-database.js';
import { freePort } from '../support/free-port.js';
import { watchingHealth } from '../support/health-watch.js';
import { signIn } from '../support/room-client.js';
import { scale } from '../support/scale.js';
import { someAtOnce } from '../support/some-at-once.js';

/** Even at small scale, more events than one step of an erasure deletes. */
const eventCount = scale(600, 10_000);
const messageCount = scale(25, 500);
const externalUserId = 'raider';

describeEachDatabase('the erasure of a person', ({ database, daemon }) => {
  it('lets others write all the while', async () => {
    const { client, projectId } = await signIn(daemon().url);
    const params = { projectId };
    const url = `http://127.0.0.1:${await freePort()}`;
    const hook = { url, secret: 'a long enough secret', events: ['message.*', 'sanction.*'] };
    await client.call(webhookRoutes.create, { params, body: hook });
    const { id } = await client.call(participantRoutes.create, { params, body: { externalUserId } });
    const session = await client.call(sessionRoutes.create, { params, body: { title: 'Long', externalRoomId: 'x' } });
    await someAtOnce(messageCount, (index) =>
      client.call(sessionRoutes.say, {
        params: { ...params, id: session.id },
        body: { externalUserId, content: `a line of the raider, ${index}` },
      }),
    );
    const items = Array.from({ length: eventCount }, () => ({
      type: 'warn' as const,
      externalUserId,
      reason: 'raid',
    }));
    const applied = await client.call(sanctionBatchRoutes.apply, { params, body: { batchId: 'raid', items } });
    expect(applied.created).toBe(eventCount);
    await watchingHealth(daemon(), `erasing ${eventCount} events about one person on ${database}`, async () => {
      await client.call(participantRoutes.remove, { params: { ...params, id } });
    });
    await expect(client.call(participantRoutes.get, { params: { ...params, id } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
