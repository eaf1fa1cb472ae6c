/** One story from a ban by a key to the complaint of the reporter, as each of the people meets it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { complaintRoutes, reportRoutes } from '../../src/contract/reports/reports.js';
import { publicStatementRoutes } from '../../src/contract/stats/public-statements.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { signedInColleague } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('a ban by a key', (start) => {
  let daemon: TestDaemon;
  let ana: EarshotClient;
  let ben: EarshotClient;
  let now = new Date('2026-05-04T10:00:00.000Z');
  let [reportId, sanctionId] = ['', ''];
  beforeAll(async () => {
    daemon = await start({ now: () => now });
    ana = await signedInColleague(daemon, 'moderator', 'ana');
    ben = await signedInColleague(daemon, 'moderator', 'ben');
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const pageOf = async (url: string) => (await fetch(url)).text();
  const send = (url: string, statement: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ statement }), redirect: 'manual' });
  const figures = async () => {
    const { complaints, automated } = await daemon.client.call(transparencyRoutes.get, {
      params: params(),
      query: { year: 2026 },
    });
    const { submitted, upheld, reversed } = complaints[0] ?? {};
    return { submitted, upheld, reversed, automatic: automated.measures, overturned: automated.overturned };
  };

  it('is told as what it is: reported, and decided by a program', async () => {
    const person = { externalUserId: 'u_max', language: 'de' };
    await daemon.client.call(participantRoutes.create, { params: params(), body: person });
    const { id, caseId } = await daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: 'u_max', category: 'cheating', reporterUserId: 'u_eva', words: 'Aimbot', language: 'de' },
    });
    reportId = id;
    const sanction = { type: 'temp_ban', duration: 86_400, reason: 'Aimbot' } as const;
    const body = { decision: 'sanction', reasonCode: 'violation', sanction } as const;
    const decided = await daemon.client.call(caseRoutes.decide, { ...item(caseId ?? ''), body });
    sanctionId = decided.sanctionId ?? '';
    const { url } = await daemon.client.call(statementRoutes.get, item(sanctionId));
    const html = await pageOf(url ?? '');
    expect(html).toContain('<h1>Du bist für eine gewisse Zeit ausgeschlossen</h1>');
    expect(html).toContain('Jemand hat das gemeldet. Ein Programm hat entschieden; kein Mensch war beteiligt.');
    const { statements } = await daemon.client.call(publicStatementRoutes.export, { params: params(), query: {} });
    expect(statements).toMatchObject([
      { puid: sanctionId, source_type: 'SOURCE_ARTICLE_16', automated_decision: 'AUTOMATED_DECISION_FULLY' },
    ]);
    expect(await figures()).toEqual({ submitted: 0, upheld: 0, reversed: 0, automatic: 1, overturned: 0 });
  });

  it('is appealed on the page in German, and lifted by somebody who sees all that led to it', async () => {
    now = new Date('2026-05-04T11:00:00.000Z');
    const { url } = await daemon.client.call(statementRoutes.get, item(sanctionId));
    expect((await send(url ?? '', 'Ich habe nur gut gezielt.')).status).toBe(303);
    const { reviews } = await ana.call(reviewRoutes.list, { params: params(), query: { kind: 'appeal' } });
    const id = reviews[0]?.id ?? '';
    expect(await ana.call(reviewRoutes.get, item(id))).toMatchObject({
      ...{ statement: 'Ich habe nur gut gezielt.', inName: false },
      sanction: { id: sanctionId, decidedBy: 'program', source: 'report' },
      case: { category: 'cheating', reports: [{ id: reportId, words: 'Aimbot', reporterUserId: 'u_eva' }] },
      told: { language: 'de', title: 'Du bist für eine gewisse Zeit ausgeschlossen' },
    });
    await ana.call(reviewRoutes.update, { ...item(id), body: { status: 'claimed' } });
    const body = { status: 'decided', decision: 'overturned', answer: 'Das war Können.' } as const;
    await ana.call(reviewRoutes.update, { ...item(id), body });
    const html = await pageOf(url ?? '');
    expect(html).toContain('<h1>Ausschluss für eine gewisse Zeit: aufgehoben</h1>');
    expect(html).toContain('Deiner Beschwerde wurde stattgegeben. Antwort: Das war Können.');
    expect(html).toContain('Es galt als Verstoß gegen die Regeln, die hier gelten.'); // and no longer does
    expect(await figures()).toEqual({ submitted: 1, upheld: 0, reversed: 1, automatic: 1, overturned: 1 });
  });

  it('leaves the reporter, whose report led to nothing any more, the complaint', async () => {
    now = new Date('2026-05-04T12:00:00.000Z');
    const { url, message } = await daemon.client.call(complaintRoutes.receipt, item(reportId));
    expect(message).toContain('Sie hat zu keiner Maßnahme geführt.');
    expect(message).not.toContain('Ein Programm hat entschieden'); // the program had banned
    expect((await send(url ?? '', 'Doch, schaut euch das Video an.')).status).toBe(303);
    expect(await pageOf(url ?? '')).toContain('Deine Beschwerde über die Entscheidung ist angekommen');
    const { cases } = await ben.call(caseRoutes.list, { params: params(), query: { externalUserId: 'u_max' } });
    const detail = await ben.call(caseRoutes.get, item(cases[0]?.id ?? ''));
    expect(detail.complaintList).toMatchObject([{ id: reportId, complaint: 'Doch, schaut euch das Video an.' }]);
    const body = { decision: 'upheld', answer: 'Im Video ist nichts zu sehen.' } as const;
    await ben.call(complaintRoutes.decide, { ...item(reportId), body });
    expect(await pageOf(url ?? '')).toContain(
      'Deine Beschwerde wurde abgelehnt. Antwort: Im Video ist nichts zu sehen.',
    );
    expect(await figures()).toEqual({ submitted: 2, upheld: 1, reversed: 1, automatic: 1, overturned: 1 });
  });
});
