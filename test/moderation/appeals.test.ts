/** What somebody sees who decides an appeal, and appeals that somebody else makes in the person's name. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { signedInColleague } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('an appeal', (start) => {
  let daemon: TestDaemon;
  let ana: EarshotClient;
  let ben: EarshotClient;
  let person = '';
  let people = 0;
  beforeAll(async () => {
    daemon = await start();
    ana = await signedInColleague(daemon, 'moderator', 'ana');
    ben = await signedInColleague(daemon, 'moderator', 'ben');
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    people += 1;
    person = `person-${people}`;
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const player = async () => {
    const { token } = await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId: person } });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };
  /** A ban that Ana decided in a case, for what the person said. */
  const ban = async () => {
    await daemon.client.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: person, language: 'de' },
    });
    const body = { title: person, externalRoomId: person, autoStart: false };
    const { id: sessionId } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const said = { externalUserId: person, content: 'I know where you live.' };
    const { id: messageId } = await daemon.client.call(sessionRoutes.say, {
      params: { ...params(), id: sessionId },
      body: said,
    });
    const { id: reportId, caseId } = await daemon.client.call(reportRoutes.create, {
      params: params(),
      body: {
        externalUserId: person,
        category: 'threats',
        reporterUserId: 'ann',
        words: 'He threatened me.',
        evidence: { messageIds: [messageId] },
      },
    });
    const sanction = { type: 'temp_ban', duration: 86_400, reason: 'Drohung' } as const;
    const decision = { decision: 'sanction', reasonCode: 'violation', sanction, note: 'second time' } as const;
    const { sanctionId } = await ana.call(caseRoutes.decide, { ...item(caseId ?? ''), body: decision });
    return { id: sanctionId ?? '', caseId: caseId ?? '', reportId, messageId };
  };
  const appealSelf = async (id: string) =>
    (await player()).call(statementRoutes.appealMine, { params: { id }, body: { statement: 'It was a song.' } });
  const appealInName = (id: string, by = ben) =>
    by.call(reviewRoutes.appeal, { ...item(id), body: { statement: 'He wrote a mail.' } });
  const told = async () => (await (await player()).call(statementRoutes.mine, {})).statements[0];
  const decide = async (id: string, decision: 'upheld' | 'overturned', more: object = {}) => {
    await daemon.admin.call(reviewRoutes.update, { ...item(id), body: { status: 'claimed' } });
    const body = { status: 'decided', decision, answer: 'We heard it again.', ...more } as const;
    return daemon.admin.call(reviewRoutes.update, { ...item(id), body });
  };

  it('shows who decides it the sanction, its case with reports and note, the messages and what the person was told', async () => {
    const { id, caseId, reportId, messageId } = await ban();
    await appealSelf(id);
    const { reviews } = await ben.call(reviewRoutes.list, { params: params(), query: { sanctionId: id } });
    const detail = await ben.call(reviewRoutes.get, item(reviews[0]?.id ?? ''));
    expect(detail).toMatchObject({
      ...{ kind: 'appeal', statement: 'It was a song.', inName: false, createdBy: null },
      sanction: { id, caseId, type: 'temp_ban' },
      case: { id: caseId, category: 'threats', reasonCode: 'violation', note: 'second time' },
      told: { language: 'de', title: 'Du bist für eine gewisse Zeit ausgeschlossen' },
    });
    expect(detail.case?.reports).toMatchObject([{ id: reportId, words: 'He threatened me.', reporterUserId: 'ann' }]);
    expect(detail.messages.map((message) => message.id)).toEqual([messageId]);
    expect(detail.told?.text).toContain('Grund: Drohung');
    const viewer = await signedInColleague(daemon, 'viewer', `viewer-${person}`);
    expect(await viewer.call(reviewRoutes.get, item(detail.id))).toMatchObject({ case: null, sanction: { id } });
    const keyWithout = await daemon.clientWith(['plugins:read']);
    expect(await keyWithout.call(reviewRoutes.get, item(detail.id))).toMatchObject({ case: null, createdBy: null });
    // What was told stays what it was once the appeal is granted.
    await decide(detail.id, 'overturned');
    expect((await ben.call(reviewRoutes.get, item(detail.id))).told).toEqual(detail.told);
  });

  it('made in the name of the person says by whom, and leaves the person their own', async () => {
    const { id } = await ban();
    const made = await appealInName(id);
    expect(made).toMatchObject({ inName: true });
    expect(await daemon.admin.call(reviewRoutes.get, item(made.id))).toMatchObject({
      ...{ inName: true, createdByUserId: made.createdByUserId, createdBy: 'ben@example.com' },
    });
    await expect(appealInName(id, ana)).rejects.toMatchObject({ code: 'sanction_already_appealed' });
    const waiting = await told();
    expect(waiting?.appeal).toMatchObject({ state: 'possible', statement: null, inName: { decision: null } });
    expect(waiting?.text).toContain('Das Team oder das Spiel hat in deinem Namen Beschwerde eingelegt');
    await decide(made.id, 'upheld');
    expect((await told())?.appeal).toMatchObject({ state: 'possible', inName: { answer: 'We heard it again.' } });
    expect(await appealSelf(id)).toMatchObject({ appeal: { state: 'waiting', statement: 'It was a song.' } });
    await expect(appealSelf(id)).rejects.toMatchObject({ code: 'sanction_already_appealed' });
  });

  it('made in the name of the person is no misuse by the person', async () => {
    const { id } = await ban();
    await decide((await appealInName(id)).id, 'upheld', { unfounded: true });
    const misuse = await daemon.client.call(reporterRoutes.get, { params: { ...params(), externalUserId: person } });
    expect(misuse).toMatchObject({ unfoundedAppeals: 0 });
    const own = (await ben.call(sanctionRoutes.get, item(id))).isActive;
    expect(own).toBe(true);
  });
});
