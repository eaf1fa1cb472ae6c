/** Made-up requests for every operation: whatever comes, the answer is one that the contract documents. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody, type ErrorCode } from '../../src/contract/errors.js';
import { errorsOf } from '../../src/contract/openapi.js';
import { playerRoutes } from '../../src/contract/players.js';
import type { Route } from '../../src/contract/route.js';
import { allRoutes } from '../../src/contract/routes.js';
import { close, valid } from '../support/arbitrary.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { scale } from '../support/scale.js';

const seed = 20_260_101;
const patienceMs = scale(60_000, 600_000);
let daemon: TestDaemon;
let player: string;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_RATE_LIMIT_ADDRESS: '0' } });
  const params = { projectId: daemon.projectId, userId: 'player' };
  player = (await daemon.client.call(playerRoutes.createToken, { params })).token;
});
afterAll(() => daemon.stop());

/** These end the login that the others are made with. */
const endsLogin = new Set(['logout', 'refreshToken']);
const operations = allRoutes.filter(
  ({ operationId, success }) => !endsLogin.has(operationId) && success.contentType !== 'text/event-stream',
);

/** What opens the operation; a key rather than a login, which nothing made up can end. */
function credentialFor({ auth }: Route): Record<string, string> {
  if (auth.includes('apiKey')) return { 'X-API-Key': daemon.apiKey };
  if (auth.includes('playerToken')) return { Authorization: `Bearer ${player}` };
  const { credential } = daemon.admin;
  return auth.includes('bearer') && credential?.kind === 'bearer'
    ? { Authorization: `Bearer ${credential.token}` }
    : {};
}

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const segment = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }));
const requestFor = (route: Route): fc.Arbitrary<Request> =>
  fc.record({
    params: fc.record(Object.fromEntries(Object.keys(route.params?.shape ?? {}).map((name) => [name, segment]))),
    query: (route.query === undefined ? fc.constant({}) : fc.oneof(valid(route.query), close(route.query))).map(
      (query) => (typeof query === 'object' && query !== null && !Array.isArray(query) ? { ...query } : {}),
    ),
    body: route.body === undefined ? fc.constant(undefined) : fc.oneof(valid(route.body), close(route.body)),
  });

async function send(route: Route, { params, query, body }: Request): Promise<Response> {
  const place: Record<string, string> = { ...params, projectId: daemon.projectId, appId: daemon.projectId };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(place[name] ?? 'x'));
  const url = new URL(daemon.url + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return fetch(url, {
    method: route.method.toUpperCase(),
    headers: { ...credentialFor(route), 'Content-Type': 'application/json' },
    ...(body === undefined || route.method === 'get' ? {} : { body: JSON.stringify(body) }),
  });
}

describe.each(operations.map((route) => [route.operationId, route] as const))('%s', (_, route) => {
  const documented = new Set<string>(errorsOf(route));

  it(
    'answers what the contract documents, whatever is asked',
    async () => {
      await fc.assert(
        fc.asyncProperty(requestFor(route), async (request) => {
          const response = await send(route, request);
          const answer = await response.text();
          if (response.status < 400) {
            expect(response.status).toBe(route.success.status);
            if (route.success.body !== undefined) route.success.body.parse(JSON.parse(answer));
            return;
          }
          const { code, statusCode } = ErrorBody.parse(JSON.parse(answer));
          expect(statusCode).toBe(response.status);
          expect(documented).toContain(code satisfies string as ErrorCode);
          expect(code).not.toBe('internal');
        }),
        { numRuns: scale(4, 200), seed, endOnFailure: true },
      );
    },
    patienceMs,
  );
});
