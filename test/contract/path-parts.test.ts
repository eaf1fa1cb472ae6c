/**
 * Every id and name in a path, of every operation: HTTP clients fold `.` and `..` out of a path before it is sent, and the
 * request reaches what stands above. So they are refused, our clients do not send them, and no write answers at the path that
 * is left.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PathFinder } from '../../daemon/platform/http/path-finder.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { InvalidPathPart } from '../../src/client/errors.js';
import { unblock } from '../../src/client/room/block.js';
import { ErrorBody } from '../../src/contract/errors.js';
import type { Route } from '../../src/contract/route.js';
import { allRoutes, routes } from '../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { sendAsWritten } from './generated/send-as-written.js';

const folded = ['.', '..', '%2e', '%2E%2e', '.%2E'];
const inPath = allRoutes.flatMap((route) =>
  [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [route.operationId, name, route] as const),
);

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_RATE_LIMIT_ADDRESS: '0' } });
});
afterAll(() => daemon.stop());

const pathWith = ({ path }: Route, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x');

const writes = new Map<string, PathFinder<Route>>();
for (const route of allRoutes.filter(({ method }) => method !== 'get')) {
  const paths = writes.get(route.method) ?? new PathFinder<Route>();
  writes.set(route.method, paths);
  paths.set(route.path, route);
}

describe.each(inPath)('%s, {%s}', (_, name, route) => {
  it('takes neither, and the client does not ask with them', async () => {
    const sent: URL[] = [];
    const transport = (url: URL): never => {
      sent.push(url);
      throw new Error('sent');
    };
    const client = new EarshotClient({ baseUrl: 'http://127.0.0.1:1', transport });
    const others = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, other = '']) => [other, 'x']));
    for (const text of folded)
      expect(route.params?.shape[name]?.safeParse(text), text).toMatchObject({ success: false });
    for (const value of [...folded, '', undefined])
      await expect(client.call(route, { params: { ...others, [name]: value } } as never)).rejects.toThrow(
        InvalidPathPart,
      );
    expect(sent).toEqual([]);
  });
});

/** Ids that callers choose; all others are made by the daemon. */
const chosen = new Set(['user', 'userId', 'externalUserId', 'blockedUserId', 'memberId', 'roomId', 'name', 'slug']);

it('leaves no other write where a name is folded away', () => {
  const reached: Record<string, string> = {};
  for (const [operationId, name, route] of inPath.filter(([, one]) => chosen.has(one)))
    for (const text of ['.', '..']) {
      const left = new URL(`http://daemon${pathWith(route, { [name]: text })}`).pathname;
      const found = left.endsWith('/') ? null : writes.get(route.method)?.find(left);
      if (found) reached[operationId] = found.entry.operationId;
    }
  // It makes nothing without a body, which the other one has not.
  expect(reached).toEqual({ createPlayerToken: 'generateProjectToken' });
});

const writing = allRoutes.filter(({ method }) => method !== 'get');
it.each(writing.map((route) => [route.operationId, route] as const))(
  '%s does not answer behind a trailing slash',
  async (_, route) => {
    const response = await sendAsWritten(daemon.url, {
      method: route.method.toUpperCase(),
      path: `${pathWith(route, { projectId: daemon.projectId, appId: daemon.projectId })}/`,
      headers: { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey, 'X-Project-Id': daemon.projectId },
      body: Buffer.from('{}'),
      timeoutMs: 10_000,
    });
    expect(response.status).toBe(404);
    expect(ErrorBody.parse(await response.json())).toMatchObject({
      code: 'route_not_found',
      message: expect.stringContaining('without the slash at its end'),
    });
  },
);

describe('what stands above', () => {
  it('is still there when a person, a blocker or a member of that name is to go', async () => {
    const { projectId, admin } = daemon;
    const place = `${daemon.url}/api/projects/${projectId}`;
    const remove = (path: string) => fetch(`${place}/${path}`, { method: 'DELETE', headers: bearerOf(admin) });
    for (const path of ['people/..', 'people/%2e%2e', 'people/u/blocks/..', 'leaderboards/b/members/user/..'])
      expect((await remove(path)).status).toBe(404);
    const projects = await admin.call(routes.projects.list, {});
    expect(projects.map(({ id }) => id)).toContain(projectId);
  });

  it.each(folded)('makes no person, room or team called %s', async (text) => {
    const { client, projectId } = daemon;
    const params = { projectId };
    const refused = { status: 400, code: 'validation_failed' };
    const calls = [
      client.call(routes.participants.create, { params, body: { externalUserId: text } }),
      client.call(routes.tokens.generateForProject, { params, body: { roomId: 'arena', userId: text } }),
      client.call(routes.tokens.generateForProject, { params, body: { roomId: text, userId: 'u' } }),
      client.call(routes.sessions.create, { params, body: { title: 'x', externalRoomId: text } }),
      client.call(routes.gatherings.create, { params, body: { name: 'x', roomId: text } }),
      client.call(routes.blocks.create, { params: { ...params, user: 'u' }, body: { blockedUserId: text } }),
      client.call(routes.sanctions.create, { params, body: { type: 'warn', externalUserId: text } }),
      client.call(routes.settings.update, { params, body: { botUserId: text } }),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject(refused);
    const event = { event_name: 'earn-points', metadata: { amount: 1 } };
    for (const named of [{ user_id: text }, { user_id: 'u', team_id: text }]) {
      const response = await fetch(`${daemon.url}/api/v1/events`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey, 'X-Project-Id': projectId },
        body: JSON.stringify({ ...event, ...named }),
      });
      expect(response.status).toBe(400);
    }
  });

  it('is not reached by blocks in a room', async () => {
    const access = { url: `${daemon.url}/rooms/arena`, token: 't' } as Parameters<typeof unblock>[0];
    await expect(unblock(access, '..')).rejects.toThrow(InvalidPathPart);
  });
});

const bearerOf = ({ credential }: EarshotClient): Record<string, string> =>
  credential?.kind === 'bearer' ? { Authorization: `Bearer ${credential.token}` } : {};
