/** Every operation refuses invalid bodies, and idempotency keys of another request, in the same way. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyLimitBytesDefault } from '../../../daemon/platform/http/bodies/bodies.js';
import type { ErrorCode } from '../../../src/contract/error-catalogue.js';
import { ErrorBody } from '../../../src/contract/errors.js';
import { errorsOf } from '../../../src/contract/openapi.js';
import type { Route } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';
import type { Headers, Made, Scene } from './case.js';
import { cases } from './cases.js';
import { madeUp, nextCredential, send } from './sending.js';
import { World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await World.make();
});
afterAll(() => world.stop());

const bodies: Readonly<Partial<Record<ErrorCode, (route: Route) => Scene>>> = {
  malformed_json: () => ({ raw: '{' }),
  text_not_allowed: () => ({ raw: '{"text":"\\u0000"}' }),
  validation_failed: () => ({ raw: 'true' }),
  unsupported_media_type: () => ({ raw: '{}', headers: { 'Content-Type': 'text/plain' } }),
  body_too_large: ({ bodyLimitBytes = bodyLimitBytesDefault }) => ({ raw: ' '.repeat(bodyLimitBytes + 1) }),
};

async function codeOf(response: Response): Promise<string> {
  if (response.ok) return String(response.status);
  return ErrorBody.parse(await response.json()).code;
}

const withBody = allRoutes.filter(({ body }) => body !== undefined);
describe.each(withBody.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  it('refuses what is no body of it', async () => {
    // Who signs must sign what is sent, a room token is for one room, and some headers have to be there; everybody else is
    // known by what is usual.
    const hasHeaders = Object.values(route.headers?.shape ?? {}).some((one) => !one.safeParse(undefined).success);
    const isOwn = hasHeaders || route.auth.includes('signature') || route.auth.includes('roomToken');
    const { signed, headers, params = {} } = isOwn ? await works(operationId) : {};
    const met = await Promise.all(
      Object.entries(bodies).map(async ([code, bent]) => {
        const scene = { params, ...(signed === undefined ? {} : { signed }), ...bent(route) };
        const response = await send(route, world, { ...scene, headers: { ...headers, ...scene.headers } }, {});
        return [code, await codeOf(response)];
      }),
    );
    expect(Object.fromEntries(met)).toEqual(Object.fromEntries(Object.keys(bodies).map((code) => [code, code])));
    expect(errorsOf(route)).toEqual(expect.arrayContaining(Object.keys(bodies)));
  });
});

const object = (value: unknown): Made => (typeof value === 'object' && value !== null ? (value as Made) : {});
const read = (text: string): unknown => (text === '' ? null : JSON.parse(text));

const works = async (operationId: string): Promise<Scene> => (await cases[operationId]?.works?.(world)) ?? {};
const posts = allRoutes.filter(({ method }) => method === 'post');
const kept = posts.filter(({ idempotencyKey }) => idempotencyKey === undefined);
describe.each(kept.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  it('answers an Idempotency-Key as before, with the next credential too, and refuses it with another body', async () => {
    const scene = await works(operationId);
    const { body: bodyOf = (made: Made): unknown => made, raw: written } = scene;
    const body = route.body === undefined ? undefined : JSON.stringify(bodyOf({ ...object(madeUp(route).body) }));
    const raw = written ?? body ?? '';
    const key = { 'Idempotency-Key': randomUUID() };
    const ask = (text: string, headers: Headers = {}) =>
      send(route, world, { ...scene, headers: { ...scene.headers, ...headers, ...key }, raw: text }, madeUp(route));
    const first = await ask(raw);
    const answered = await first.text();
    expect(String(first.status), answered).toBe(String(route.success.status));
    const again = await ask(raw, await nextCredential(route, world, scene));
    expect([again.status, read(await again.text())]).toEqual([first.status, read(answered)]);
    const second = await ask(`${raw} `);
    expect(await codeOf(second)).toBe('idempotency_mismatch');
  });
});

const refused = posts.filter(({ idempotencyKey }) => idempotencyKey === false);
describe.each(refused.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  it('refuses an Idempotency-Key, each time', async () => {
    const scene = await works(operationId);
    const headers = { ...scene.headers, 'Idempotency-Key': randomUUID() };
    for (const _ of [1, 2]) {
      const response = await send(route, world, { ...scene, headers }, madeUp(route));
      expect(await codeOf(response)).toBe('idempotency_key_refused');
    }
    expect(errorsOf(route)).toContain('idempotency_key_refused');
  });
});

/** Each event keeps the key: the suite of their keys is test/game-events/event-keys.test.ts. */
it('is kept with each event by the operations on game events alone', () => {
  const each = posts.filter(({ idempotencyKey }) => idempotencyKey === 'each').map(({ operationId }) => operationId);
  expect(each.sort()).toEqual(['importGameEvents', 'sendEvent', 'sendEvents', 'sendPlayerEvent']);
});
