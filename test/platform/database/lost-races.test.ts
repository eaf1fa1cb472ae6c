/** Two who change or delete the same thing at once on PostgreSQL: each is told what became of it, and nobody an error. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeliveryQueue } from '../../../daemon/modules/webhooks/delivery/queue-store.js';
import { Database } from '../../../daemon/platform/database/database.js';
import { systemClock } from '../../../daemon/platform/time/clock.js';
import { ApiError } from '../../../src/client/errors.js';
import { challengeCategoryRoutes } from '../../../src/contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../../src/contract/gameplay/challenges.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { settingsRoutes } from '../../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';
import { scale } from '../../support/scale.js';

const rounds = scale(2, 100);
/** So long the other one has to come first, if it can. */
const aheadMs = 500;
const patienceMs = scale(90_000, 600_000);

interface Contested {
  readonly what: string;
  /** Makes one; resolves to its id. */
  make(round: number): Promise<string>;
  readonly changes: readonly ((id: string) => Promise<unknown>)[];
  remove(id: string): Promise<unknown>;
  get(id: string): Promise<unknown>;
}

const statusOf = async (work: Promise<unknown>): Promise<number> => {
  try {
    await work;
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
};

describe.skipIf(!hasPostgresql)('at the same moment, on PostgreSQL', { timeout: patienceMs }, () => {
  let server: PostgresqlServer;
  let daemon: TestDaemon;
  beforeAll(async () => {
    server = await startPostgresql();
    daemon = await startDaemon({ settings: { DATABASE_URL: server.url } });
  });
  afterAll(async () => {
    await daemon.stop();
    await server.stop();
  });

  const project = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ ...project(), id });
  const client = () => daemon.client;
  const settings = { tokenProvider: 'embedded', tokenProviderSettings: {} } as const;

  const contested: readonly Contested[] = [
    {
      what: 'a participant',
      make: async (round) =>
        (await client().call(participantRoutes.create, { params: project(), body: { externalUserId: `u${round}` } }))
          .id,
      changes: [
        (id) => client().call(participantRoutes.update, { params: item(id), body: { displayName: 'Renamed' } }),
      ],
      remove: (id) => client().call(participantRoutes.remove, { params: item(id) }),
      get: (id) => client().call(participantRoutes.get, { params: item(id) }),
    },
    {
      what: 'a session',
      make: async (round) =>
        (
          await client().call(sessionRoutes.create, {
            params: project(),
            body: { title: 'Race', externalRoomId: `room-${round}`, autoStart: false },
          })
        ).id,
      changes: [
        (id) => client().call(sessionRoutes.stop, { params: item(id) }),
        (id) =>
          client().call(sessionRoutes.say, { params: item(id), body: { externalUserId: 'speaker', content: 'hello' } }),
      ],
      remove: (id) => client().call(sessionRoutes.remove, { params: item(id) }),
      get: (id) => client().call(sessionRoutes.get, { params: item(id) }),
    },
    {
      what: 'a webhook subscription',
      make: async () =>
        (
          await client().call(webhookRoutes.create, {
            params: project(),
            body: { url: 'https://example.com/', secret: 'long enough', events: ['server.*'] },
          })
        ).id,
      changes: [(id) => client().call(webhookRoutes.update, { params: item(id), body: { description: 'changed' } })],
      remove: (id) => client().call(webhookRoutes.remove, { params: item(id) }),
      get: (id) => client().call(webhookRoutes.get, { params: item(id) }),
    },
    {
      what: 'a challenge category',
      make: async (round) =>
        (
          await client().call(challengeCategoryRoutes.create, {
            params: project(),
            body: { name: { en: 'Race' }, slug: `race-${round}` },
          })
        ).id,
      changes: [(id) => client().call(challengeCategoryRoutes.update, { params: item(id), body: { position: 2 } })],
      remove: (id) => client().call(challengeCategoryRoutes.delete, { params: item(id) }),
      get: (id) => client().call(challengeCategoryRoutes.get, { params: item(id) }),
    },
    {
      what: 'a challenge',
      make: async () =>
        (
          await client().call(challengeRoutes.create, {
            params: project(),
            body: { name: 'Race', eventName: 'kill-enemy', goal: 3 },
          })
        ).id,
      changes: [(id) => client().call(challengeRoutes.update, { params: item(id), body: { goal: 5 } })],
      remove: (id) => client().call(challengeRoutes.delete, { params: item(id) }),
      get: (id) => client().call(challengeRoutes.get, { params: item(id) }),
    },
    {
      what: 'the settings',
      make: async () => (await client().call(settingsRoutes.put, { params: project(), body: settings })).id,
      changes: [
        () => client().call(settingsRoutes.update, { params: project(), body: { botUserId: 'bot' } }),
        () => client().call(settingsRoutes.debugAudio, { params: project(), body: { enabled: true } }),
        () => client().call(settingsRoutes.revokeSecret, { params: project() }),
      ],
      remove: () => client().call(settingsRoutes.remove, { params: project() }),
      get: () => client().call(settingsRoutes.get, { params: project() }),
    },
  ];

  it.each(contested)('$what is changed or found gone, and stays deleted', async ({ make, changes, remove, get }) => {
    for (let round = 0; round < rounds; round += 1) {
      const id = await make(round);
      const answers = await Promise.all(
        [...changes, remove, ...changes, remove, ...changes].map((work) => statusOf(work(id))),
      );
      expect(answers.filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
      expect(await statusOf(get(id))).toBe(404);
    }
  });

  it('two changes of other fields are both kept', async () => {
    const body = { url: 'https://example.com/', secret: 'long enough', events: ['server.*'] };
    const { id: hookId } = await client().call(webhookRoutes.create, { params: project(), body });
    const person = { params: project(), body: { externalUserId: 'changed by two' } };
    const { id } = await client().call(participantRoutes.create, person);
    for (let round = 0; round < 10 * rounds; round += 1) {
      const name = `name ${round}`;
      await Promise.all([
        client().call(participantRoutes.update, { params: item(id), body: { displayName: name } }),
        client().call(participantRoutes.update, { params: item(id), body: { userData: { name } } }),
        client().call(webhookRoutes.update, {
          params: item(hookId),
          body: { authType: 'api_key', apiKey: 'a key', apiKeyHeader: `X-${round}` },
        }),
        client().call(webhookRoutes.update, { params: item(hookId), body: { description: name } }),
      ]);
      expect(await client().call(participantRoutes.get, { params: item(id) })).toMatchObject({
        displayName: name,
        userData: { name },
      });
      expect(await client().call(webhookRoutes.get, { params: item(hookId) })).toMatchObject({
        apiKeyHeader: `X-${round}`,
        description: name,
      });
    }
  });

  it('settings are set for the first time by everybody', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const put = () => client().call(settingsRoutes.put, { params: project(), body: settings });
      expect(await Promise.all(Array.from({ length: 4 }, () => statusOf(put())))).toEqual([200, 200, 200, 200]);
      await client().call(settingsRoutes.remove, { params: project() });
    }
  });

  it('an attempt is recorded before its subscription goes', async () => {
    const database = await Database.connect(server.url);
    const queue = new DeliveryQueue(database, 'this test');
    const body = { url: 'https://example.com/', secret: 'long enough', events: ['participant.created'] };
    const { id } = await client().call(webhookRoutes.create, { params: project(), body });
    await client().call(webhookRoutes.update, { params: item(id), body: { enabled: false } }); // nobody else claims it
    await client().call(participantRoutes.create, { params: project(), body: { externalUserId: 'told' } });
    const waiting = await database.read.webhookEvent.findMany({ where: { subscriptionId: id }, select: { id: true } });
    const ids = waiting.map((row) => row.id);
    const now = systemClock();
    const [claimed] = await queue.claim(
      ids.map((one) => ({ id: one, suspect: false })),
      now,
    );
    if (claimed === undefined) throw new Error('nothing was claimed');
    const attempt = { id: randomUUID(), webhookEventId: claimed.id, attempt: 1, startedAt: now, durationMs: 1 };
    const outcome = { statusCode: 200, error: null, responseSnippet: null };
    let removal: Promise<number> | null = null;
    await database.transaction(async (tx) => {
      expect([...(await queue.mine(tx, ids)).keys()]).toEqual(ids);
      removal = statusOf(client().call(webhookRoutes.remove, { params: item(id) }));
      await Promise.race([removal, sleep(aheadMs)]);
      const delivered = { ...claimed, status: 'delivered', nextAttemptAt: null, finishedAt: now };
      await queue.finish(tx, [{ ...attempt, ...outcome }], [delivered]);
    });
    expect(await removal).toBe(200);
    expect(await database.read.webhookAttempt.count({ where: { webhookEventId: claimed.id } })).toBe(0);
    await database.close();
  });
});
