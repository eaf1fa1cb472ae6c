/** Webhook subscriptions, their log, event streams, traces and ingest. */
import { randomUUID } from 'node:crypto';
import { settingsRoutes } from '../../../../src/contract/projects/settings.js';
import { webhookEventRoutes } from '../../../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../../../src/contract/webhooks/webhooks.js';
import { sign } from '../../../../src/signing/signing.js';
import { eventually } from '../../../support/eventually.js';
import { but, type Case, type Cases, elsewhere, type Headers, just, type Made, type SceneOf } from '../case.js';
import { billedSecret, type World } from '../world.js';

const subscription = async (world: World) => {
  const body = { url: 'http://127.0.0.1:9/hook', secret: 'a secret of a hook', events: ['message.*'] };
  const { id } = await world.client.call(webhookRoutes.create, { params: { projectId: world.projectId }, body });
  return { projectId: world.projectId, id };
};
const one: SceneOf = async (world) => ({ params: await subscription(world) });
const delivery = async (world: World) => world.client.call(webhookRoutes.test, { params: await subscription(world) });
/** After its first attempt: without that, the answer depends on who was faster. */
const delivered: SceneOf = async (world) => {
  const { id } = await delivery(world);
  await eventually(async () => {
    const { attemptsCount } = await world.client.call(webhookEventRoutes.get, {
      params: { projectId: world.projectId, id },
    });
    if (attemptsCount === 0) throw new Error('There was no attempt yet.');
  });
  return { params: { id } };
};

/** Adds the fields that any authType needs. */
const authenticated = (made: Made): Made => ({
  ...made,
  apiKey: 'key',
  basicAuthUsername: 'name',
  basicAuthPassword: 'password',
  customHeaders: { 'X-Game': 'yes' },
});

const crowded: Case['refuses'] = {
  rate_limited: elsewhere('test/streams/stream-limits.test.ts', 'are so many for a credential (429)'),
  overloaded: elsewhere('test/streams/stream-limits.test.ts', 'and for a daemon (503)'),
  stream_ticket_invalid: elsewhere('test/streams/stream-tickets.test.ts', 'and only once'),
};
const heard = { types: 'message.*', resources: '', fields: 'type' };
const stream: Case = { works: () => ({ query: { since: '', ...heard } }), refuses: crowded };

const ticket: Case = {
  works: () => ({ body: (made) => ({ ...made, ...heard }) }),
  refuses: {
    rate_limited: elsewhere('test/streams/stream-tickets.test.ts', 'is one of 100 of a credential that wait'),
  },
};

const signedAt = (world: World, body: string): Headers => {
  const timestamp = world.inSeconds(0);
  return {
    'X-Project-Id': world.projectId,
    'X-Timestamp': timestamp,
    'X-Signature': sign(billedSecret, timestamp, body),
  };
};

export const webhookCases: Cases = {
  createWebhookSubscription: {
    works: () => ({ body: authenticated }),
    refuses: {
      webhook_subscription_limit: elsewhere(
        'test/webhooks/webhook-operations.test.ts',
        'are up to a hundred in a project',
      ),
      webhook_auth_incomplete: () => ({
        body: just({
          url: 'https://game.example/hook',
          secret: 'a secret of a hook',
          events: ['*'],
          authType: 'api_key',
        }),
      }),
    },
  },
  getWebhookSubscription: { works: one },
  updateWebhookSubscription: {
    works: async (world) => ({ ...(await one(world)), body: authenticated }),
    refuses: {
      webhook_auth_incomplete: () => ({ body: just({ authType: 'basic_auth' }) }),
      secret_needed_again: () => ({ body: just({ url: 'https://elsewhere.example/hook' }) }),
    },
  },
  deleteWebhookSubscription: { works: one },
  rotateWebhookSecret: { works: one },
  testWebhookSubscription: {
    works: one,
    refuses: {
      webhook_subscription_disabled: async (world) => {
        const params = await subscription(world);
        await world.client.call(webhookRoutes.update, { params, body: { enabled: false } });
        return { params };
      },
    },
  },
  replayWebhookEvents: {
    works: async (world) => ({
      ...(await one(world)),
      body: just({ since: '2026-01-01T00:00:00Z', until: world.inSeconds(0) }),
    }),
    refuses: { replay_range_invalid: () => ({ body: just({ since: randomUUID() }) }) },
  },
  getWebhookEvent: { works: delivered },
  resendWebhookEvent: { works: delivered },

  streamEvents: stream,
  streamProjectEvents: stream,
  createStreamTicket: ticket,
  createProjectStreamTicket: ticket,
  listEvents: { works: () => ({ query: { types: 'participant.*' } }) },
  traceEvent: { works: async (world) => ({ params: { id: (await delivery(world)).eventId } }) },
  ingestEvent: {
    works: async (world) => {
      const params = { projectId: world.projectId };
      world.bills({ status: 200, body: JSON.stringify({ secret: billedSecret }) });
      await world.client.call(settingsRoutes.syncSecret, { params });
      return { signed: (body) => signedAt(world, body), body: but({ type: 'match.ended' }) };
    },
    refuses: {
      signature_invalid: (world) => ({ signed: () => signedAt(world, 'another body') }),
      reserved_type: () => ({ body: but({ type: 'sanction.created' }) }),
      rate_limited: elsewhere('test/ingest/ingest-races.test.ts', 'rate_limited'),
    },
  },
};
