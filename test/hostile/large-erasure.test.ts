/** Erasing somebody of whom very much is known: how long another tenant's writes wait meanwhile. */
import { expect, it } from 'vitest';
import { AppliedSanctions } from '../../src/contract/moderation/sanction-batches.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { besideBystander, describeWithBystander, signedIn } from '../support/bystander.js';
import { administrator } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { scale } from '../support/scale.js';
import { someAtOnce } from '../support/some-at-once.js';

/** Even at small scale, more events than one step of an erasure deletes. */
const eventCount = scale(600, 10_000);
const messageCount = scale(25, 500);
const externalUserId = 'raider';

describeWithBystander('the erasure of a person', ({ database, daemon }) => {
  it('lets another tenant write all the while', async () => {
    const { client, params, post } = await signedIn(daemon(), administrator);
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
    const answer = await post('/sanctions/batch', JSON.stringify({ batchId: 'raid', items }));
    expect(AppliedSanctions.parse(answer).created).toBe(eventCount);
    await besideBystander(daemon(), `${eventCount} events about one person on ${database}`, async (timed) => {
      await timed('erase', () => client.call(participantRoutes.remove, { params: { ...params, id } }));
    });
    await expect(client.call(participantRoutes.get, { params: { ...params, id } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
