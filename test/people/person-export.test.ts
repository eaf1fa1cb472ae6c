/** GET /api/projects/{projectId}/people/{user}/export, and `earshot participants export`. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { ExportEnd } from '../../src/contract/common.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { PersonRecord, personExportRoutes, personRecordScopes } from '../../src/contract/people/person-export.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
let folder: string;
let participantId: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const params = () => ({ projectId: daemon.projectId });
const sound = Buffer.from('RIFF a sound that is a secret of Ann');
const hostile = '</dl><script>alert("Ann")</script>\u0007';

async function answerOf(
  user: string,
  query: { after?: string; limit?: number; confidential?: boolean } = {},
  client: EarshotClient = daemon.admin,
) {
  const response = await client.fetch(personExportRoutes.export, { params: { ...params(), user }, query });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const end = ExportEnd.parse(lines.pop());
  return { records: lines.map((line) => PersonRecord.parse(line)), next: end.next };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-export-'));
  daemon = await startDaemon();
  const { admin, client } = daemon;
  const ann = { externalUserId: 'ann.1', displayName: 'Ann' };
  ({ id: participantId } = await admin.call(participantRoutes.create, { params: params(), body: ann }));
  await admin.call(participantRoutes.create, { params: params(), body: { externalUserId: 'other' } });
  for (const text of ['first note', hostile])
    await admin.call(participantRecordRoutes.addNote, { params: { ...params(), id: participantId }, body: { text } });
  await client.call(settingsRoutes.put, { params: params(), body: { tokenProvider: 'embedded' } });
  await client.call(settingsRoutes.debugAudio, { params: params(), body: { enabled: true } });
  const session = { title: 'Evening', externalRoomId: 'hall', autoStart: false };
  const { id } = await client.call(sessionRoutes.create, { params: params(), body: session });
  const say = (externalUserId: string, content: string) =>
    client.call(sessionRoutes.say, { params: { ...params(), id }, body: { externalUserId, content } });
  for (let count = 0; count < 5; count += 1) await say('ann.1', `word ${count}`);
  await say('other', 'a secret of somebody else');
  const { id: messageId } = await say('ann.1', 'with sound');
  mkdirSync(join(daemon.dataDir, 'audio'), { recursive: true });
  writeFileSync(join(daemon.dataDir, 'audio', 'ann.wav'), sound);
  const update = `UPDATE "Message" SET "audioFile" = 'ann.wav', "audioExpiresAt" = ? WHERE "id" = ?`;
  await writeBeside(daemon.databaseUrl, update, new Date(Date.now() + 3_600_000).toISOString(), messageId);
  const game = await daemon.clientWith(['gameplay'], daemon.projectId);
  const event = { user_id: 'ann.1', event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 2 } } as const;
  for (let count = 0; count < 3; count += 1) await game.call(gameplayRoutes.sendEvent, { body: event });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
  rmSync(folder, { recursive: true, force: true });
});

describe('the export of a person', () => {
  it('has their records kind by kind, with the sound of what they said, and nothing of others', async () => {
    const { records, next } = await answerOf('ann.1');
    expect(next).toBeNull();
    const of = (kind: string) => records.filter((one) => one.kind === kind).map(({ record }) => record);
    expect(of('participant')).toMatchObject([{ id: participantId, displayName: 'Ann' }]);
    expect(of('note')).toMatchObject([{ text: 'first note' }, { text: hostile }]);
    expect(of('gameEvent')).toMatchObject(
      [1, 2, 3].map(() => ({ eventName: 'kill-enemy', properties: { amount: 2 } })),
    );
    const messages = of('message');
    expect(messages.map(({ content }) => content)).toEqual(
      [0, 1, 2, 3, 4].map((n) => `word ${n}`).concat('with sound'),
    );
    expect(messages.at(-1)?.audio).toEqual({ mediaType: 'audio/wav', base64: sound.toString('base64') });
    expect(messages[0]).toMatchObject({ audio: null, annotations: [] });
    expect(of('event').map(({ type }) => type)).toContain('message.created');
    expect(of('auditEntry').map(({ action }) => action)).toContain('createParticipantNote');
    for (const entry of of('auditEntry')) expect(entry).not.toHaveProperty('address');
    expect(JSON.stringify(records)).not.toContain('somebody else');
    expect((await answerOf(participantId)).records.map(({ place }) => place).slice(0, 9)).toEqual(
      records.map(({ place }) => place).slice(0, 9),
    );
  });

  it('goes on exactly behind any place', async () => {
    const { records } = await answerOf('ann.1');
    const places = records.filter(({ kind }) => kind !== 'auditEntry').map(({ place }) => place);
    const gathered: string[] = [];
    let after: string | undefined;
    do {
      const answer = await answerOf('ann.1', { limit: 2, ...(after === undefined ? {} : { after }) });
      expect(answer.records.length).toBeLessThanOrEqual(2);
      gathered.push(...answer.records.map(({ place }) => place));
      after = answer.next ?? undefined;
    } while (after !== undefined && !after.startsWith('auditEntry'));
    expect(gathered.filter((place) => !place.startsWith('auditEntry'))).toEqual(places);
    const middle = Math.floor(places.length / 2);
    const rest = (await answerOf('ann.1', { after: places[middle] ?? '' })).records.map(({ place }) => place);
    expect(rest.filter((place) => !place.startsWith('auditEntry'))).toEqual(places.slice(middle + 1));
    await expect(answerOf('ann.1', { after: 'nowhere.1' })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('goes on behind a place that contains an id with spaces', async () => {
    const [former, user] = ['Ann  Smith jr', 'smith'];
    const body = { name: 'Wins', eventName: 'kill-enemy' };
    const game = await daemon.clientWith(['gameplay'], daemon.projectId);
    const { id } = await daemon.client.call(leaderboardRoutes.create, { params: params(), body });
    const kill = { user_id: former, event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 2 } } as const;
    await game.call(gameplayRoutes.sendEvent, { body: kill });
    const member = { ...params(), id, memberType: 'user', memberId: former } as const;
    await daemon.client.call(leaderboardRoutes.removeMember, { params: member });
    await daemon.admin.call(personMoveRoutes.move, {
      params: { ...params(), user: former },
      body: { externalUserId: user },
    });
    const exclusion = { params: params(), body: { userId: user, leaderboardId: id } };
    await daemon.client.call(leaderboardExclusionRoutes.exclude, exclusion);
    const { records } = await answerOf(user);
    const places = records.flatMap(({ kind, place }) => (kind === 'leaderboardExclusion' ? [place] : []));
    expect(places).toHaveLength(2);
    for (const [index, after] of places.entries()) {
      const next = (await answerOf(user, { after })).records.map((one) => one.place);
      expect(next.filter((one) => one.startsWith('leaderboardExclusion'))).toEqual(places.slice(index + 1));
    }
  });

  it('is of everybody of whom something is stored, whatever it is, and of nobody else', async () => {
    const report = { externalUserId: 'reported', reporterUserId: 'reporter', category: 'spam' };
    await daemon.client.call(reportRoutes.create, { params: params(), body: report });
    const block = { params: { ...params(), user: 'blocker' }, body: { blockedUserId: 'blocked' } };
    await daemon.client.call(blockRoutes.create, block);
    const board = { name: 'Kills', eventName: 'kill-enemy' };
    const { id: leaderboardId } = await daemon.client.call(leaderboardRoutes.create, { params: params(), body: board });
    const exclusion = { params: params(), body: { userId: 'excluded', leaderboardId } };
    await daemon.client.call(leaderboardExclusionRoutes.exclude, exclusion);
    for (const [user, kind] of [
      ['reported', 'report'],
      ['reporter', 'report'],
      ['blocker', 'block'],
      ['excluded', 'leaderboardExclusion'],
    ] as const) {
      expect((await answerOf(user)).records.map((one) => one.kind)).toContain(kind);
      const moved = `${user}-moved`;
      const move = { params: { ...params(), user }, body: { externalUserId: moved } };
      await daemon.admin.call(personMoveRoutes.move, move);
      expect((await answerOf(moved)).records.map((one) => one.kind)).toContain(kind);
      await daemon.admin.call(personRoutes.erase, { params: { ...params(), user: moved } });
      await expect(answerOf(user)).rejects.toMatchObject({ code: 'participant_not_found' });
      await expect(daemon.admin.call(personMoveRoutes.move, move)).rejects.toMatchObject({
        code: 'participant_not_found',
      });
    }
  });

  it('refuses a third export of the tenant', async () => {
    const open = new AbortController();
    const ask = () =>
      daemon.admin.open(personExportRoutes.export, { params: { ...params(), user: 'ann.1' } }, open.signal);
    const answers = await Promise.allSettled(Array.from({ length: 6 }, ask));
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ status: 429, code: 'rate_limited' });
    open.abort();
  });

  it('is recorded, and is for administrators; to a key it says what its scopes leave out', async () => {
    await answerOf('ann.1');
    const target = { params: params(), query: { target: 'ann.1', action: 'exportPerson' } };
    const [entry] = (await daemon.admin.call(auditRoutes.list, target)).entries;
    expect(entry).toMatchObject({ outcome: 'done', targets: [{ kind: 'person', id: 'ann.1', name: 'Ann' }] });
    const scopes = [...new Set(Object.values(personRecordScopes))];
    const whole = await answerOf('ann.1', {}, await daemon.clientWith(scopes));
    expect(whole.records[0]?.kind).toBe('participant');
    const short = await daemon.clientWith(scopes.filter((scope) => scope !== 'audit:read'));
    const { records } = await answerOf('ann.1', {}, short);
    expect(records[0]).toMatchObject({ kind: 'leftOut', record: { kinds: ['auditEntry'], scopes: ['audit:read'] } });
    expect(records.map(({ kind }) => kind)).not.toContain('auditEntry');
    expect((await answerOf('ann.1', { after: records[0]?.place ?? '' }, short)).records).toEqual(records.slice(1));
    await expect(answerOf('nobody at all')).rejects.toMatchObject({ code: 'participant_not_found' });
  });

  it('has neither what others wrote in reports nor notes on cases, unless it is asked for, which is recorded', async () => {
    const about = { externalUserId: 'eve', category: 'hate', words: 'Eve is my neighbour.', reporterUserId: 'ben' };
    const { caseId } = await daemon.admin.call(reportRoutes.create, { params: params(), body: about });
    const own = { externalUserId: 'ben', category: 'hate', words: 'Ben began.', reporterUserId: 'eve' };
    await daemon.admin.call(reportRoutes.create, { params: params(), body: own });
    await daemon.admin.call(participantRoutes.create, { params: params(), body: { externalUserId: 'eve' } });
    const note = { decision: 'no_action', reasonCode: 'no_violation', note: 'Ben is right.' } as const;
    await daemon.admin.call(caseRoutes.decide, { params: { ...params(), id: caseId ?? '' }, body: note });
    const usual = JSON.stringify((await answerOf('eve')).records);
    expect(usual).toContain('Ben began.');
    expect(usual).not.toMatch(/neighbour|Ben is right/);
    const whole = JSON.stringify((await answerOf('eve', { confidential: true })).records);
    expect(whole).toContain('Eve is my neighbour.');
    expect(whole).toContain('Ben is right.');
    const query = { target: 'eve', action: 'exportPerson' };
    const { entries } = await daemon.admin.call(auditRoutes.list, { params: params(), query });
    expect(entries.map(({ changed }) => changed)).toEqual([['confidential'], []]);
    const printed = await cli.run(['participants', 'export', 'eve', '--confidential']);
    expect(printed.stdout).toContain('Eve is my neighbour.');
  });

  it('is a text, one object of JSON, or a page with the sound in it', async () => {
    const text = await cli.run(['participants', 'export', 'Ann']);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('Notes of moderators\n');
    expect(text.stdout).toContain('content: with sound\n');
    expect(text.stdout).not.toContain('\u0007');

    const json = join(folder, 'ann.json');
    expect((await cli.run(['participants', 'export', 'Ann', '--out', json])).code).toBe(0);
    expect(statSync(json).mode & 0o777).toBe(0o600);
    const { person, records } = JSON.parse(readFileSync(json, 'utf8'));
    expect(person).toBe('ann.1');
    expect(records.note).toHaveLength(2);
    expect(records.message.at(-1).audio.base64).toBe(sound.toString('base64'));
    expect(
      JSON.parse((await cli.run(['participants', 'export', 'Ann', '--json'])).stdout).records.message,
    ).toHaveLength(6);

    const page = join(folder, 'ann.html');
    expect((await cli.run(['people', 'export', 'ann.1', '-o', page])).code).toBe(0);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain(`<audio controls src="data:audio/wav;base64,${sound.toString('base64')}">`);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script');

    const nowhere = join(folder, 'missing', 'ann.json');
    expect(await cli.run(['participants', 'export', 'Ann', '--out', nowhere])).toMatchObject({ code: 2 });
    expect(await cli.run(['participants', 'export', 'stranger', '--out', join(folder, 's.json')])).toMatchObject({
      code: 4,
    });
    expect([join(folder, 's.json'), join(folder, 's.json.part')].filter(existsSync)).toEqual([]);
  });

  it('follows a move, with what was done to them before it', async () => {
    const move = { params: { ...params(), user: 'ann.1' }, body: { externalUserId: 'ann.2' } };
    await daemon.admin.call(personMoveRoutes.move, move);
    const { records } = await answerOf('ann.1');
    const of = (kind: string) => records.filter((one) => one.kind === kind).map(({ record }) => record);
    expect(of('participant')).toMatchObject([{ externalUserId: 'ann.2' }]);
    expect(of('formerId')).toMatchObject([{ externalUserId: 'ann.1' }]);
    expect(of('message')).toHaveLength(6);
    expect(of('auditEntry').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['createParticipantNote', 'exportPerson', 'movePerson']),
    );
  });
});
