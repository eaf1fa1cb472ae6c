/** `/api/projects/{projectId}/people/{user}/move`, and `earshot participants move`: a person gets another external user id. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { type Participant, participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { messageRoutes } from '../../src/contract/sessions/message-search.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';
import { contentsOf, tracesIn } from '../support/traces.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
const databases = [
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
];

describe.each(databases.filter(({ here }) => here))('a move on $kind', ({ kind }) => {
  let daemon: TestDaemon;
  let server: PostgresqlServer | null = null;
  let url: string;
  let challengeId: string;
  let game: TestDaemon['client'];
  const environment = () => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey });
  const cli = commandLine(environment);
  beforeAll(async () => {
    server = kind === 'PostgreSQL' ? await startPostgresql() : null;
    daemon = await startDaemon({ settings: server === null ? inSqlite : { DATABASE_URL: server.url } });
    url = daemon.databaseUrl;
    await daemon.admin.call(settingsRoutes.put, { params: params(), body: { tokenProvider: 'embedded' } });
    game = await daemon.clientWith(['gameplay'], daemon.projectId);
    ({ id: challengeId } = await call(challengeRoutes.create, {
      params: params(),
      body: { name: { en: 'Three' }, eventName: 'kill-enemy', goal: 3 },
    }));
    for (const aggregate of ['sum', 'best'] as const)
      await call(leaderboardRoutes.create, {
        params: params(),
        body: { name: { en: aggregate }, eventName: 'kill-enemy', aggregate },
      });
  });
  afterAll(async () => {
    cli.dispose();
    await daemon.stop();
    await server?.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ ...params(), id });
  const call: TestDaemon['admin']['call'] = (route, input) => daemon.admin.call(route, input);
  const person = (externalUserId: string, displayName?: string): Promise<Participant> =>
    call(participantRoutes.create, {
      params: params(),
      body: { externalUserId, ...(displayName === undefined ? {} : { displayName }) },
    });
  const move = (user: string, externalUserId: string) =>
    call(personMoveRoutes.move, { params: { ...params(), user }, body: { externalUserId } });
  const preview = (user: string, externalUserId: string) =>
    call(personMoveRoutes.preview, { params: { ...params(), user }, query: { externalUserId } });
  const page = (user: string) => call(personRoutes.get, { params: { ...params(), user } });
  const note = (id: string, text: string) =>
    call(participantRecordRoutes.addNote, { params: item(id), body: { text } });
  const kill = (userId: string, amount: number) =>
    game.call(gameplayRoutes.sendEvent, {
      body: {
        ...{ user_id: userId, team_id: 'red', event_name: 'kill-enemy', event_type: 'single' },
        meta_data: { amount },
      },
    });
  const player = async (userId: string) => {
    const { token } = await call(playerRoutes.createToken, { params: { ...params(), userId } });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };
  const start = async (userId: string) => {
    for (const act of [playerRoutes.unlock, playerRoutes.activate])
      await call(act, { params: { ...params(), userId, id: challengeId } });
  };
  const scores = async () => {
    const boards = await call(leaderboardRoutes.list, { params: params() });
    const found: Record<string, Record<string, number>> = {};
    for (const board of boards.leaderboards) {
      const { entries } = await call(leaderboardRoutes.ranking, { params: item(board.id), query: {} });
      found[board.name.en ?? ''] = Object.fromEntries(entries.map(({ memberId, score }) => [memberId, score]));
    }
    return found;
  };

  /** Something in every domain. */
  const withHistory = async (externalUserId: string) => {
    const { id } = await person(externalUserId, 'Bob');
    const session = await call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId: randomUUID(), autoStart: false },
    });
    await call(sessionRoutes.say, { params: item(session.id), body: { externalUserId, content: 'you will regret' } });
    await note(id, 'shouts');
    const gathering = await call(gatheringRoutes.create, { params: params(), body: { name: 'Raid', ownerId: id } });
    const other = await person('other');
    const theirs = await call(gatheringRoutes.create, { params: params(), body: { name: 'L2', ownerId: other.id } });
    await call(gatheringInvitationRoutes.send, { params: item(theirs.id), body: { participantIds: [id] } });
    const ban = { type: 'temp_ban', externalUserId, duration: 3_600, reason: 'threats' } as const;
    const { id: banId } = await call(sanctionRoutes.create, { params: params(), body: ban });
    await call(reviewRoutes.appeal, { params: item(banId), body: { statement: 'I sang' } });
    const { id: muteId } = await call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId, duration: 60 },
    });
    await call(sanctionRoutes.revoke, { params: item(muteId), body: {} });
    await start(externalUserId);
    await kill(externalUserId, 2);
    const { id: ruleId } = await call(ruleRoutes.create, {
      params: params(),
      body: {
        name: randomUUID(),
        exempt: [externalUserId],
        definition: {
          format: 1,
          mode: 'dry-run',
          when: { all: [{ words: { any: ['newt'] } }] },
          steps: [[{ sanction: { type: 'mute', duration: 60 } }]],
        },
      },
    });
    return { id, banId, ruleId, gatheringId: gathering.id };
  };

  it('takes everything along, and the sanctions count for the new id at once', async () => {
    const { id, banId, ruleId, gatheringId } = await withHistory('old-1');
    const before = await page('old-1');
    const seen = await preview('old-1', 'new-1');
    expect(seen).toMatchObject({ from: 'old-1', to: 'new-1', joined: null, isNew: true, conflicts: [] });
    expect(seen.moved).toEqual({
      ...{ sanctions: 2, activeSanctions: 1, reviews: 1, notes: 1, messages: 1, gatherings: 2, invitations: 1 },
      ...{ challenges: 1, battlePasses: 0, leaderboards: 2, gameEvents: 1 },
    });
    expect(await page('old-1')).toEqual(before); // a preview changes nothing

    const done = await move('old-1', 'new-1');
    expect(done).toMatchObject({ participant: { id, externalUserId: 'new-1', displayName: 'Bob' } });
    expect(done).toEqual({ ...seen, conflicts: undefined, participant: done.participant });

    const after = await page('new-1');
    expect(after).toMatchObject({ externalUserId: 'new-1', formerIds: ['old-1'], participant: { id } });
    expect(after.active?.map((one) => one.id)).toEqual([banId]);
    expect(after.lastWords?.map(({ content, externalUserId }) => [content, externalUserId])).toEqual([
      ['you will regret', 'new-1'],
    ]);
    expect(after.notes?.map(({ text }) => text)).toEqual(['shouts']);
    expect(after.gatherings?.map((one) => one.id)).toEqual([gatheringId]);
    expect(after.progress?.challenges.find((one) => one.challengeId === challengeId)?.counter).toBe(2);
    expect((await call(ruleRoutes.get, { params: item(ruleId) })).exempt).toEqual(['new-1']);
    expect(await scores()).toMatchObject({ sum: { 'new-1': 2 }, best: { 'new-1': 2 } });
    expect((await scores()).sum).not.toHaveProperty('old-1');
    const reviews = await call(reviewRoutes.list, { params: params(), query: { externalUserId: 'new-1' } });
    expect(reviews.reviews).toHaveLength(1);

    const token = (userId: string) =>
      call(tokenRoutes.generateForProject, { params: params(), body: { roomId: 'arena', userId } });
    await expect(token('new-1')).rejects.toMatchObject({ status: 403, code: 'participant_banned' });
    await expect(token('old-1')).resolves.toBeDefined(); // the old id is free
  });

  it('refuses room tokens that were made for the old id, so that a ban is not lost', async () => {
    await person('old-10');
    const generate = { params: params(), body: { roomId: 'harbour', userId: 'old-10' } };
    const { token } = await call(tokenRoutes.generateForProject, generate);
    await move('old-10', 'new-10');
    const follow = () => fetch(`${daemon.url}/rooms/harbour/events`, { headers: { Authorization: `Bearer ${token}` } });
    const refused = await follow();
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { code: 'room_token_invalid', message: expect.stringContaining('another external user id') },
    ]);
  });

  it('finds what was said under the new id', async () => {
    const session = await call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId: 'zoo', autoStart: false },
    });
    const say = (externalUserId: string, content: string) =>
      call(sessionRoutes.say, { params: item(session.id), body: { externalUserId, content } });
    await say('old-11', 'one lemur');
    await move('old-11', 'new-11');
    await say('old-11', 'another lemur'); // somebody else has the id now
    const found = async (externalUserId: string) => {
      const query = { q: 'lemur', externalUserId };
      const { hits } = await call(messageRoutes.search, { params: params(), query });
      return hits.map(({ message }) => message.content);
    };
    expect([await found('new-11'), await found('old-11')]).toEqual([['one lemur'], ['another lemur']]);
  });

  it('leaves the former id only where the past is told, and an erasure takes both out of there', async () => {
    const { id } = await withHistory('old-2');
    await move('old-2', 'new-2');
    const holds = async (needle: string) => Object.keys(tracesIn(await contentsOf(url), [needle])).sort();
    // Answers that are kept for repeated requests are among the past, for a day.
    expect(await holds('old-2')).toEqual(['AuditTarget', 'DomainEvent', 'IdempotencyRecord', 'ParticipantFormerId']);
    expect((await page('old-2')).externalUserId).toBe('new-2');
    const { entries } = await call(auditRoutes.list, { params: params(), query: { target: 'new-2' } });
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['movePerson', 'createSanction']));

    await call(participantRoutes.remove, { params: item(id) });
    expect([await holds('new-2'), await holds('old-2')]).toEqual([[], []]);
  });

  it('lets an erasure leave alone whoever has the former id since, although they were never in a room', async () => {
    const { id } = await withHistory('old-10');
    await move('old-10', 'new-10');
    await call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId: 'old-10' } });
    const { id: namedId } = await withHistory('old-11');
    await move('old-11', 'new-11');
    const named = await player('old-11');
    await named.call(gameplayRoutes.setUserInfo, { body: { username: 'Newcomer' } });
    const { id: playedId } = await withHistory('old-12');
    await move('old-12', 'new-12');
    await start('old-12');
    await kill('old-12', 1);

    for (const one of [id, namedId, playedId]) await call(participantRoutes.remove, { params: item(one) });
    expect(await call(sanctionRoutes.ofUser, { params: { ...params(), externalUserId: 'old-10' } })).toHaveLength(1);
    expect(await named.call(gameplayRoutes.getUserInfo, {})).toMatchObject({ username: 'Newcomer' });
    expect((await scores()).sum).toMatchObject({ 'old-12': 1 });
    expect((await page('old-12')).progress?.challenges.map(({ counter }) => counter)).toEqual([1]);
    for (const user of ['new-10', 'new-11', 'new-12'])
      await expect(page(user)).rejects.toMatchObject({ code: 'participant_not_found' });
  });

  it('makes one person of two, by the rules of each domain', async () => {
    const { id } = await person('old-3');
    await note(id, 'first');
    await kill('old-3', 5);
    const joined = await person('new-3', 'Robert');
    await note(joined.id, 'second');
    await kill('new-3', 3);
    await call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId: 'new-3' } });
    const lobby = await call(gatheringRoutes.create, { params: params(), body: { name: 'X', ownerId: joined.id } });

    const done = await move(id, 'new-3');
    expect(done).toMatchObject({ isNew: false, joined: { id: joined.id }, participant: { id, displayName: 'Robert' } });
    const after = await page('new-3');
    expect(after.notes?.map(({ text }) => text)).toEqual(['first', 'second']);
    expect(await scores()).toMatchObject({ sum: { 'new-3': 8 }, best: { 'new-3': 5 } });
    expect((await call(sanctionRoutes.ofUser, { params: { ...params(), externalUserId: 'new-3' } }))[0]).toMatchObject({
      participantId: id,
    });
    expect((await call(gatheringRoutes.get, { params: item(lobby.id) })).ownerId).toBe(id);
    await expect(call(participantRoutes.get, { params: item(joined.id) })).rejects.toMatchObject({ status: 404 });
    expect((await page(joined.id)).participant?.id).toBe(id);
  });

  it.each([
    ['nothing is known of the other one', true, undefined, true],
    ['nothing is known of the one who moves', undefined, true, true],
    ['the other one is under age', false, true, true],
    ['the one who moves is under age', true, false, true],
    ['one is no minor', undefined, false, false],
  ])('keeps that a person is under age where %s', async (_, own, other, minor) => {
    const [from, to] = [randomUUID(), randomUUID()];
    await call(participantRoutes.create, { params: params(), body: { externalUserId: from, minor: own } });
    await call(participantRoutes.create, { params: params(), body: { externalUserId: to, minor: other } });
    const differing = own === undefined || other === undefined ? [] : [{ field: 'minor', kept: true, dropped: false }];
    expect(await preview(from, to)).toMatchObject({ participant: { minor }, differing });
    expect(await move(from, to)).toMatchObject({ participant: { minor }, differing });
    if (!minor) return;
    await call(sanctionRoutes.create, { params: params(), body: { type: 'shadow_mute', externalUserId: to } });
    const { cases } = await call(caseRoutes.list, { params: params(), query: { externalUserId: to } });
    expect(cases).toMatchObject([{ category: 'minors_safety' }]);
  });

  it('takes what one of two lacks from the other, and shows both values where they differ', async () => {
    const own = { externalUserId: randomUUID(), displayName: 'Ana', userData: { level: 3, clan: 'red' } };
    const other = {
      externalUserId: randomUUID(),
      displayName: 'Anna',
      language: 'de',
      userData: { level: 4, guild: 'x' },
    };
    await call(participantRoutes.create, { params: params(), body: other });
    const { joinedAt } = await call(participantRoutes.create, { params: params(), body: own });
    const seen = await preview(own.externalUserId, other.externalUserId);
    expect(seen.joined?.joinedAt.localeCompare(joinedAt)).toBe(-1);
    expect(seen.participant).toMatchObject({
      ...{ displayName: 'Ana', language: 'de', userData: { level: 3, clan: 'red', guild: 'x' } },
      joinedAt: seen.joined?.joinedAt,
    });
    expect(seen.differing).toEqual([
      { field: 'displayName', kept: 'Ana', dropped: 'Anna' },
      { field: 'userData.level', kept: 3, dropped: 4 },
    ]);
    const shown = await cli.run(['participants', 'move', own.externalUserId, other.externalUserId, '--yes']);
    expect(shown.stdout + shown.stderr).toContain('keeps displayName "Ana", and not "Anna"');
  });

  it('leaves one open invitation of two to a gathering, and none where one of both has a seat', async () => {
    const [own, other, host] = [await person('asked-1'), await person('asked-2'), await person('host')];
    const open = async () =>
      (await call(gatheringRoutes.create, { params: params(), body: { name: 'Z', ownerId: host.id } })).id;
    const [raid, guild] = [await open(), await open()];
    const invite = (id: string, participantId: string, expiresAt?: string) =>
      call(gatheringInvitationRoutes.send, { params: item(id), body: { participantIds: [participantId], expiresAt } });
    await invite(raid, other.id);
    await invite(raid, own.id, new Date(Date.now() + 3_600_000).toISOString());
    await invite(guild, own.id);
    await call(gatheringMemberRoutes.add, { params: item(guild), body: { participantId: other.id } });
    await move('asked-1', 'asked-2');
    const invited = async (id: string) =>
      (await call(gatheringInvitationRoutes.list, { params: item(id), query: {} })).map((one) => [
        one.participantId,
        one.status,
      ]);
    expect(await invited(raid)).toEqual([
      [own.id, 'declined'],
      [own.id, 'pending'],
    ]);
    expect(await invited(guild)).toEqual([[own.id, 'accepted']]);
    const members = await call(gatheringMemberRoutes.list, { params: item(raid), query: { status: 'invited' } });
    expect(members.map(({ participantId }) => participantId)).toEqual([own.id]);
  });

  it('leaves no report about oneself, and counts two reporters who become one once', async () => {
    const report = (reporterUserId: string, externalUserId: string) =>
      call(reportRoutes.create, { params: params(), body: { externalUserId, reporterUserId, category: 'spam' } });
    for (const one of ['teller-1', 'teller-2']) await person(one);
    const [about, back] = [await report('teller-1', 'teller-2'), await report('teller-2', 'teller-1')];
    const third = await report('teller-1', 'third');
    await report('teller-2', 'third');
    const shown = async (id: string | null) => call(caseRoutes.get, { params: item(id ?? '') });
    expect(await shown(third.caseId)).toMatchObject({ reports: 2, reporters: 2 });
    await move('teller-1', 'teller-2');
    for (const { id } of [about, back])
      expect(await call(reportRoutes.get, { params: item(id) })).toMatchObject({
        externalUserId: 'teller-2',
        reporterUserId: null,
      });
    expect(await shown(third.caseId)).toMatchObject({ reports: 2, reporters: 1 });
  });

  it('moves nothing where two histories cannot become one, and names what is in the way', async () => {
    const { id } = await person('old-4');
    const other = await person('new-4');
    for (const user of ['old-4', 'new-4']) {
      await start(user);
      await kill(user, 1);
    }
    const lobby = await call(gatheringRoutes.create, { params: params(), body: { name: 'Y', ownerId: id } });
    await call(gatheringMemberRoutes.add, { params: item(lobby.id), body: { participantId: other.id } });
    const before = [await page('old-4'), await page('new-4')];
    const inTheWay = [`challenge:${challengeId}`, `gathering:${lobby.id}`];
    expect((await preview('old-4', 'new-4')).conflicts.map(({ resourceId }) => resourceId)).toEqual(inTheWay);
    await expect(move('old-4', 'new-4')).rejects.toMatchObject({
      ...{ status: 409, code: 'person_move_conflict' },
      details: inTheWay.map((path) => ({ path, message: expect.stringContaining('both have') })),
    });
    expect([await page('old-4'), await page('new-4')]).toEqual(before);
    await call(playerRoutes.reset, { params: { ...params(), userId: 'new-4', id: challengeId } });
    await call(gatheringMemberRoutes.remove, { params: { ...item(lobby.id), memberId: other.id } });
    expect((await move('old-4', 'new-4')).participant.id).toBe(id);
  });

  it('moves back, and moves somebody who has only been sanctioned', async () => {
    await call(sanctionRoutes.create, { params: params(), body: { type: 'perm_ban', externalUserId: 'old-5' } });
    expect((await move('old-5', 'new-5')).moved).toMatchObject({ sanctions: 1, activeSanctions: 1 });
    await move('new-5', 'old-5');
    expect((await page('old-5')).active).toHaveLength(1);
    expect((await page('new-5')).externalUserId).toBe('old-5');
  });

  it('makes one person of all who are moved to one id at the same time', async () => {
    const froms = ['left', 'middle', 'right'];
    for (const from of froms) await person(from);
    const moves = await Promise.all(froms.map((from) => move(from, 'together')));
    expect(moves.filter(({ joined }) => joined === null)).toHaveLength(1);
    const { participants } = await call(participantRoutes.list, { params: params(), query: { search: 'together' } });
    expect(participants).toHaveLength(1);
  });

  it('refuses an id that they have already, and a person whom nobody knows', async () => {
    const { id } = await person('old-6');
    await expect(move(id, 'old-6')).rejects.toMatchObject({ status: 400, code: 'person_move_to_self' });
    for (const act of [move, preview])
      await expect(act('never seen', 'new-6')).rejects.toMatchObject({ status: 404, code: 'participant_not_found' });
  });

  if (kind !== 'SQLite') return; // commands are the same on both
  describe('earshot participants move', () => {
    it('shows what would move, needs --yes in a script, and prints the command that undoes it', async () => {
      const { id } = await person('old-7', 'Carla');
      await note(id, 'one');
      const dry = await cli.run(['participants', 'move', 'carla', 'new 7', '--dry-run']);
      expect(dry).toMatchObject({ code: 0, stdout: 'Carla: old-7 -> new 7\n1 note\n' });
      const asked = await cli.run(['people', 'move', 'carla', 'new 7']);
      expect(asked).toMatchObject({ code: 2, stderr: expect.stringMatching(/moves Carla \(old-7\) to new 7.*--yes/s) });
      const done = await cli.run(['participants', 'move', 'carla', 'new 7', '--yes']);
      expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining("move 'new 7' old-7") });
      expect((await cli.run(['who', 'carla'])).stdout).toContain('Carla (new 7), formerly old-7');
      const undone = await cli.run(['players', 'move', 'new 7', 'old-7', '--yes', '--json']);
      expect(JSON.parse(undone.stdout)).toMatchObject({ to: 'old-7', participant: { id } });
    });

    it('says the id once of somebody who has no other name', async () => {
      await person('plain-1');
      await person('plain-2');
      const dry = await cli.run(['participants', 'move', 'plain-1', 'plain-2', '--dry-run']);
      expect(dry.stdout).toMatch(/^plain-1 -> plain-2\n[\s\S]*^is merged with plain-2$/m);
      const asked = await cli.run(['participants', 'move', 'plain-1', 'plain-2']);
      expect(asked.stderr).toMatch(/moves plain-1 to plain-2: .* plain-2 is merged into them/);
      expect((await cli.run(['who', 'plain-1'])).stdout).toMatch(/^plain-1, here since/);
      expect((await cli.run(['why', 'plain-1'])).stdout).toMatch(/^person plain-1$/m);
    });

    it('says what is in the way', async () => {
      for (const user of ['old-8', 'new-8']) {
        await person(user);
        await start(user);
        await kill(user, 1);
      }
      const refused = await cli.run(['participants', 'move', 'old-8', 'new-8', '--yes']);
      expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('both have progress') });
      const dry = await cli.run(['participants', 'move', 'old-8', 'new-8', '--dry-run']);
      expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('prevents the move: both have progress') });
    });

    it.skipIf(!hasTerminal)('asks on a terminal for the name', async () => {
      await person('old-9', 'Dora');
      const terminal = onTerminal(`${process.execPath} ${program} participants move dora new-9`, environment());
      await terminal.answer('Type Dora to continue', 'Dora\n');
      expect(await terminal.ended).toBe(0);
      expect((await page('new-9')).participant?.displayName).toBe('Dora');
    });
  });
});
