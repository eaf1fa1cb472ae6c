/**
 * Rows that earlier versions stored under `.` and `..`: no path can carry these, so doctor names each, and the command that
 * it prints renames it. Afterwards the API reaches it like any other.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';
import { writeBeside } from '../support/write-beside.js';

/** Made under the name on the left, and stored under that on the right by an earlier version. */
const stored = {
  person: '..',
  player: '.',
  scored: '%2e',
  blocked: '%2E%2e',
  team: '..',
  room: '.',
  template: '..',
  batch: '..',
};
const asEarlier = [
  ...['Participant.externalUserId', 'Sanction.externalUserId'].map((column) => [column, 'person'] as const),
  ['Player.userId', 'player'] as const,
  ...['LeaderboardScore.memberId', 'LeaderboardShare.userId', 'GameEvent.userId'].map(
    (column) => [column, 'scored'] as const,
  ),
  ['PlayerBlock.blockedUserId', 'blocked'] as const,
  ...['LeaderboardScore.memberId', 'LeaderboardShare.teamId', 'GameEvent.teamId'].map(
    (column) => [column, 'team'] as const,
  ),
  ...['Session.externalRoomId', 'Gathering.roomId', 'RoomRestriction.roomId'].map(
    (column) => [column, 'room'] as const,
  ),
  ['SanctionTemplate.name', 'template'] as const,
  ...['SanctionBatch.id', 'Sanction.batchId'].map((column) => [column, 'batch'] as const),
].map(([column, name]) => {
  const [table, field] = column.split('.');
  return `UPDATE "${table}" SET "${field}" = '${stored[name]}' WHERE "${field}" = '${name}'`;
});

const kinds: readonly (readonly [kind: string, name: keyof typeof stored])[] = [
  ['person', 'person'],
  ['person', 'player'],
  ['person', 'scored'],
  ['person', 'blocked'],
  ['team', 'team'],
  ['room', 'room'],
  ['template', 'template'],
  ['batch', 'batch'],
];

describe.each(['SQLite', 'PostgreSQL'])('ids of earlier versions, on %s', (database) => {
  describe.skipIf(database === 'PostgreSQL' && !hasPostgresql)('', { timeout: 120_000 }, () => {
    let server: PostgresqlServer | null = null;
    let daemon: TestDaemon;
    let leaderboardId: string;
    let env: Record<string, string>;
    beforeAll(async () => {
      server = database === 'PostgreSQL' ? await startPostgresql() : null;
      env = server === null ? inSqlite : { DATABASE_URL: server.url };
      daemon = await startDaemon({ settings: { EARSHOT_TOKEN_PROVIDER: 'earshot', ...env } });
    });
    afterAll(async () => {
      await daemon.stop();
      await server?.stop();
    });

    const written = async (statements: readonly string[]): Promise<void> => {
      for (const statement of statements) await writeBeside(daemon.databaseUrl, statement);
    };
    const examined = async (): Promise<string> => {
      const ports = { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0' };
      const { stdout } = await earshotd(daemon.dataDir, ['doctor'], { env: { ...env, ...ports } });
      return stdout.split('\n').find((line) => line.slice(9, 22).trim() === 'ids') ?? stdout;
    };

    it('are named by doctor, and the commands that it prints rename each', async () => {
      const { client, admin, projectId } = daemon;
      const params = { projectId };
      await client.call(routes.sanctions.create, { params, body: { type: 'warn', externalUserId: 'person' } });
      await client.call(routes.participants.create, { params, body: { externalUserId: 'person' } });
      await client.call(routes.blocks.create, {
        params: { ...params, user: 'bob' },
        body: { blockedUserId: 'blocked' },
      });
      ({ id: leaderboardId } = await client.call(routes.leaderboards.create, {
        params,
        body: { name: 'Kills', eventName: 'kill-enemy' },
      }));
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey, 'X-Project-Id': projectId };
      const event = { user_id: 'scored', team_id: 'team', event_name: 'kill-enemy', meta_data: { amount: 1 } };
      const sent = await fetch(`${daemon.url}/api/v1/events`, { method: 'POST', headers, body: JSON.stringify(event) });
      expect(sent.status).toBeLessThan(300);
      const place = { ...params, roomId: 'room' };
      await client.call(routes.roomRestrictions.mute, { params: place, body: {} });
      await client.call(routes.sessions.create, { params, body: { title: 'x', externalRoomId: 'room' } });
      const gathering = await client.call(routes.gatherings.create, { params, body: { name: 'x', roomId: 'room' } });
      const template = { params: { ...params, name: 'template' }, body: { reason: 'Cheating' } };
      await client.call(routes.sanctionTemplates.set, template);
      const items = [{ type: 'warn', externalUserId: 'someone' }] as const;
      await client.call(routes.sanctionBatches.apply, { params, body: { batchId: 'batch', items: [...items] } });
      const at = new Date().toISOString();
      const player = `INSERT INTO "Player" ("projectId", "userId", "username", "createdAt", "updatedAt")
        VALUES ('${projectId}', 'player', 'Pat', '${at}', '${at}')`;
      await written([player, ...asEarlier]);

      const found = await examined();
      expect(found).toMatch(/^warning /);
      const commands = [...found.matchAll(/`earshotd ([^`]+)`/g)].map(([, command = '']) => command);
      expect(commands.toSorted()).toEqual(
        kinds.map(([kind, name]) => `ids rename ${kind} ${stored[name]} NEW-NAME --project ${projectId}`).toSorted(),
      );
      for (const command of commands) {
        const [kind, name] = kinds.find(([one, as]) => command.includes(`${one} ${stored[as]} `)) ?? [];
        const args = command.replace('NEW-NAME', `new-${name}`).split(' ');
        const { code, stderr } = await earshotd(daemon.dataDir, args, { env });
        expect({ kind, code, stderr }).toEqual({ kind, code: 0, stderr: '' });
      }
      expect(await examined()).toMatch(/^ok .*every row can be named in a path$/);

      const person = (user: string) => client.call(routes.people.get, { params: { ...params, user } });
      expect((await person('new-person')).active).toMatchObject([{ type: 'warn' }]);
      expect((await person('new-player')).progress?.info).toMatchObject({ username: 'Pat' });
      await client.call(routes.blocks.remove, { params: { ...params, user: 'bob', blockedUserId: 'new-blocked' } });
      for (const [memberType, memberId] of [
        ['user', 'new-scored'],
        ['team', 'new-team'],
      ] as const) {
        const member = { ...params, id: leaderboardId, memberType, memberId };
        expect(await client.call(routes.leaderboards.member, { params: member })).toMatchObject({
          member: { score: 1, rank: 1 },
        });
        await client.call(routes.leaderboards.removeMember, { params: member });
      }
      expect(await client.call(routes.gatherings.get, { params: { ...params, id: gathering.id } })).toMatchObject({
        roomId: 'new-room',
      });
      const open = { roomId: 'new-room', muted: null };
      const lifted = { params: { ...params, roomId: 'new-room' } };
      expect(await client.call(routes.roomRestrictions.unmute, lifted)).toMatchObject(open);
      await client.call(routes.sanctionTemplates.remove, { params: { ...params, name: 'new-template' } });
      const undone = { params: { ...params, id: 'new-batch' }, body: {} };
      expect(await client.call(routes.sanctionBatches.undo, undone)).toMatchObject({ batchId: 'new-batch' });
      const query = { action: 'ids.rename' };
      const { entries } = await admin.call(routes.audit.list, { params, query });
      expect(entries).toHaveLength(kinds.length);
      expect(entries[0]).toMatchObject({ actor: { kind: 'operator' }, outcome: 'done', projectId });
    });

    it('are renamed to what is free, and other ids are left to the API', async () => {
      const { client, projectId } = daemon;
      const params = { projectId };
      for (const name of ['one', 'other'])
        await client.call(routes.sanctionTemplates.set, { params: { ...params, name }, body: { reason: 'Cheating' } });
      await written([`UPDATE "SanctionTemplate" SET "name" = '..' WHERE "name" = 'one'`]);
      const renamed = async (...args: string[]) => {
        const { code, stderr } = await earshotd(daemon.dataDir, ['ids', 'rename', ...args], { env });
        return { code, stderr };
      };
      const here = ['--project', projectId];
      expect(await renamed('template', '..', 'other', ...here)).toMatchObject({
        stderr: expect.stringContaining('There is a template other already. Choose another name.'),
      });
      expect(await renamed('template', 'other', 'third', ...here)).toMatchObject({ code: 1 });
      expect(await renamed('template', '..', '.', ...here)).toMatchObject({ code: 1 });
      expect(await renamed('tribe', '..', 'x', ...here)).toMatchObject({ code: 1 });
      expect(await renamed('room', '..', 'x', ...here)).toMatchObject({
        stderr: expect.stringContaining('There is no room .. in this project.'),
      });
      expect(await renamed('template', '..', 'third', ...here)).toEqual({ code: 0, stderr: '' });
    });
  });
});
