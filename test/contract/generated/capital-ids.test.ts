/** RFC 9562: UUIDs are read whatever the case of their letters. Every operation finds what its path names in capitals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allRoutes, routes } from '../../../src/contract/routes.js';
import { cases } from './cases.js';
import { madeUp, send } from './sending.js';
import { World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await World.make();
});
afterAll(() => world.stop());

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Ids that the game chooses keep their letters, and so do names of batches. */
const chosen = new Set([
  'user',
  'userId',
  'externalUserId',
  'blockedUserId',
  'memberId',
  'roomId',
  'name',
  'slug',
  'code',
]);

const withIds = allRoutes.filter(({ path, operationId }) => path.includes('{') && operationId !== 'undoSanctions');
describe.each(withIds.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  it('finds what is named in capitals', async () => {
    const scene = (await cases[operationId]?.works?.(world)) ?? {};
    const named: Record<string, string> = { projectId: world.projectId, appId: world.projectId, ...scene.params };
    const params = Object.fromEntries(
      Object.entries(named).map(([name, value]) => [
        name,
        uuid.test(value) && !chosen.has(name) ? value.toUpperCase() : value,
      ]),
    );
    const response = await send(route, world, { ...scene, params }, madeUp(route));
    const refusal = response.ok ? '' : await response.text();
    await response.body?.cancel().catch(() => {});
    const isNamed = [...route.path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in named);
    if (isNamed) expect([403, 404], refusal).not.toContain(response.status);
  });
});

it('finds a person by a participant id in capitals', async () => {
  const { client, projectId } = world;
  const params = { projectId };
  const { id } = await client.call(routes.participants.create, { params, body: { externalUserId: 'capitals' } });
  const person = await client.call(routes.people.get, { params: { ...params, user: id.toUpperCase() } });
  expect(person.participant?.id).toBe(id);
});

/** Ids that callers choose keep their letters. */
const keptFields = new Set([
  ...['externalUserId', 'externalUserIds', 'reporterUserId', 'blockedUserId', 'botUserId', 'userId', 'user_id'],
  ...['roomId', 'externalRoomId', 'session_id', 'team_id', 'batchId', 'resourceId', 'locationId', 'resourcePackageId'],
]);
const inCapitals = '01A22A28-8E72-7AD5-9599-651456A722AE';
/** What the field makes of the id, by itself or in a list; null: it takes no UUID. */
const readBy = (field: z.ZodType): string | null => {
  const read = [inCapitals, [inCapitals]].map((sent) => field.safeParse(sent)).find(({ success }) => success);
  return read === undefined ? null : JSON.stringify(read.data);
};
const idFields = allRoutes.flatMap(({ operationId, body, query }) =>
  [body, query]
    .flatMap((schema) => (schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : []))
    .filter(([name]) => /(?:^id|Ids?)$/.test(name) && !keptFields.has(name) && operationId !== 'login')
    .flatMap(([name, field]) => (readBy(field) === null ? [] : [[operationId, name, field] as const])),
);
it.each(idFields)('%s reads %s in capitals', (_, __, field) => {
  expect(readBy(field)).toContain(inCapitals.toLowerCase());
});
