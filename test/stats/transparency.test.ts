/** The transparency report: numbers from known events, and tables as the template of Regulation (EU) 2024/2835 has them. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { peopleIn, registerOf } from '../../daemon/modules/stats/days/people-sketch.js';
import { reportTables } from '../../src/cli/stats/transparency-tables.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { orderRoutes } from '../../src/contract/reports/orders.js';
import { complaintRoutes, reportRoutes } from '../../src/contract/reports/reports.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { commandLine } from '../support/cli.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

const flagged = ' (Trusted Flagger notices)';
const items = 'Number of specific items of information included in the total number of';
const restricted = [
  "Number of measures taken at the provider's own initiative",
  'Number of measures taken after detection with solely automated means',
  ...['Removal', 'Disable', 'Demoted', 'Age restricted', 'Interaction restricted', 'Labelled', 'Other'].map(
    (what) => `Visibility restriction ${what}`,
  ),
  ...['Suspension', 'Termination', 'Other'].map((what) => `Monetary restriction ${what}`),
  ...['Suspension', 'Termination'].map((what) => `Provision of the service ${what}`),
  ...['Suspension', 'Termination'].map((what) => `Account restriction ${what}`),
];
const noticed = [
  ...['Number of notices received', 'Number of notices received from Trusted flaggers'],
  ...[`${items} notices`, `${items} notices by Trusted Flaggers${flagged}`],
  ...['Median time to take action', `Median time to take action${flagged}`],
  ...['the law', 'the terms and conditions of the service'].flatMap((basis) =>
    ['', flagged].map((by) => `Number of actions taken on the basis of ${basis}${by}`),
  ),
];
const inPeriod = ['Applicability', 'Service', 'Reporting period'];
const other = 'Description of the sub-category "Other"';
const inSection = [...inPeriod, 'Section', 'Indicator', 'Scope', 'Value'];
const ordersColumns = [
  'Number of orders to act against illegal content received',
  `${items} orders to act against illegal content`,
  'Median time to inform the authority of the receipt of the order to act against illegal content',
  'Median time to give effect to the order to act against illegal content',
  'Number of orders to provide information',
  'Median time to inform the authority of the receipt of the order to provide information',
  'Median time to give effect to the order to provide information',
];
/** Headings of the template in its CSV form, https://eur-lex.europa.eu/eli/reg_impl/2024/2835/oj, without spaces at their ends. */
const headings: Readonly<Record<string, readonly string[]>> = {
  '1_report_identification': ['Applicability', 'Service', 'Indicator', 'Value'],
  '3_member_states_orders': [
    ...[...inPeriod, 'Category of illegal content', other, 'Scope', ...ordersColumns],
    'Contextual information on number of orders to act against illegal content received',
    `Contextual information on n${items.slice(1)} orders to act against illegal content`,
    ...ordersColumns.slice(2).map((column) => `Contextual information on ${column}`),
  ],
  '4_notices': [
    ...[...inPeriod, 'Category of illegal content', other, ...noticed],
    ...noticed.map((column) => `Contextual information on ${column}`),
  ],
  '5_own_initiative_illegal': [
    ...[...inPeriod, 'Category of illegal content', other, ...restricted],
    ...restricted.map((column) => `Contextual Information on ${column}`),
  ],
  '6_own_initiative_TC': [
    ...[...inPeriod, "Category of incompatibility with the provider's terms and conditions", other, ...restricted],
    ...restricted.map((column) => `Contextual Information on ${column}`),
  ],
  '7_appeals_and_recidivism': [...inSection, 'Contextual Information'],
  '8_automated_means': [...inSection, 'Contextual Information'],
  '9_human_resources': [...inSection, 'Contextual information'],
  '10_AMAR': inSection,
  '11_qualitative': [...inPeriod, 'Indicator', 'Value'],
};
const aboutDecision = [
  'Total number',
  'Decisions upheld',
  'Decisions partially reversed',
  'Decisions reversed',
  'Median time',
];
const complaint = 'Complaint regarding a decision';
const notice = 'in accordance with Article 16';
/** Indicators of tables 7 and 8 of the template with their scopes, in its order. */
const indicators: Readonly<Record<string, readonly (readonly [indicator: string, scopes: readonly string[]])[]>> = {
  '7_appeals_and_recidivism': [
    ['Number of complaints submitted to the internal-complaints mechanism', [...aboutDecision, 'Decision omitted']],
    ['Number of restrictions newly imposed as a result of an internal complaint', ['Total number']],
    [`${complaint} to remove or disable access to or restrict visibility of information`, aboutDecision],
    [`${complaint} to suspend or terminate the provision of the service`, aboutDecision],
    [`${complaint} to suspend or terminate an account`, aboutDecision],
    [`${complaint} to restrict the ability to monetise information`, aboutDecision],
    [`${complaint} not to take action on a notice submitted ${notice}`, aboutDecision],
    [`${complaint} not to take action on a notice submitted by a Trusted Flagger ${notice}`, aboutDecision],
    [
      'Number of disputes submitted to out-of-court dispute settlement bodies',
      [...aboutDecision, 'Decision omitted', 'Percentage of outcomes implemented'],
    ],
    ...['illegal content', 'unfounded notices', 'unfounded complaints'].map(
      (what) => [`Number of suspensions enacted for the provision of manifestly ${what}`, ['Total number']] as const,
    ),
  ],
  '8_automated_means': (
    [
      ['measures solely taken', 'measures not taken', ['Total number', 'Own-initiative']],
      ['notices solely processed', 'notices not processed', ['NAM Total', 'NAM Trusted Flagger']],
    ] as const
  ).flatMap(([solely, not, scopes]) =>
    scopes.flatMap((scope) =>
      [
        ...[`Number of ${solely} by automated means`, `Number of ${not} by automated means`],
        ...['Accuracy', 'Precision', 'Recall'].map((what) => `Accuracy of the automated means - ${what}`),
      ].map((indicator) => [indicator, [scope]] as const),
    ),
  ),
};

it('a sketch knows how many people there were within 2 %, and nearly exactly for few', () => {
  for (const many of [0, 1, 25, 1_000, 60_000]) {
    const registers = new Map<string, number>();
    for (let index = 0; index < many; index += 1) {
      const { key, count } = registerOf('p', `user-${index}`);
      registers.set(key, Math.max(count, registers.get(key) ?? 0));
    }
    const found = peopleIn([...registers.values()]);
    expect(Math.abs(found - many)).toBeLessThanOrEqual(many < 100 ? 1 : many * 0.04);
  }
});

it('the precision of rules is of what was looked at again, their accuracy of all', () => {
  const automated = {
    ...{ measures: 10, ownInitiative: 10, notAutomated: 0, notAutomatedOwnInitiative: 0 },
    ...{ reviewed: 4, overturned: 1, accuracy: 0.9, errorRate: 0.25 },
    ...{ ownInitiativeReviewed: 2, ownInitiativeOverturned: 2 },
    ...{ ownInitiativeAccuracy: 0.8, ownInitiativeErrorRate: 1 },
    ...{ notices: 3, notAutomatedNotices: 4, trustedNotices: 1, notAutomatedTrustedNotices: 2 },
  };
  const lists = { orders: [], notices: [], measures: [], complaints: [], activeRecipients: [] };
  const suspensions = { manifestlyIllegal: 0, unfoundedNotices: 0, unfoundedComplaints: 0 };
  const span = {
    year: 2026,
    since: '2026-01-01',
    until: '2026-12-31',
    countedAt: '2026-12-31T00:00:00.000Z',
    service: '',
    ...{ isOver: true, operator: null },
  };
  const figures = { ...span, ...lists, suspensions, automated, averageMonthlyActiveRecipients: null };
  const rows = reportTables(figures, {}).find(({ file }) => file === '8_automated_means')?.rows ?? [];
  const shownOf = (scope: string) =>
    ['Accuracy', 'Precision', 'Recall'].map(
      (what) => rows.find((row) => row[4] === `Accuracy of the automated means - ${what}` && row[5] === scope)?.[6],
    );
  expect(shownOf('Total number')).toEqual([90, 75, null]);
  expect(shownOf('Own-initiative')).toEqual([80, 0, null]);
  for (const [scope, ...counted] of [
    ['NAM Total', 3, 4],
    ['NAM Trusted Flagger', 1, 2],
  ])
    expect(rows.filter((row) => row[5] === scope).map((row) => row[6])).toEqual([...counted, null, null, null]);
});

describeDaemonsOnEachDatabase('the transparency report', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-03-01T10:00:00.000Z');
  const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
  beforeAll(async () => {
    daemon = await start({ now: () => now });
  });
  afterAll(async () => {
    cli.dispose();
    await daemon.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const pass = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1_000);
  };
  const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
  const figures = (year = 2026) => daemon.client.call(transparencyRoutes.get, { params: params(), query: { year } });
  const report = (externalUserId: string, more: object = {}) =>
    daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId, category: 'threats', ...more },
    });
  const decide = (id: string | null, body: object) =>
    daemon.client.call(caseRoutes.decide, { ...item(id ?? ''), body: body as never });
  const order = (kind: 'act' | 'give_information', memberState: 'DE' | 'FR', reference: string) =>
    daemon.client.call(orderRoutes.create, {
      params: params(),
      body: {
        ...{ kind, memberState, reference, authority: 'A court', category: 'hate', legalGround: 'A law' },
        externalUserId: reference,
      },
    });

  it('counts orders, notices, measures and complaints', async () => {
    const made = await order('act', 'DE', 'o1');
    const tell = await order('give_information', 'FR', 'o2');
    pass(7_200);
    const update = (id: string, body: object) => daemon.client.call(orderRoutes.update, { ...item(id), body });
    await update(made.id, { receiptConfirmedAt: now.toISOString() });
    await update(tell.id, { outcome: 'no_effect' });
    const illegal = { decision: 'sanction', reasonCode: 'illegal_content' };
    await decide(made.caseId, { ...illegal, sanction: { type: 'perm_ban' } });

    const notice = { from: 'Meldestelle', reference: '1', trustedFlagger: true };
    const flagged = await report('n1', { notice });
    await report('n2', { category: 'spam' });
    pass(3_600);
    const ground = { kind: 'law', reference: 'A law' };
    await decide(flagged.caseId, { ...illegal, sanction: { type: 'mute', duration: 60, ground } });

    const sanction = (body: object) =>
      daemon.client.call(sanctionRoutes.create, {
        params: params(),
        body: { ...body, decidedBy: 'person' } as never,
      });
    await sanction({
      type: 'temp_ban',
      duration: 60,
      externalUserId: 'm1',
      ground: { kind: 'law', reference: 'A law' },
    });
    await sanction({ type: 'shadow_mute', externalUserId: 'm2' });
    await sanction({ type: 'warn', externalUserId: 'm3' });
    const mute = await sanction({ type: 'mute', externalUserId: 'm4' });
    await daemon.client.call(reviewRoutes.appeal, { ...item(mute.id), body: { statement: 'Not me.' } });

    const found = await figures();
    const total = { category: 'TOTAL' };
    expect(found.orders).toContainEqual(
      expect.objectContaining({ ...total, memberState: 'TOTAL', toAct: 1, toInform: 1, toInformEffectSeconds: null }),
    );
    const german = found.orders.find(({ memberState, category }) => memberState === 'DE' && category !== 'TOTAL');
    expect(german).toMatchObject({ category: 'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH', toAct: 1, toInform: 0 });
    for (const seconds of [german?.toActReceiptSeconds, german?.toActEffectSeconds])
      expect(Math.abs((seconds ?? 0) - 7_200)).toBeLessThan(400);
    expect(found.notices).toContainEqual(expect.objectContaining({ ...total, trusted: false, notices: 2 }));
    expect(found.notices).toContainEqual(
      expect.objectContaining({ ...total, trusted: true, notices: 1, actionsByLaw: 1, actionsByTerms: 0 }),
    );
    expect(found.notices).toContainEqual(
      expect.objectContaining({ category: 'STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE', trusted: false, notices: 1 }),
    );
    expect(found.measures).toContainEqual({
      ...{ basis: 'law', ...total, measures: 1, detectedByRules: 0, byRestriction: { account_suspension: 1 } },
    });
    expect(found.measures).toContainEqual({
      ...{ basis: 'terms', ...total, measures: 2, detectedByRules: 0 },
      byRestriction: { visibility_other: 1, service_termination: 1 },
    });
    expect(found.complaints).toContainEqual({
      ...{ about: 'service', submitted: 1, upheld: 0, reversed: 0, medianSeconds: null },
    });
    // The flagger complains that too little was done, which waits.
    const { url } = await daemon.client.call(complaintRoutes.receipt, item(flagged.id));
    const statement = new URLSearchParams({ statement: 'A minute is not enough.' });
    expect((await fetch(url ?? '', { method: 'POST', body: statement, redirect: 'manual' })).status).toBe(303);
    const complained = (await figures()).complaints.filter(({ submitted }) => submitted === 1);
    expect(complained.map(({ about }) => about)).toEqual(['service', 'reports', 'trusted_flaggers']);
    expect(found.automated).toMatchObject({
      ...{ trustedNotices: 1, notAutomatedTrustedNotices: 0 },
      ...{ measures: 2, ownInitiative: 0 }, // decided by the key
      ...{ notAutomated: 3, notAutomatedOwnInitiative: 3, accuracy: 1 },
    });
    expect(found.suspensions.manifestlyIllegal).toBe(1);
    expect(JSON.stringify(found)).not.toMatch(/"(o1|n1|m1|gone|A court)"/);
  });

  it('counts the same when it counts anew, and nothing of another year', async () => {
    const { countedAt: _, ...before } = await figures();
    const rebuild = () => daemon.client.call(moderationStatsRoutes.rebuild, { params: params() });
    const [first, second] = await Promise.all([rebuild(), rebuild()]);
    expect(second).toEqual(first);
    const { countedAt: __, ...after } = await figures();
    expect(after).toEqual(before);
    await report('gone');
    await daemon.client.call(personRoutes.erase, { params: { ...params(), user: 'gone' } });
    const total = (await figures()).notices.find(({ category }) => category === 'TOTAL');
    expect(total?.notices).toBe(3);
    expect((await figures(2025)).notices).toMatchObject([{ notices: 0 }, { notices: 0 }]);
  });

  it('counts the same after its people were erased, and it counts anew', async () => {
    for (const user of ['o1', 'o2', 'n1', 'n2', 'm1', 'm2', 'm3', 'm4'])
      await daemon.client.call(personRoutes.erase, { params: { ...params(), user } });
    // An erasure decides what is open about the person.
    const { countedAt: _, ...before } = await figures();
    await daemon.client.call(moderationStatsRoutes.rebuild, { params: params() });
    const { countedAt: __, ...after } = await figures();
    expect(after).toEqual(before);
  });

  it('is written as the tables of the template and a page, with the facts beside', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-report-'));
    const facts = join(folder, 'facts.yaml');
    const template = await cli.run(['stats', 'transparency', '--facts-template']);
    writeFileSync(
      facts,
      template.stdout
        .replace('provider:', 'provider: Studio <b>&</b> Söhne')
        .replace('internal_moderators:', 'internal_moderators: 3')
        .replace('# de: 2', 'de: 2'),
    );
    const out = join(folder, 'report');
    const written = await cli.run(['stats', 'transparency', '--year', '2026', '--facts', facts, '--out', out]);
    expect([written.code, written.stderr]).toEqual([0, `10 tables and report.html are in ${out}.\n`]);
    expect(readdirSync(out).sort()).toEqual(
      [...Object.keys(headings).map((name) => `${name}.csv`), 'report.html'].sort(),
    );
    const csv = (name: string) => readFileSync(join(out, `${name}.csv`), 'utf8');
    const quoted = (cell: string) => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell);
    for (const [name, columns] of Object.entries(headings))
      expect(csv(name).split('\r\n')[0], name).toBe(columns.map(quoted).join());
    for (const [name, all] of Object.entries(indicators)) {
      const rows = csv(name).trim().split('\r\n').slice(1);
      const expected = all.flatMap(([indicator, scopes]) => scopes.map((scope) => `,${indicator},${scope},`));
      expect(rows.map((row, index) => row.includes(expected[index] ?? 'none') || row)).toEqual(
        expected.map(() => true),
      );
    }
    expect(csv('9_human_resources')).toContain('employed by the provider,Total number,3,');
    expect(csv('9_human_resources')).toContain('sufficient linguistic expertise,de,2,');
    expect(csv('4_notices')).toMatch(/,TOTAL,,3,1,,,/);
    expect(csv('1_report_identification')).toContain(`Ending date of reporting period,${dayOf(now)} (until now)`);
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page).toContain(`2026-01-01 until now, ${dayOf(now)} (UTC)`);
    expect(page).toContain('Studio &lt;b&gt;&amp;&lt;/b&gt; Söhne');
    expect(page).not.toMatch(/<script|src=|href=|<b>/);
    writeFileSync(facts, 'moderators: 3');
    const refused = await cli.run(['stats', 'transparency', '--year', '2026', '--facts', facts, '--out', out]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('holds no facts')]);
  });

  it('names the operator of the settings, and the last day of a year that is over', async () => {
    const body = { tokenProvider: 'embedded', gameName: 'Castle', operatorName: 'Castle Studio GmbH' } as const;
    await daemon.client.call(settingsRoutes.put, { params: params(), body });
    expect(await figures()).toMatchObject({ isOver: false, until: dayOf(now), service: 'Castle' });
    now = new Date('2027-01-01T00:00:00.000Z');
    expect(await figures()).toMatchObject({ isOver: true, until: '2026-12-31', operator: 'Castle Studio GmbH' });
    const out = mkdtempSync(join(tmpdir(), 'earshot-report-'));
    await cli.run(['stats', 'transparency', '--year', '2026', '--out', out]);
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page).toContain('Castle Studio GmbH. 2026-01-01 to 2026-12-31 (UTC).');
    expect(page).toContain('@media print');
  });
});
