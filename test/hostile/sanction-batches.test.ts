/** The largest batch of sanctions that a tenant can send, and taking it back: how long another tenant's writes wait meanwhile. */
import { expect, it } from 'vitest';
import { AppliedSanctions, UndoneSanctions } from '../../src/contract/moderation/sanction-batches.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { besideBystander, describeWithBystander, signedIn } from '../support/bystander.js';
import { administrator } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { scale } from '../support/scale.js';

/** Even at small scale, more lines than one step processes. */
const lineCount = scale(600, 10_000);
/** Reason of the greatest length that fits the largest body with so many lines. */
const reason = 'They shouted at everybody who would not follow them to the other room. '.repeat(3);
const reviewsEach = 10;

describeWithBystander('a batch of sanctions', ({ database, daemon }) => {
  it('lets another tenant write all the while', async () => {
    const ours = await signedIn(daemon(), administrator);
    const hook = {
      url: `http://127.0.0.1:${await freePort()}`,
      secret: 'a long enough secret',
      events: ['sanction.*'],
    };
    await ours.client.call(webhookRoutes.create, { params: ours.params, body: hook });
    const items = Array.from({ length: lineCount }, (_, index) => ({
      type: index % reviewsEach === 0 ? ('human_review' as const) : ('mute' as const),
      externalUserId: `u${index}`,
      reason,
    }));
    await besideBystander(daemon(), `${lineCount} sanctions on ${database}`, async (timed) => {
      const batch = JSON.stringify({ batchId: 'raid', items });
      const applied = AppliedSanctions.parse(await timed('apply', () => ours.post('/sanctions/batch', batch)));
      expect(applied.created).toBe(lineCount);
      const undone = await timed('undo', () => ours.post('/sanctions/batches/raid/undo', '{}'));
      expect(UndoneSanctions.parse(undone).revoked).toBe(lineCount);
    });
  });
});
