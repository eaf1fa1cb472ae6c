/** Erasing somebody who never was in a room or a gathering, proved as for participants. */
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { contentsOf, filesWith, tracesIn } from '../support/traces.js';

const ann = 'ann-who-never-came';
const said = 'unforgettable reason';

const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
afterAll(() => cli.dispose());

let daemon: TestDaemon;
let server: PostgresqlServer | null = null;
let url: string;
let projectId: string;
const start = async (kind: string) => {
  server = kind === 'PostgreSQL' ? await startPostgresql() : null;
  daemon = await startDaemon({ settings: server === null ? inSqlite : { DATABASE_URL: server.url } });
  url = daemon.databaseUrl;
  ({ id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Game' } }));
};
afterEach(async () => {
  await daemon.stop();
  await server?.stop();
});

const params = () => ({ projectId });
const person = (user = ann) => ({ ...params(), user });
const ban = (externalUserId: string) =>
  daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { externalUserId, type: 'warn', reason: said },
  });

const kill = async () => {
  const game = await daemon.clientWith(['gameplay'], projectId);
  await game.call(gameplayRoutes.sendEvent, {
    body: { user_id: ann, event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } },
  });
};

const play = async () => {
  const { id } = await daemon.client.call(challengeRoutes.create, {
    params: params(),
    body: { name: { en: 'Three' }, eventName: 'kill-enemy', goal: 3 },
  });
  for (const act of [playerRoutes.unlock, playerRoutes.activate])
    await daemon.client.call(act, { params: { ...params(), userId: ann, id } });
  await kill();
};

/** A rule names her, and nothing else does. */
const exempt = () =>
  daemon.client.call(ruleRoutes.create, {
    params: params(),
    body: {
      name: 'Newts',
      exempt: [ann],
      definition: {
        format: 1,
        mode: 'dry-run',
        when: { all: [{ words: { any: ['newt'] } }] },
        steps: [[{ sanction: { type: 'mute', duration: 60 } }]],
      },
    },
  });

const traces = async () => tracesIn(await contentsOf(url), [ann, said]);
/** Counts the announcements of an erasure. */
const announced = async () =>
  (await contentsOf(url)).DomainEvent?.filter((row) => row.includes('participant.deleted')).length;
const erase = () => daemon.client.call(personRoutes.erase, { params: person() });

describe.each([
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
])('DELETE …/people/{user} on $kind', ({ kind, here }) => {
  it.skipIf(!here)('leaves no trace of somebody who was only sanctioned and played', { timeout: 60_000 }, async () => {
    await start(kind);
    await ban(ann);
    await play();
    expect(Object.keys(await traces())).toEqual(
      expect.arrayContaining(['Sanction', 'GameEvent', 'AuditTarget', 'DomainEvent']),
    );

    await erase();
    expect(await traces()).toEqual({});
    if (server === null) expect(filesWith(daemon.dataDir, [ann, said])).toEqual([]);
    await expect(daemon.client.call(personRoutes.get, { params: person() })).rejects.toMatchObject({
      code: 'participant_not_found',
    });
    const { entries } = await daemon.admin.call(auditRoutes.list, {
      params: params(),
      query: { action: 'erasePerson' },
    });
    expect(entries).toMatchObject([{ targets: [{ kind: 'person', id: 'erased', name: null }] }]);
  });

  it.skipIf(!here)('finds what a list cannot: somebody whom only a rule and the audit log name', async () => {
    await start(kind);
    await exempt();
    expect(Object.keys(await traces())).toContain('Rule');
    await erase();
    expect(await traces()).toEqual({});
    await erase(); // where nothing is left
    expect(await announced()).toBe(0);
  });

  it.skipIf(!here)('announces it once, however often and however much at a time it is asked', async () => {
    await start(kind);
    await erase();
    expect(await announced()).toBe(0);
    await ban(ann);
    await Promise.all([erase(), erase(), erase()]);
    await erase();
    expect([await announced(), await traces()]).toEqual([1, {}]);
    await ban(ann);
    await erase();
    expect(await announced()).toBe(2);
  });

  it.skipIf(!here)('takes a participant by either id, and leaves everybody else', async () => {
    await start(kind);
    for (const externalUserId of [ann, 'bob'])
      await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
    await ban('bob');
    await erase();
    const { participants } = await daemon.client.call(participantRoutes.list, { params: params(), query: {} });
    const [bob] = participants;
    expect(participants).toMatchObject([{ externalUserId: 'bob' }]);
    expect(await daemon.client.call(personRoutes.get, { params: person('bob') })).toMatchObject({ active: [{}] });
    await daemon.client.call(personRoutes.erase, { params: person(bob?.id) });
    expect(await tracesIn(await contentsOf(url), ['bob'])).toEqual({});
  });
});

describe('DELETE …/people/{user} that is interrupted before it is announced', () => {
  it('is announced when it is repeated, though nothing but the interruption is left', async () => {
    await start('SQLite');
    await kill();
    const beside = new BetterSqlite(join(daemon.dataDir, 'earshot.db'));
    beside.exec(`CREATE TRIGGER "interrupt" BEFORE DELETE ON "Participant" BEGIN SELECT RAISE(ABORT, 'killed'); END`);
    await expect(erase()).rejects.toMatchObject({ status: 500 });
    expect([(await contentsOf(url)).GameEvent, await announced()]).toEqual([[], 0]);
    beside.exec('DROP TRIGGER "interrupt"');
    beside.close();
    await daemon.restart();
    await erase();
    expect([await announced(), await traces()]).toEqual([1, {}]);
    await erase();
    expect(await announced()).toBe(1);
  });
});

describe('DELETE …/people/{user} with an id from before a move', () => {
  const move = (to: string) =>
    daemon.client.call(personMoveRoutes.move, { params: person(), body: { externalUserId: to } });

  it('erases whoever came later, and is refused when it is repeated', async () => {
    await start('SQLite');
    await ban(ann);
    await move('steam_77');
    const moved = { code: 'person_moved', details: [{ path: 'user', message: 'was moved to steam_77' }] };
    await expect(erase()).rejects.toMatchObject(moved);
    await ban(ann);
    await erase();
    await expect(erase()).rejects.toMatchObject(moved);
    expect(await daemon.client.call(personRoutes.get, { params: person('steam_77') })).toMatchObject({ active: [{}] });
    await daemon.client.call(personRoutes.erase, { params: person('steam_77') });
    expect(await traces()).toEqual({});
    await erase();
  });

  it('is not taken by the command, which says what to type instead', async () => {
    await start('SQLite');
    await ban(ann);
    await move('steam_77');
    const earshot = (...line: string[]) =>
      cli.run(['participants', 'delete', ...line, '--yes', '--project', 'Game'], {
        env: { EARSHOT_API_KEY: daemon.apiKey },
      });
    for (const line of [[ann], [ann, '--new']])
      expect(await earshot(...line)).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(/ was moved to .*steam_77.* earshot participants delete steam_77$/m),
      });
    expect(await daemon.client.call(personRoutes.get, { params: person('steam_77') })).toMatchObject({ active: [{}] });

    // If two became one, the second has left a participant id too.
    const body = { externalUserId: 'xbox_9' };
    const { id } = await daemon.client.call(participantRoutes.create, { params: params(), body });
    await daemon.client.call(personMoveRoutes.move, {
      params: person('steam_77'),
      body: { externalUserId: 'xbox_9' },
    });
    expect(await earshot(id)).toMatchObject({ code: 5, stderr: expect.stringContaining('delete xbox_9') });
    expect(await earshot('xbox_9')).toMatchObject({ code: 0 });
    expect(await traces()).toEqual({});
  });
});

describe('earshot participants delete', () => {
  it('erases by external id whoever was only sanctioned, and refuses a name that nobody has', async () => {
    await start('SQLite');
    await ban(ann);
    const earshot = (...line: string[]) =>
      cli.run(['participants', 'delete', ...line, '--project', 'Game'], { env: { EARSHOT_API_KEY: daemon.apiKey } });
    expect(await earshot('ann-who-newer-came', '--yes')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('There is no person ann-who-newer-came.'),
    });
    expect(await earshot(ann, '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${ann} is erased.`),
    });
    expect(await traces()).toEqual({});
    await exempt();
    expect((await earshot(ann, '--yes')).stderr).toContain('add --new');
    expect(await earshot(ann, '--yes', '--new')).toMatchObject({ code: 0 });
    expect(await traces()).toEqual({});
  });
});
