/**
 * Lists go on by cursor: rows that come and go while somebody reads page after page are neither repeated nor left out.
 * Every list of the contract says by which fields of its rows.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { countThrough, cursorOf } from '../../daemon/platform/database/row-page.js';
import { cursorMax } from '../../src/contract/common.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { isWholeList } from '../../src/contract/route.js';
import { allRoutes } from '../../src/contract/routes.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());
const call: TestDaemon['client']['call'] = (route, input) => daemon.client.call(route, input);
const params = () => ({ projectId: daemon.projectId });
const item = (id: string) => ({ ...params(), id });

interface ListUnderChange {
  /** Path of the list. */
  readonly path: () => string;
  /** Field of the rows; null: the answer is an array. */
  readonly field: string | null;
  /** Adds a row and returns its name. */
  readonly add: (n: number) => Promise<string>;
  /** Removes the row; left out: rows of this list stay. */
  readonly remove?: (name: string) => Promise<unknown>;
  readonly nameOf: (row: Record<string, unknown>) => string;
}
const byId = (row: Record<string, unknown>) => String(row.id);
const base = () => `/api/projects/${daemon.projectId}`;

const lists: Readonly<Record<string, ListUnderChange>> = {
  'participants, oldest first': {
    ...{ path: () => `${base()}/participants`, field: 'participants', nameOf: byId },
    add: async () =>
      (await call(participantRoutes.create, { params: params(), body: { externalUserId: randomUUID() } })).id,
    remove: (id) => call(participantRoutes.remove, { params: item(id) }),
  },
  'participants that a search finds': {
    ...{ path: () => `${base()}/participants?search=sought`, field: 'participants', nameOf: byId },
    add: async () =>
      (await call(participantRoutes.create, { params: params(), body: { externalUserId: `sought-${randomUUID()}` } }))
        .id,
    remove: (id) => call(participantRoutes.remove, { params: item(id) }),
  },
  'sessions, an array': {
    ...{ path: () => `${base()}/sessions`, field: null, nameOf: byId },
    add: async () =>
      (await call(sessionRoutes.create, { params: params(), body: { title: 'A', externalRoomId: randomUUID() } })).id,
    remove: (id) => call(sessionRoutes.remove, { params: item(id) }),
  },
  'gatherings, newest first': {
    ...{ path: () => `${base()}/gatherings`, field: 'gatherings', nameOf: byId },
    add: async () => (await call(gatheringRoutes.create, { params: params(), body: { name: 'Lobby' } })).id,
  },
  'sanctions of one person, an array': {
    ...{ path: () => `${base()}/sanctions/user/u1`, field: null, nameOf: byId },
    add: async () =>
      (await call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId: 'u1' } })).id,
  },
  'batches of sanctions, by time and id': {
    ...{ path: () => `${base()}/sanctions/batches`, field: 'batches', nameOf: (row) => String(row.batchId) },
    add: async (n) => {
      const items = [{ type: 'warn' as const, externalUserId: `batch-${n}` }];
      return (await call(sanctionBatchRoutes.apply, { params: params(), body: { batchId: randomUUID(), items } }))
        .batchId;
    },
  },
  'blocks of a person, by time and id': {
    ...{ path: () => `${base()}/people/blocker/blocks`, field: 'blocks', nameOf: (row) => String(row.blockedUserId) },
    add: async (n) => {
      const blockedUserId = `blocked-${n}-${randomUUID()}`;
      await call(blockRoutes.create, { params: { ...params(), user: 'blocker' }, body: { blockedUserId } });
      return blockedUserId;
    },
    remove: (blockedUserId) => call(blockRoutes.remove, { params: { ...params(), user: 'blocker', blockedUserId } }),
  },
  'categories, by position': {
    ...{ path: () => `${base()}/challenge-categories`, field: 'challengeCategories', nameOf: byId },
    add: async (n) => {
      const body = { name: { en: `Category ${n}` }, slug: `c-${randomUUID()}`, position: n % 3 };
      return (await call(challengeCategoryRoutes.create, { params: params(), body })).id;
    },
    remove: (id) => call(challengeCategoryRoutes.delete, { params: item(id) }),
  },
};

/** Reads the list by pages of two. `between` happens after each page. */
async function readAll({ path, field, nameOf }: ListUnderChange, between: (read: readonly string[]) => Promise<void>) {
  const read: string[] = [];
  const separator = path().includes('?') ? '&' : '?';
  let next: string | null = `${path()}${separator}limit=2`;
  while (next !== null) {
    const response: Response = await fetch(daemon.url + next, { headers: { 'X-API-Key': daemon.apiKey } });
    expect(response.status).toBe(200);
    const answer: unknown = await response.json();
    const rows = z
      .array(z.record(z.string(), z.unknown()))
      .parse(field === null ? answer : Reflect.get(Object(answer), field));
    read.push(...rows.map(nameOf));
    const [, link] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('Link') ?? '') ?? [];
    const cursor = link === undefined ? undefined : new URLSearchParams(link.split('?')[1]).get('after');
    if (field !== null) expect(Reflect.get(Object(answer), 'nextAfter')).toBe(cursor);
    next = link ?? null;
    if (next !== null) await between(read);
  }
  return read;
}

describe.each(Object.entries(lists))('the list of %s', (_, list) => {
  it('repeats and skips no row that was there from the beginning to the end', async () => {
    const made: string[] = [];
    for (let n = 0; n < 9; n += 1) made.push(await list.add(n));
    const inOrder = await readAll(list, async () => {});
    expect(new Set(inOrder)).toEqual(new Set(made));
    expect(inOrder).toHaveLength(9);

    const removed = new Set<string>();
    let added = 9;
    const read = await readAll(list, async (soFar) => {
      await list.add(added);
      added += 1;
      // The row at which the cursor is goes, and one that was read before it.
      for (const name of [soFar.at(-1), soFar[0]])
        if (list.remove !== undefined && name !== undefined && made.includes(name) && !removed.has(name)) {
          removed.add(name);
          await list.remove(name);
        }
    });
    expect(new Set(read).size).toBe(read.length);
    expect(read.filter((name) => made.includes(name))).toEqual(inOrder);
  });
});

describe('a ranking', () => {
  it('goes on after a member who has left the board since', async () => {
    const body = { name: { en: 'Kills' }, eventName: 'kill-enemy' as const, aggregate: 'sum' as const };
    const { id } = await call(leaderboardRoutes.create, { params: params(), body });
    for (const [n, userId] of ['a', 'b', 'c', 'd', 'e'].entries())
      await call(playerRoutes.sendEvent, {
        params: { ...params(), userId },
        body: { event_name: 'kill-enemy', metadata: { amount: 50 - n * 10 } },
      });
    const page = async (after?: string) => {
      const { entries, nextAfter } = await call(leaderboardRoutes.ranking, {
        params: item(id),
        query: { limit: 2, after },
      });
      return { members: entries.map(({ memberId }) => memberId), nextAfter };
    };
    const first = await page();
    expect(first.members).toEqual(['a', 'b']);
    await call(leaderboardRoutes.removeMember, { params: { ...item(id), memberType: 'user', memberId: 'b' } });
    const second = await page(first.nextAfter);
    expect(second.members).toEqual(['c', 'd']);
    expect(await page(second.nextAfter)).toEqual({ members: ['e'], nextAfter: undefined });
  });
});

it('goes on in a list without pages of its own, whose row is gone', async () => {
  for (const name of ['a', 'b', 'c', 'd'])
    await call(sanctionTemplateRoutes.set, { params: { ...params(), name }, body: { reason: name } });
  await call(sanctionTemplateRoutes.remove, { params: { ...params(), name: 'b' } });
  const rest = await fetch(`${daemon.url}${base()}/sanction-templates?after=b`, {
    headers: { 'X-API-Key': daemon.apiKey },
  });
  expect(await rest.json()).toMatchObject([{ name: 'c' }, { name: 'd' }]);
});

describe('a cursor is never longer than a list takes it', () => {
  it('where ids are as long as they can be, of letters of three bytes', async () => {
    const long = (name: string) => name.padEnd(200, '\u8a9e');
    const path = `${base()}/people/${encodeURIComponent(long('who'))}/blocks`;
    const made = ['a', 'b', 'c', 'd', 'e'].map(long);
    for (const blockedUserId of made)
      await call(blockRoutes.create, { params: { ...params(), user: long('who') }, body: { blockedUserId } });
    const list = { path: () => path, field: 'blocks', add: async () => '' };
    const read = await readAll({ ...list, nameOf: (row) => String(row.blockedUserId) }, async () => {});
    expect(read.toSorted()).toEqual(made);
  });

  it('where rows that nothing else tells apart hold long texts', () => {
    const fields = ['at', 'what'];
    const rows = ['a', 'b', 'c', 'd'].map((end) => ({ at: 'now', what: '\u{1f600}'.repeat(4_000) + end }));
    const cursors = rows.map((row) => cursorOf(row, fields));
    for (const cursor of cursors) expect(cursor.length).toBeLessThanOrEqual(cursorMax);
    expect(cursors.map((cursor) => countThrough(rows, cursor, fields))).toEqual([1, 2, 3, 4]);
    const names = rows.map(({ what }) => what);
    expect(names.map((name) => countThrough(names, cursorOf(name, ['name']), ['name']))).toEqual([1, 2, 3, 4]);
  });
});

it('refuses a cursor of another list', async () => {
  const path = `${base()}/sanctions/batches?after=no-cursor`;
  const response = await fetch(daemon.url + path, { headers: { 'X-API-Key': daemon.apiKey } });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ details: [{ path: 'query.after' }] });
});

describe('an operation that answers a list', () => {
  const paged = allRoutes.filter(
    (route) => isWholeList(route) || (route.method === 'get' && 'offset' in (route.query?.shape ?? {})),
  );
  const rowOf = (body: z.ZodType | undefined): z.ZodType | undefined => {
    if (body instanceof z.ZodArray) return body.element as z.ZodType;
    const lists =
      body instanceof z.ZodObject ? Object.values(body.shape).filter((one) => one instanceof z.ZodArray) : [];
    return lists.length === 1 ? (lists[0]?.element as z.ZodType) : undefined;
  };

  it.each(paged.map((route) => [route.operationId, route] as const))(
    '%s goes on by fields that its rows have',
    (_, route) => {
      expect(isWholeList(route) || 'after' in (route.query?.shape ?? {})).toBe(true);
      const row = rowOf(route.success.body);
      if (!(row instanceof z.ZodObject)) return expect(row).toBeInstanceOf(z.ZodType);
      for (const field of route.cursor ?? ['id']) expect(Object.keys(row.shape)).toContain(field);
    },
  );
});
