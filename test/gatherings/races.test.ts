/** The last seat is given once, whoever comes at the same moment; on both databases, and still so after a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/errors.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';
import { type Gatherings, gatheringsOf } from './support.js';

const databases = [
  { name: 'SQLite', here: true, open: async (): Promise<PostgresqlServer | null> => null },
  { name: 'PostgreSQL', here: hasPostgresql, open: startPostgresql },
];
const patienceMs = 180_000;
const seats = 8;
const joiners = scale(20, 200);

/** Counts the calls by their outcome. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of await Promise.allSettled(calls)) {
    if (answer.status === 'rejected' && !(answer.reason instanceof ApiError)) throw answer.reason;
    const key = answer.status === 'fulfilled' ? 'ok' : `${answer.reason.status} ${answer.reason.code}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe.each(databases)('at the same moment, on $name', ({ here, open }) => {
  let server: PostgresqlServer | null = null;
  let daemon: TestDaemon;
  let g: Gatherings;
  beforeAll(async () => {
    if (!here) return;
    server = await open();
    daemon = await startDaemon({ settings: server === null ? inSqlite : { DATABASE_URL: server.url } });
    g = gatheringsOf(daemon);
  });
  afterAll(async () => {
    if (!here) return;
    await daemon.stop();
    await server?.stop();
  });
  const crowd = (name: string, size: number) =>
    Promise.all(Array.from({ length: size }, (_, index) => g.person(`${name} ${index}`)));

  it.skipIf(!here)(
    `${joiners} join for ${seats} seats: ${seats} succeed, the others are 409`,
    { timeout: patienceMs },
    async () => {
      const people = await crowd('joiner', joiners);
      const { id, joinCode } = await g.create({ maxMembers: seats });
      expect(await outcomes(people.map((person) => g.join(joinCode, person.id)))).toEqual({
        ok: seats,
        '409 gathering_full': joiners - seats,
      });
      await daemon.restart();
      g = gatheringsOf(daemon);
      const { memberCount, members = [], ownerId } = await g.get(id);
      expect(memberCount).toBe(seats);
      expect(members.map(({ status }) => status)).toEqual(Array(seats).fill('joined'));
      expect(members.filter(({ role }) => role === 'owner')).toMatchObject([{ participantId: ownerId }]);
    },
  );

  it.skipIf(!here)('one person joins 20 times: one seat', async () => {
    const { id, joinCode } = await g.create();
    const ann = await g.person('eager');
    expect(await outcomes(Array.from({ length: 20 }, () => g.join(joinCode, ann.id)))).toEqual({ ok: 20 });
    expect(await g.get(id)).toMatchObject({ memberCount: 1 });
  });

  it.skipIf(!here)('all doors lead to the same seats', async () => {
    const people = await crowd('guest', 12);
    const { id, joinCode } = await g.create({ maxMembers: 5 });
    const invitations = await g.invite(
      id,
      people.slice(0, 4).map((person) => person.id),
    );
    const answered = await outcomes([
      ...invitations.map((one) => g.accept(one.id, one.participantId)),
      ...people.slice(4, 8).map((person) => g.add(id, person.id)),
      ...people.slice(8).map((person) => g.join(joinCode, person.id)),
    ]);
    expect(answered).toEqual({ ok: 5, '409 gathering_full': 7 });
    expect(await g.get(id)).toMatchObject({ memberCount: 5 });
  });

  it.skipIf(!here)('some come and some go: the count is that of the seats', async () => {
    const people = await crowd('passer-by', 12);
    const { id, joinCode } = await g.create({ maxMembers: 12 });
    const [first = [], second = []] = [people.slice(0, 6), people.slice(6)];
    for (const person of first) await g.join(joinCode, person.id);
    const answered = await outcomes([
      ...first.map((person) => g.leave(id, person.id)),
      ...second.map((person) => g.join(joinCode, person.id)),
    ]);
    expect(answered).toEqual({ ok: 12 });
    const { memberCount, members = [], ownerId } = await g.get(id);
    expect([memberCount, members.length]).toEqual([6, 6]);
    expect(members.map(({ participantId }) => participantId)).toContain(ownerId);
  });

  it.skipIf(!here)('people move in opposite directions: everybody keeps exactly one seat', async () => {
    const people = await crowd('mover', 12);
    const [red, blue] = [await g.create({ maxMembers: 12 }), await g.create({ maxMembers: 12 })];
    for (const [index, { id }] of people.entries()) await g.add(index < 6 ? red.id : blue.id, id);
    const moves = people.map(({ id }, index) =>
      index < 6 ? g.move(red.id, id, blue.id) : g.move(blue.id, id, red.id),
    );
    expect(await outcomes(moves)).toEqual({ ok: 12 });
    const seated = async (id: string) => {
      const { memberCount, members = [] } = await g.get(id);
      expect(members).toHaveLength(memberCount);
      return members.map(({ participantId }) => participantId).toSorted();
    };
    const ids = people.map(({ id }) => id);
    expect([await seated(red.id), await seated(blue.id)]).toEqual([
      ids.slice(6).toSorted(),
      ids.slice(0, 6).toSorted(),
    ]);
  });

  it.skipIf(!here)('two gatherings start in one room: one session', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, () => g.create({ roomId: 'shared', autoStartSession: true })),
    );
    const started = await Promise.all(made.map(({ id }) => g.start(id)));
    expect(new Set(started.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(started[0]?.sessionId).not.toBeNull();
  });

  it.skipIf(!here)('a session that is stopped while a gathering starts in its room stays stopped', async () => {
    const params = { projectId: daemon.projectId };
    const sessions = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => {
        const body = { title: 'Quiet', externalRoomId: `room ${index}`, autoStart: false };
        const [{ id }, gathering] = await Promise.all([
          daemon.client.call(sessionRoutes.create, { params, body }),
          g.create({ roomId: body.externalRoomId, autoStartSession: true }),
        ]);
        await Promise.all([
          daemon.client.call(sessionRoutes.stop, { params: { ...params, id } }),
          g.start(gathering.id),
        ]);
        return daemon.client.call(sessionRoutes.get, { params: { ...params, id } });
      }),
    );
    expect(sessions.map(({ status }) => status)).toEqual(Array(sessions.length).fill('ended'));
  });

  it.skipIf(!here)('everybody closes it: one does', async () => {
    const { id } = await g.create();
    expect(await outcomes(Array.from({ length: 6 }, () => g.cancel(id)))).toEqual({ ok: 1, '409 gathering_closed': 5 });
  });
});
