/** What a sanction rests on stays until the last appeal against it can be decided, and then goes like everything else. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { colleague, colleaguePassword } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const dayMs = 86_400_000;
const day = 86_400;
const patienceMs = 60_000;

describeDaemonsOnEachDatabase('the evidence of a sanction', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-01-01T00:00:00.000Z');
  let count = 0;
  let person: string;
  beforeAll(async () => {
    daemon = await start({ now: () => now, settings: { EARSHOT_REPORT_RETENTION_DAYS: '30' } });
    await colleague(daemon, 'moderator', 'ben');
    await daemon.admin.call(settingsRoutes.update, { params: params(), body: { transcriptRetentionDays: 30 } });
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    count += 1;
    person = `p${count}`;
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const say = async (externalUserId: string) => {
    const body = { title: 'Match', externalRoomId: `room-${externalUserId}`, autoStart: false };
    const { id: sessionId } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const line = { externalUserId, content: `words of ${externalUserId}` };
    const { id } = await daemon.client.call(sessionRoutes.say, { ...item(sessionId), body: line });
    return { id, sessionId };
  };
  const reported = async (externalUserId: string, messageId: string) => {
    const evidence = { messageIds: [messageId] };
    const body = { externalUserId, category: 'threats', reporterUserId: 'r', evidence };
    const { id, caseId } = await daemon.client.call(reportRoutes.create, { params: params(), body });
    return { id, caseId: caseId ?? '' };
  };
  /** A case that bans its person, and how much of what it rests on is there: line, report and case. */
  const banned = async (sanction: { type: 'temp_ban'; duration: number } | { type: 'perm_ban' }) => {
    const line = await say(person);
    const { id, caseId } = await reported(person, line.id);
    const body = { decision: 'sanction', reasonCode: 'violation', sanction } as const;
    const { sanctionId } = await daemon.client.call(caseRoutes.decide, { ...item(caseId), body });
    const there = async () => {
      const lines = await daemon.client.call(sessionRoutes.messages, item(line.sessionId));
      const reads = [
        daemon.client.call(reportRoutes.get, item(id)).then(({ transcript }) => transcript.length === 1),
        daemon.client.call(caseRoutes.get, item(caseId)).then(() => true),
      ];
      return [lines.length === 1, ...(await Promise.all(reads.map((one) => one.catch(() => false))))];
    };
    return { sanctionId: sanctionId ?? '', there };
  };
  const [all, nothing] = [
    [true, true, true],
    [false, false, false],
  ];
  /** Lets time pass until what nobody needs has been deleted. */
  const pass = async (days: number) => {
    const line = await say(`${person}-free-${days}`);
    const { id, caseId } = await reported(`${person}-free-${days}`, line.id);
    const body = { decision: 'no_action', reasonCode: 'no_violation' } as const;
    await daemon.client.call(caseRoutes.decide, { ...item(caseId), body });
    now = new Date(now.getTime() + days * dayMs);
    await daemon.restart();
    await eventually(async () => {
      expect(await daemon.client.call(sessionRoutes.messages, item(line.sessionId))).toEqual([]);
      await expect(daemon.client.call(reportRoutes.get, item(id))).rejects.toMatchObject({ status: 404 });
      await expect(daemon.client.call(caseRoutes.get, item(caseId))).rejects.toMatchObject({ status: 404 });
    }, patienceMs);
  };
  /** What was given free in one round goes in the next, which a start begins. */
  const goes = (there: () => Promise<boolean[]>) =>
    eventually(async () => {
      await daemon.restart();
      expect(await there()).toEqual(nothing);
    }, patienceMs);

  it('stays for six months, also when it has ended', async () => {
    const { there } = await banned({ type: 'temp_ban', duration: day });
    await pass(170);
    expect(await there()).toEqual(all);
    now = new Date(now.getTime() + 20 * dayMs);
    await goes(there);
  });

  it('stays as long as the sanction is in force', async () => {
    const { sanctionId, there } = await banned({ type: 'perm_ban' });
    await pass(400);
    expect(await there()).toEqual(all);
    await daemon.client.call(sanctionRoutes.revoke, { ...item(sanctionId), body: {} });
    now = new Date(now.getTime() + 2 * dayMs);
    await goes(there);
  });

  it('stays as long as an appeal waits', async () => {
    const { sanctionId, there } = await banned({ type: 'temp_ban', duration: day });
    now = new Date(now.getTime() + 150 * dayMs);
    const { id } = await daemon.client.call(reviewRoutes.appeal, {
      ...item(sanctionId),
      body: { statement: 'Not me.' },
    });
    await pass(100);
    expect(await there()).toEqual(all);
    const { accessToken } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
      body: { email: 'ben@example.com', password: colleaguePassword },
    });
    const ben = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
    await ben.call(reviewRoutes.update, { ...item(id), body: { status: 'claimed' } });
    const upheld = { status: 'decided', decision: 'upheld', answer: 'It was said.' } as const;
    await ben.call(reviewRoutes.update, { ...item(id), body: upheld });
    now = new Date(now.getTime() + 2 * dayMs);
    await goes(there);
  });

  it('is also the line that a sanction without a case names', async () => {
    const line = await say(person);
    const evidence = { messageIds: [line.id] };
    const body = { type: 'mute', externalUserId: person, duration: 60, evidence } as const;
    await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    await pass(40);
    expect(await daemon.client.call(sessionRoutes.messages, item(line.sessionId))).toHaveLength(1);
  });
});
