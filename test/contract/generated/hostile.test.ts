/**
 * Requests to every operation with every kind of credential: valid, nearly valid, and hostile in every part. Whatever comes,
 * the answer is one that the contract documents, no refusal is an `internal` error, and none takes long.
 */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsRoutes } from '../../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import type { Route } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { sign } from '../../../src/signing/signing.js';
import { close, valid } from '../../support/arbitrary.js';
import { bent, hostileText } from '../../support/hostile-values.js';
import { scale, torture } from '../../support/scale.js';
import { assemble, type Cast, type Headers } from '../authorisation/cast.js';
import { documentedRefusal } from './answers.js';
import { apiKey, bearer } from './case.js';
import { sendAsWritten } from './send-as-written.js';

const seed = Number(process.env.EARSHOT_FUZZ_SEED ?? 20_260_101);
const each = scale(2, 150);
const patienceMs = scale(60_000, 600_000);
/** Nothing that is answered at all takes longer, whatever the machine does besides. */
const answerMaxMs = 20_000;
const p95MaxMs = 500;

let cast: Cast;
let room: { readonly token: string; readonly observer: string };
let secret: string;
/** Time of the signature, by the daemon's stopped clock. */
let signedAt: string;
const roomId = 'arena';
beforeAll(async () => {
  cast = await assemble({ EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_LOG_LEVEL: 'fatal' });
  const { admin, client } = cast.daemon;
  const params = { projectId: cast.projectId };
  await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
  const body = { roomId, userId: 'referee', permissions: { moderate: true } };
  const { token } = await admin.call(tokenRoutes.generateForProject, { params, body });
  const { token: observer } = await admin.call(tokenRoutes.generateForProject, {
    params,
    body: { roomId, userId: 'eve' },
  });
  room = { token, observer };
  await client.call(settingsRoutes.syncSecret, { params });
  ({ secret } = await client.call(settingsRoutes.secret, { params }));
  signedAt = cast.now().toISOString();
}, 120_000);
afterAll(() => cast.daemon.stop());

/** Credentials with which a request may succeed. */
const strong = {
  owner: () => bearer(cast.members.owner),
  administrator: () => bearer(cast.admin),
  'key with the scope': ({ scope }: Route) => apiKey(cast.keyWith(scope ?? 'sessions')),
  player: () => bearer(cast.player),
  'moderator of a room': () => bearer(room.token),
  'a right signature': (_: Route, content: Buffer) => ({
    'X-Project-Id': cast.projectId,
    'X-Timestamp': signedAt,
    'X-Signature': sign(secret, signedAt, content),
  }),
} as const;
const weak = {
  nobody: () => ({}),
  'key without the scope': ({ scope }: Route) => apiKey(cast.keyWithout(scope ?? 'sessions')),
  'key of another tenant': () => apiKey(cast.otherTenantKey),
  'key of another project': () => apiKey(cast.otherProjectKey),
  'expired key': () => apiKey(cast.expiredKey),
  'revoked key': () => apiKey(cast.revokedKey),
  'ended login': () => bearer(cast.endedLogin),
  viewer: () => bearer(cast.members.viewer),
  'no token at all': () => bearer('\u00e9'.repeat(300)),
  'two credentials': () => ({ ...bearer(cast.members.viewer), ...apiKey(cast.otherTenantKey) }),
  'somebody in a room': () => bearer(room.observer),
  'a spelling of a room token': () => bearer(`${room.token.slice(0, -1)}${room.token.endsWith('A') ? 'B' : 'A'}`),
  'a wrong signature': () => ({
    ...{ 'X-Project-Id': cast.projectId, 'X-Timestamp': signedAt, 'X-Signature': 'ab'.repeat(32) },
  }),
  'a signature of no time': (_: Route, content: Buffer) => ({
    ...{ 'X-Project-Id': cast.projectId, 'X-Timestamp': 'never', 'X-Signature': sign(secret, 'never', content) },
  }),
} as const;
type Holder = keyof typeof strong | keyof typeof weak;
const credentialOf = (route: Route, holder: Holder, content: Buffer): Headers =>
  ({ ...strong, ...weak })[holder](route, content);
/** A success would end what the other requests need. */
const ending = new Set(['deleteProject', 'logout', 'refreshToken']);
const holdersOf = ({ operationId }: Route): Holder[] => {
  const unable = Object.keys(weak) as Holder[];
  return ending.has(operationId) ? unable : [...unable, ...(Object.keys(strong) as Holder[])];
};

const deepList = '['.repeat(5_000) + ']'.repeat(5_000);

interface Hostile {
  readonly holder: Holder;
  /** null: the project of the cast, and `unknown` for other parts of the path. */
  readonly params: Readonly<Record<string, string>> | null;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: { readonly json: unknown } | { readonly raw: string };
  readonly type: string;
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** As a part of a path: no path has an empty one. */
const dots = ['.', '..', '...', '%2e', '%2E%2e'] as const;
const inPath = fc.oneof(
  { weight: 6, arbitrary: hostileText.map((text) => encodeURIComponent(text.slice(0, 2_000).toWellFormed()) || 'x') },
  { weight: 1, arbitrary: fc.constantFrom(...dots) },
);

function requestsTo({ params, query, body, ...route }: Route): fc.Arbitrary<Hostile> {
  const names = Object.keys(params?.shape ?? {});
  const nothing = fc.constant<unknown>({});
  const queries = query === undefined ? nothing : fc.oneof(valid(query), close(query), bent(valid(query)));
  const bodies = body === undefined ? nothing : fc.oneof(valid(body), close(body), bent(valid(body)));
  return fc.record<Hostile>({
    holder: fc.constantFrom(...holdersOf(allRoutes.find((one) => one.operationId === route.operationId) as Route)),
    params: fc.option(fc.record(Object.fromEntries(names.map((name) => [name, inPath]))), { freq: 2 }),
    query: queries.map(object),
    body: fc.oneof(
      { weight: 8, arbitrary: fc.record({ json: bodies }) },
      {
        weight: 1,
        arbitrary: fc.record({
          raw: fc.constantFrom('', '{', '[[[[', '{"a":1,"a":2}', deepList, '\ufeff{}', '"\\ud800"'),
        }),
      },
    ),
    type: fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data', ''),
      },
    ),
  });
}

const took: number[] = [];

async function send(route: Route, { holder, params, query, body, type }: Hostile): Promise<Response> {
  const place: Record<string, string> = { projectId: cast.projectId, appId: cast.projectId, roomId, ...params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => place[name] ?? 'unknown');
  const url = new URL(cast.daemon.url);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined)
      url.searchParams.append(name, String(typeof value === 'object' ? JSON.stringify(value) : value).slice(0, 5_000));
  const content =
    route.method === 'get' ? null : Buffer.from('raw' in body ? body.raw : (JSON.stringify(body.json) ?? ''));
  const headers = {
    'Content-Type': type,
    ...(route.projectIn === 'gameplay' ? { 'X-Project-Id': cast.projectId } : {}),
  };
  const began = performance.now();
  const response = await sendAsWritten(cast.daemon.url, {
    method: route.method.toUpperCase(),
    path: path + url.search,
    headers: { ...headers, ...credentialOf(route, holder, content ?? Buffer.alloc(0)) },
    body: content,
    timeoutMs: answerMaxMs,
  });
  took.push(performance.now() - began);
  return response;
}

const statuses = new Map<number, number>();

describe.each(allRoutes.map((route) => [route.operationId, route] as const))('%s', (_, route) => {
  it(
    'answers as documented, whoever asks whatever',
    async () => {
      await fc.assert(
        fc.asyncProperty(requestsTo(route), async (request) => {
          const response = await send(route, request);
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          await documentedRefusal(route, response);
        }),
        { numRuns: each, seed, endOnFailure: true },
      );
    },
    patienceMs,
  );
});

describe('all of these requests', () => {
  it('left the daemon serving, and none took long', async () => {
    expect((await fetch(`${cast.daemon.url}/health/ready`)).status).toBe(200);
    const sorted = took.toSorted((one, other) => one - other);
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    const told = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status} ${count}`);
    console.info(
      `${took.length} requests: p95 ${p95.toFixed(0)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms; ${told.join(', ')}`,
    );
    expect(took.length).toBeGreaterThanOrEqual(allRoutes.length * each);
    if (torture) expect(p95).toBeLessThan(p95MaxMs);
  });
});
