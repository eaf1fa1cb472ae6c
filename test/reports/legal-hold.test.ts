/** Legal holds: what a case rests on stays, and its people are erased once the hold is lifted. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const dayMs = 86_400_000;

describeDaemonsOnEachDatabase('a case on legal hold', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-01-01T00:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => now, settings: { EARSHOT_REPORT_RETENTION_DAYS: '30' } });
    await daemon.admin.call(settingsRoutes.update, { params: params(), body: { transcriptRetentionDays: 30 } });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  let count = 0;
  let person: string;
  beforeEach(() => {
    count += 1;
    person = `p${count}`;
    now = new Date(now.getTime() + 7_200_000);
  });

  const say = async (externalUserId: string) => {
    const { id } = await daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId: `room-${person}-${externalUserId}`, autoStart: false },
    });
    const { id: messageId } = await daemon.client.call(sessionRoutes.say, {
      ...item(id),
      body: { externalUserId, content: `words of ${externalUserId}` },
    });
    return { sessionId: id, messageId };
  };
  const report = (externalUserId: string, more: object = {}) =>
    daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId, category: 'threats', reporterUserId: `${externalUserId}-by`, ...more },
    });
  const held = async () => {
    const { messageId, sessionId } = await say(person);
    const { id, caseId } = await report(person, { evidence: { messageIds: [messageId] } });
    const hold = { ...item(caseId ?? ''), body: { reason: 'LG Bonn, 3 O 12/26' } };
    expect(await daemon.admin.call(caseRoutes.hold, hold)).toMatchObject({ heldAt: now.toISOString() });
    return { caseId: caseId ?? '', reportId: id, sessionId };
  };
  const erase = (user: string) => daemon.client.call(personRoutes.erase, { params: { ...params(), user } });
  const pageOf = (user: string) => daemon.client.call(personRoutes.get, { params: { ...params(), user } });
  const lift = (id: string) => daemon.admin.call(caseRoutes.liftHold, item(id));

  it('keeps its people, their reporters too, until it is lifted; then their erasure runs by itself', async () => {
    const { caseId, reportId } = await held();
    for (const user of [person, `${person}-by`])
      await expect(erase(user)).rejects.toMatchObject({
        ...{ status: 409, code: 'legal_hold', details: [{ path: 'caseId', message: caseId }] },
        message: expect.stringContaining(`The erasure was asked for at ${now.toISOString()}`),
      });
    const asked = now.toISOString();
    now = new Date(now.getTime() + 1_000);
    await expect(erase(person)).rejects.toMatchObject({ message: expect.stringContaining(asked) });
    expect((await pageOf(person)).legalHold).toMatchObject({ caseIds: [caseId], erasureRequestedAt: asked });
    expect(await daemon.client.call(caseRoutes.get, item(caseId))).toMatchObject({ holdReason: 'LG Bonn, 3 O 12/26' });
    await lift(caseId);
    await eventually(async () => {
      const { externalUserId, reporterUserId } = await daemon.client.call(reportRoutes.get, item(reportId));
      expect([externalUserId, reporterUserId]).toEqual([null, null]);
    }, 30_000);
    await expect(pageOf(person)).rejects.toMatchObject({ code: 'participant_not_found' });
  });

  it('keeps reports, transcripts and sessions beyond their time, and nothing of others', async () => {
    const { caseId, reportId, sessionId } = await held();
    const other = await say('somebody');
    const free = await report(`${person}-free`);
    for (const id of [caseId, free.caseId ?? ''])
      await daemon.client.call(caseRoutes.decide, {
        ...item(id),
        body: { decision: 'no_action', reasonCode: 'no_violation' },
      });
    now = new Date(now.getTime() + 40 * dayMs);
    await daemon.restart();
    const wordsIn = async (id: string) =>
      (await daemon.client.call(sessionRoutes.messages, item(id))).map(({ content }) => content);
    await eventually(async () => {
      expect(await wordsIn(other.sessionId)).toEqual([]);
      await expect(daemon.client.call(reportRoutes.get, item(free.id))).rejects.toMatchObject({ status: 404 });
    }, 30_000);
    expect(await wordsIn(sessionId)).toEqual([`words of ${person}`]);
    expect(await daemon.client.call(reportRoutes.get, item(reportId))).toMatchObject({ status: 'decided' });
    await expect(daemon.client.call(sessionRoutes.remove, item(sessionId))).rejects.toMatchObject({
      code: 'legal_hold',
    });
    await expect(daemon.admin.call(projectRoutes.remove, { params: params() })).rejects.toMatchObject({
      code: 'legal_hold',
    });
    await lift(caseId);
    await daemon.restart();
    await eventually(async () => expect(await wordsIn(sessionId)).toEqual([]), 30_000);
  });

  it('holds who joins it, and goes with a person who gets another id', async () => {
    const { caseId } = await held();
    await report(person, { reporterUserId: `${person}-late` });
    await expect(erase(`${person}-late`)).rejects.toMatchObject({ code: 'legal_hold' });
    const move = { params: { ...params(), user: person }, body: { externalUserId: `${person}-new` } };
    await daemon.client.call(personMoveRoutes.move, move);
    await expect(erase(`${person}-new`)).rejects.toMatchObject({ code: 'legal_hold' });
    await lift(caseId);
  });

  it('holds those of a case that is merged into it', async () => {
    const { caseId } = await held();
    const other = await report(`${person}-other`);
    const merge = { ...item(other.caseId ?? ''), body: { intoId: caseId } };
    await daemon.client.call(caseRoutes.merge, merge);
    for (const user of [`${person}-other`, `${person}-other-by`])
      await expect(erase(user)).rejects.toMatchObject({ code: 'legal_hold' });
    await lift(caseId);
  });

  it('is placed and lifted by administrators alone, once, and the audit log has it', async () => {
    const { caseId } = await held();
    const again = { ...item(caseId), body: { reason: 'again' } };
    await expect(daemon.admin.call(caseRoutes.hold, again)).rejects.toMatchObject({ code: 'case_held' });
    await expect(daemon.client.call(caseRoutes.hold, again)).rejects.toMatchObject({ status: 401 });
    await lift(caseId);
    await expect(lift(caseId)).rejects.toMatchObject({ code: 'case_not_held' });
  });

  it('of an erasure and a hold at once, either the person is gone or held whole', async () => {
    for (let round = 0; round < 6; round += 1) {
      person = `${person}x`;
      await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: person } });
      const { caseId, id } = await report(person);
      const hold = { ...item(caseId ?? ''), body: { reason: 'race' } };
      const [erasure] = await Promise.allSettled([erase(person), daemon.admin.call(caseRoutes.hold, hold)]);
      const { externalUserId } = await daemon.client.call(reportRoutes.get, item(id));
      const page = await pageOf(person).catch(() => null);
      if (erasure.status === 'fulfilled') expect([externalUserId, page]).toEqual([null, null]);
      else {
        expect(erasure.reason).toMatchObject({ code: 'legal_hold' });
        expect(page?.legalHold?.caseIds).toEqual([caseId]);
      }
      await lift(caseId ?? '');
    }
  });
});
