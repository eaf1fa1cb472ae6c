/**
 * The basis of a sanction, carried along from what led to it: who found it and who decided, Regulation (EU) 2022/2065,
 * Article 17(3)(c), on which ground (d), and from which case. Statement, export and figures say the same.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import type { Sanction } from '../../src/contract/moderation/sanction-record.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { caseRoutes, type DecideCaseRequest } from '../../src/contract/reports/cases.js';
import { orderRoutes } from '../../src/contract/reports/orders.js';
import { reportSettingsRoutes } from '../../src/contract/reports/report-settings.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { publicStatementRoutes } from '../../src/contract/stats/public-statements.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

describeDaemonsOnEachDatabase('the basis of a sanction', (start) => {
  let daemon: TestDaemon;
  /** The client of a game server, with an API key. */
  let key: EarshotClient;
  let sessionId: string;
  let count = 0;
  let person: string;
  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  beforeAll(async () => {
    daemon = await start();
    key = daemon.client;
    const body = { title: 'Hall', externalRoomId: 'hall', autoStart: false };
    sessionId = (await daemon.admin.call(sessionRoutes.create, { params: params(), body })).id;
    await daemon.admin.call(ruleRoutes.create, {
      params: params(),
      body: {
        ...{ name: 'Frogs', sanctionsPerHourMax: 100 },
        definition: {
          ...{ format: 1, mode: 'enforce', when: { all: [{ words: { any: ['frog'] } }] } },
          steps: [[{ review: { statement: 'look at this' } }]],
        },
      },
    });
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    count += 1;
    person = `u${count}`;
  });

  const say = (content: string) =>
    daemon.admin.call(sessionRoutes.say, { ...item(sessionId), body: { externalUserId: person, content } });
  const impose = (client: EarshotClient, fields: Partial<CreateSanctionRequest> = {}) =>
    client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'temp_ban', externalUserId: person, duration: 600, ...fields },
    });
  const told = ({ id }: Pick<Sanction, 'id'>) => daemon.admin.call(statementRoutes.get, item(id));
  const exported = async ({ id }: Pick<Sanction, 'id'>) => {
    const query = { limit: 100 };
    const { statements } = await daemon.admin.call(publicStatementRoutes.export, { params: params(), query });
    return statements.find(({ puid }) => puid === id);
  };
  const report = (fields: object = {}) =>
    daemon.admin.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: person, category: 'hate', ...fields },
    });
  const decide = async (
    client: EarshotClient,
    caseId: string | null,
    sanction: DecideCaseRequest['sanction'],
    reasonCode: 'violation' | 'illegal_content' = 'violation',
  ) => {
    const body = { decision: 'sanction', reasonCode, sanction } as const;
    const { sanctionId } = await client.call(caseRoutes.decide, { ...item(caseId ?? ''), body });
    return daemon.admin.call(sanctionRoutes.get, item(sanctionId ?? ''));
  };
  const mute = { type: 'mute', duration: 600 } as const;

  it('by somebody who is signed in is a decision of a person', async () => {
    const imposed = await impose(daemon.admin);
    expect(imposed).toMatchObject({ foundBy: 'person', decidedBy: 'person', caseId: null, source: 'own_initiative' });
    const statement = await told(imposed);
    expect(statement).toMatchObject({ automatedDetection: false, automatedDecision: false });
    expect(statement.text).toContain('A person made the decision.');
    await expect(impose(daemon.admin, { decidedBy: 'program' })).rejects.toMatchObject({
      ...{ status: 400, code: 'validation_failed', details: [{ path: 'body.decidedBy' }] },
    });
  });

  it('by a key is a decision of a program, unless the key says person', async () => {
    const imposed = await impose(key);
    expect(imposed).toMatchObject({ foundBy: 'program', decidedBy: 'program' });
    const statement = await told(imposed);
    expect(statement).toMatchObject({ automatedDetection: true, automatedDecision: true });
    expect(statement.text).toContain('A program found it. A program made the decision; no person took part in it.');
    expect(await exported(imposed)).toMatchObject({
      ...{
        automated_detection: 'Yes',
        automated_decision: 'AUTOMATED_DECISION_FULLY',
        source_type: 'SOURCE_VOLUNTARY',
      },
    });
    expect(await impose(key, { decidedBy: 'person' })).toMatchObject({ foundBy: 'person', decidedBy: 'person' });
    expect(await impose(key, { decidedBy: 'person', foundBy: 'program' })).toMatchObject({ foundBy: 'program' });
    expect(await impose(key, { source: 'report' })).toMatchObject({ foundBy: 'person', decidedBy: 'program' });
  });

  it('that names written lines says when they were written, and of which kind they are', async () => {
    const { id, timestamp } = await say('something else');
    const imposed = await impose(daemon.admin, { evidence: { messageIds: [id] } });
    expect(imposed).toMatchObject({ foundBy: 'person' });
    expect(await exported(imposed)).toMatchObject({
      ...{ content_type: ['CONTENT_TYPE_TEXT'], content_date: timestamp.slice(0, 10) },
    });
    expect(await exported(await impose(daemon.admin))).toMatchObject({
      ...{ content_type: ['CONTENT_TYPE_OTHER'], content_type_other: 'Not specified' },
    });
  });

  it('of a case that a rule opened was found by a program and decided by a person, with the line and the rule', async () => {
    const { id: messageId } = await say('a frog');
    const found = await eventually(async () => {
      const query = { externalUserId: person };
      const { cases } = await daemon.admin.call(caseRoutes.list, { params: params(), query });
      expect(cases).toHaveLength(1);
      return cases[0];
    });
    const imposed = await decide(daemon.admin, found?.id ?? null, mute);
    expect(imposed).toMatchObject({
      ...{ foundBy: 'program', decidedBy: 'person', source: 'own_initiative', caseId: found?.id },
      evidence: { messageIds: [messageId], ruleId: expect.any(String), reviewId: expect.any(String) },
    });
    expect((await told(imposed)).text).toContain('A program found it. A person made the decision.');
    expect(await exported(imposed)).toMatchObject({
      ...{ automated_detection: 'Yes', automated_decision: 'AUTOMATED_DECISION_NOT_AUTOMATED' },
    });
  });

  it('against the law names it, in the statement and in the export', async () => {
    const { caseId } = await report();
    await expect(decide(daemon.admin, caseId, mute, 'illegal_content')).rejects.toMatchObject({
      ...{ status: 400, code: 'case_ground_mismatch' },
    });
    const ground = { kind: 'law', reference: 'Criminal Code, section 130' } as const;
    await expect(decide(daemon.admin, caseId, { ...mute, ground })).rejects.toMatchObject({
      code: 'case_ground_mismatch',
    });
    const imposed = await decide(daemon.admin, caseId, { ...mute, ground }, 'illegal_content');
    expect(imposed).toMatchObject({ ground, source: 'report', category: 'hate', caseId });
    expect((await told(imposed)).text).toContain('It is against the law: Criminal Code, section 130.');
    expect(await exported(imposed)).toMatchObject({
      ...{ decision_ground: 'DECISION_GROUND_ILLEGAL_CONTENT', source_type: 'SOURCE_ARTICLE_16' },
      category: 'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH',
    });
  });

  it('under an order is against the law that the order names, and is not in the public database', async () => {
    const order = await daemon.admin.call(orderRoutes.create, {
      params: params(),
      body: {
        ...{ kind: 'act', authority: 'Court of Sometown', memberState: 'DE', reference: `${person}/26` },
        ...{ category: 'threats', legalGround: 'Criminal Code, section 241', externalUserId: person },
      },
    });
    const imposed = await decide(daemon.admin, order.caseId, mute, 'illegal_content');
    expect(imposed).toMatchObject({
      ...{ source: 'order', ground: { kind: 'law', reference: 'Criminal Code, section 241' } },
    });
    expect((await told(imposed)).text).toContain('An authority ordered this.');
    expect(await exported(imposed)).toBeUndefined();
  });

  it('of a notice by a trusted flagger says so', async () => {
    const notice = { from: 'Meldestelle', reference: person, trustedFlagger: true, receivedAt: '2026-01-02T03:04:05Z' };
    const { caseId } = await report({ words: 'A letter.', notice });
    const imposed = await decide(daemon.admin, caseId, mute);
    expect(imposed).toMatchObject({ source: 'trusted_flagger', foundBy: 'person', decidedBy: 'person' });
    expect((await told(imposed)).text).toContain('A trusted flagger');
    expect(await exported(imposed)).toMatchObject({
      ...{ source_type: 'SOURCE_TRUSTED_FLAGGER', content_date: '2026-01-02' },
    });
  });

  it('that a program proposed and a person confirmed is a decision of both', async () => {
    const change = (confirmPermanentBans: boolean) =>
      daemon.admin.call(reportSettingsRoutes.update, { params: params(), body: { confirmPermanentBans } });
    await change(true);
    const { caseId } = await report();
    const at = item(caseId ?? '');
    const proposed = { type: 'perm_ban', decidedBy: 'program' } as const;
    const body = { decision: 'sanction', reasonCode: 'violation', sanction: proposed } as const;
    await expect(daemon.admin.call(caseRoutes.decide, { ...at, body })).rejects.toMatchObject({
      ...{ code: 'validation_failed', details: [{ path: 'body.sanction.decidedBy' }] },
    });
    await daemon.client.call(caseRoutes.decide, { ...at, body });
    const { sanctionId } = await daemon.admin.call(caseRoutes.confirm, { ...at, body: { agree: true } });
    await change(false);
    const imposed = await daemon.admin.call(sanctionRoutes.get, item(sanctionId ?? ''));
    expect(imposed).toMatchObject({ decidedBy: 'both', foundBy: 'person' });
    const statement = await told(imposed);
    expect(statement.text).toContain('A program proposed the decision, and a person confirmed it.');
    expect(statement.automatedDecision).toBe(false);
    expect(await exported(imposed)).toMatchObject({ automated_decision: 'AUTOMATED_DECISION_PARTIALLY' });
  });

  it('of a case that a key decides is a decision of a program', async () => {
    const { caseId } = await report();
    expect(await decide(daemon.client, caseId, mute)).toMatchObject({ decidedBy: 'program', foundBy: 'person' });
    const { caseId: second } = await report();
    expect(await decide(daemon.client, second, { ...mute, decidedBy: 'person' })).toMatchObject({
      decidedBy: 'person',
    });
  });

  it('is what the transparency report counts: measures after notices, by law and terms, and automated ones', async () => {
    const year = new Date().getUTCFullYear();
    const figures = async () => {
      const found = await daemon.admin.call(transparencyRoutes.get, { params: params(), query: { year } });
      const [all, trusted] = [false, true].map((one) =>
        found.notices.find((row) => row.category === 'TOTAL' && row.trusted === one),
      );
      return { all, trusted, automated: found.automated };
    };
    const before = await figures();
    const { caseId } = await report();
    await decide(daemon.admin, caseId, { type: 'warn' }); // restricts nothing
    const { caseId: second } = await report();
    await decide(daemon.client, second, mute);
    const after = await figures();
    expect(after.all?.notices).toBe((before.all?.notices ?? 0) + 2);
    expect(after.all?.actionsByTerms).toBe((before.all?.actionsByTerms ?? 0) + 1);
    expect(after.automated.measures).toBe(before.automated.measures + 1);
    expect(after.automated.notAutomated).toBe(before.automated.notAutomated);
    expect(after.trusted?.actionsByTerms).toBe(1);
    expect(after.all?.actionsByLaw).toBe(1);
  });
});
