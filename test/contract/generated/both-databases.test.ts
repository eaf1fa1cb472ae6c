/**
 * The same calls to a daemon on SQLite and to one on PostgreSQL: to every operation, and with what the databases take in
 * different ways. Both answer the same, list in the same order, and tell of the same events.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpacked } from '../../../daemon/platform/events/packed.js';
import { gameplayRoutes } from '../../../src/contract/gameplay/gameplay.js';
import { leaderboardRoutes } from '../../../src/contract/gameplay/leaderboards.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import type { Route } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { valid } from '../../support/arbitrary.js';
import { inSqlite } from '../../support/database.js';
import { bent } from '../../support/hostile-values.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';
import { scale } from '../../support/scale.js';
import { cases } from './cases.js';
import { type Request, send } from './sending.js';
import { World } from './world.js';

/** Another one: `EARSHOT_FUZZ_SEED=7 npx vitest run test/contract/generated/both-databases.test.ts`. */
const seed = Number(process.env.EARSHOT_FUZZ_SEED ?? 20_260_101);
const each = scale(1, 60);
const patienceMs = scale(60_000, 900_000);

const safe = Number.MAX_SAFE_INTEGER;
const numbers = [0, -0, 1, -1, 0.5, -0.1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, safe, -safe, 2 ** 53, 2 ** 63, 1e300];
const times = ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '2100-02-28T12:00:00Z', '9999-12-31T23:59:59.999Z'];
const ids = [
  ...['CORP\\anna', 'say "hi"', '100%', 'a_b', "o'neil", 'é', 'e\u0301', 'E', 'e', '\u{1f600}', 'аnn', 'ann', 'Ann'],
  ...['ann ', 'a:b', 'lobby', 'active', '\u00df', 'SS', 'ı', 'I', '٣', '3', 'z', 'Z', '-', '~', 'x'.repeat(200)],
];
const texts = [...ids, '', ' ', 'x'.repeat(500), '%', '_', '\\', '%%', '[a]', '*', 'a*', '"', "''", 'né', 'NE'];
const edge: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...numbers),
  fc.constantFrom(...times),
  fc.constantFrom(...texts),
  fc.constantFrom(null, true, [], {}),
);

/** Answers that speak of the database itself, or count what a bot tells at its own time. */
const others = new Set(['startBackup', 'getInstallation', 'getLiveFigures', 'rebuildModerationStats']);
/** Goes last: scenes of the others need usual settings. */
const changesSettings = ({ method, path }: Route): boolean => method !== 'get' && /settings|categories/.test(path);
/** Parts of a path that the game chooses. */
const chosen = /^(user|userId|externalUserId|teamId|roomId|memberId|blockedUserId)$/;
/** Fields whose texts are made at random, or differ by the address of the daemon. */
const random =
  /topic|token|key|secret|password|cursor|next|url|signature|hash|code|port|network|complete|size|bytes|ms$|latency|position/i;

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

function requestsTo({ params, query, body }: Route): fc.Arbitrary<Request> {
  const names = Object.keys(params?.shape ?? {}).filter((name) => chosen.test(name));
  const part = (made: fc.Arbitrary<unknown>) => fc.oneof(made, bent(made, edge), bent(made, edge));
  const nothing = fc.constant<unknown>(undefined);
  return fc.record({
    params: fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...ids)]))),
    query: (query === undefined ? nothing : part(valid(query))).map((made) => {
      const { after: _, ...rest } = object(made);
      return rest;
    }),
    body: body === undefined ? nothing : part(valid(body)),
  });
}

/** The value with its ids numbered as they come, and without what no two daemons have in common. */
function comparable(value: unknown, numbered = new Map<string, string>(), name = ''): unknown {
  if (typeof value === 'string') {
    if ((random.test(name) && value.length > 5) || /^[A-Z\d]{8}$/.test(value)) return 'random';
    if (/^20[23]\d-\d\d-\d\dT/.test(value) && !times.includes(value)) return 'a time of now';
    return value
      .replaceAll(/127\.0\.0\.1:\d+/g, 'here')
      .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi, (id) => {
        const known = numbered.get(id) ?? `#${numbered.size}`;
        numbered.set(id, known);
        return known;
      });
  }
  if (typeof value === 'number' && random.test(name)) return 'a number';
  if (Array.isArray(value)) return value.map((one) => comparable(one, numbered, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, comparable(one, numbered, key)]));
}

/** What one value has otherwise than the other, a line for each place. */
function differences(one: unknown, other: unknown, way = ''): string[] {
  if (Object(one) !== one || Object(other) !== other)
    return JSON.stringify(one) === JSON.stringify(other)
      ? []
      : [`${way}: ${JSON.stringify(one)} on SQLite, ${JSON.stringify(other)} on PostgreSQL`];
  const names = new Set([...Object.keys(Object(one)), ...Object.keys(Object(other))]);
  return [...names].flatMap((name) =>
    differences(Reflect.get(Object(one), name), Reflect.get(Object(other), name), `${way}.${name}`),
  );
}

async function answerOf(response: Response): Promise<unknown> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status };
  }
  const text = await response.text();
  try {
    return { status: response.status, body: comparable(JSON.parse(text)) };
  } catch {
    return { status: response.status, text: text.length };
  }
}

describe.skipIf(!hasPostgresql)('SQLite and PostgreSQL', () => {
  let server: PostgresqlServer;
  let worlds: readonly [World, World];
  const onBoth = <T>(work: (world: World) => Promise<T>): Promise<T[]> => Promise.all(worlds.map(work));

  beforeAll(async () => {
    server = await startPostgresql();
    const time = new Date();
    worlds = [await World.make(inSqlite.DATABASE_URL, time), await World.make(server.url, time)];
    await onBoth(populate);
  }, 120_000);
  afterAll(async () => {
    await onBoth((world) => world.stop());
    await server.stop();
  });

  /** People, scores, words and sanctions with every id, so that lists and searches have something to order. */
  async function populate(world: World): Promise<void> {
    const { client, projectId } = world;
    const params = { projectId };
    for (const sortOrder of ['asc', 'desc'] as const)
      await client.call(leaderboardRoutes.create, {
        params,
        body: { name: sortOrder, eventName: 'earn-points', sortOrder },
      });
    const room = { title: 'Hall', externalRoomId: 'hall', autoStart: false };
    const { id } = await client.call(sessionRoutes.create, { params, body: room });
    for (const [index, externalUserId] of ids.entries()) {
      world.pass(1);
      await client.call(participantRoutes.create, { params, body: { externalUserId, displayName: externalUserId } });
      await client.call(sessionRoutes.say, {
        params: { ...params, id },
        body: { externalUserId, content: externalUserId },
      });
      await client.call(sanctionRoutes.create, {
        params,
        body: { externalUserId, type: 'warn', reason: externalUserId },
      });
      const meta_data = { amount: [3, 1, 2][index % 3] ?? 0 };
      const event = { user_id: externalUserId, event_name: 'earn-points', event_type: 'single', meta_data } as const;
      await client.call(gameplayRoutes.sendEvent, { body: event });
    }
  }

  // First, as the scenes of the operations have random names.
  it.each(texts)(
    'find and order the same for %j',
    async (text) => {
      // Projects and keys of the scenes have random names.
      const named = new Set(['listProjects', 'listApiKeys', 'listProjectApiKeys']);
      const searched = allRoutes.filter(
        ({ operationId, method, query }) => method === 'get' && query !== undefined && !named.has(operationId),
      );
      const differing: string[] = [];
      for (const route of searched) {
        const names = Object.keys(object(Reflect.get(Object(route.query), 'shape'))).filter((name) =>
          /^(search|q|query|text|user|externalUserId|name|title)$/.test(name),
        );
        for (const name of names) {
          const [sqlite, postgresql] = await onBoth(async (world) =>
            answerOf(await send(route, world, {}, { query: { [name]: text } })),
          );
          for (const found of differences(sqlite, postgresql)) differing.push(`${route.operationId} ${name}${found}`);
        }
      }
      expect(differing).toEqual([]);
    },
    patienceMs,
  );

  it('told of the same events', async () => {
    // The bot tells of its states when it has changed them.
    const kinds = ['participant.created', 'sanction.created', 'message.created', 'leaderboard.changed'];
    const told = await onBoth(async (world) => {
      const lines: string[] = [];
      await world.rows(async (tx) => {
        const where = { projectId: world.projectId, type: { in: kinds } };
        for (const { type, payload } of await tx.domainEvent.findMany({ where, orderBy: { position: 'asc' } }))
          lines.push(`${type} ${JSON.stringify(comparable(JSON.parse(unpacked(payload)).data))}`);
      });
      return lines;
    });
    expect(differences(told[0], told[1])).toEqual([]);
  });

  it.each(
    allRoutes
      .filter(({ operationId }) => !others.has(operationId))
      .toSorted((one, other) => Number(changesSettings(one)) - Number(changesSettings(other)))
      .map((route) => [route.operationId, route] as const),
  )(
    'answer %s alike',
    async (operationId, route) => {
      const differing: string[] = [];
      for (const request of fc.sample(requestsTo(route), { numRuns: each, seed })) {
        const answers = await onBoth(async (world) => {
          world.pass(1);
          const { query, body, ...scene } = (await cases[operationId]?.works?.(world)) ?? {};
          const params = { ...scene.params, ...(request.params as Record<string, string> | undefined) };
          return answerOf(await send(route, world, { ...scene, params }, request));
        });
        const [sqlite, postgresql] = answers;
        const found = differences(sqlite, postgresql);
        if (found.length > 0) differing.push(`${JSON.stringify(request)}: ${found.join('; ')}`);
      }
      expect(differing).toEqual([]);
    },
    patienceMs,
  );
});
