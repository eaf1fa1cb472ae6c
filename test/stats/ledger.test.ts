/**
 * Every figure of moderation and of the transparency report, and every line of the export of statements, for a ledger written
 * by hand, on each database: as it is, counted anew, and after erasures. What is expected is counted in the ledger by the rules
 * of docs/transparency.md; each figure says from what.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ModerationStats } from '../../src/contract/stats/moderation-stats.js';
import type { PublicStatement } from '../../src/contract/stats/public-statements.js';
import type { Restriction, TransparencyFigures } from '../../src/contract/stats/transparency.js';
import { commandLine } from '../support/cli.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { ModerationLedger } from '../support/moderation-ledger.js';

/** A duration of hours, within 5 %. */
const hours = (count: number): number => {
  const seconds = count * 3_600;
  return expect.closeTo(seconds, -Math.log10(0.1 * seconds)) as unknown as number;
};
const anything = expect.anything() as unknown as string;

type Lasting = [sanctions: number, reviewed: number, overturned: number];
const lasting = ([sanctions, reviewed, overturned]: Lasting) => ({
  ...{ sanctions, reviewed, overturned },
  overturnedShare: reviewed === 0 ? null : overturned / reviewed,
});

const moderation: ModerationStats = {
  ...{ since: '2026-03-01', until: '2026-03-04', countedAt: anything },
  reports: {
    total: 32, // 30 reports and 2 notices; the repeat of c08 is none
    byCategory: [
      { category: 'harassment', reports: 9 }, // c01 3, c10, c14 2, c17, u1 2
      { category: 'spam', reports: 7 }, // c03 2, c09 2, c20 2, u2; not c08, which became heavier
      { category: 'hate', reports: 4 }, // c02 2, c11, c18
      { category: 'threats', reports: 4 }, // c04 2, c12, c16
      { category: 'cheating', reports: 3 }, // c06, c07, u3
      { category: 'minors_safety', reports: 3 }, // c05 2, c08
      { category: 'other', reports: 2 }, // c15 2
    ],
    bySource: [
      { source: 'operator', reports: 24 },
      { source: 'player', reports: 6 }, // c01 3, c05 2, c10
      { source: 'notice', reports: 2 }, // c11, c12
    ],
    byOutcome: [
      // c01 3, c02 2, c03 2, c06, c07, c08, c11, c12, c14 2, c15 2, c16, c18
      { outcome: 'action_taken', reports: 18 },
      // c04 2, whose ban an appeal took back, c05 2, c17, c20 2; c10 is open again
      { outcome: 'no_action', reports: 7 },
      { outcome: 'unfounded', reports: 2 }, // c09 2
    ],
  },
  complaints: { total: 2, upheld: 1, overturned: 1 },
  cases: { opened: 23, overdue: 0 }, // c01 to c20, u1 to u3; appeals and complaints open none
  decisions: [
    // 11 after 2 h, c20 after 3 h, Ben's 6 after 4 h, the key's 2 after 10 h: the 10th, and the 18th.
    { kind: 'case', decided: 20, medianSeconds: hours(2), p90Seconds: hours(4) },
    // 15 after 2 h (c01 3, c02 2, c03 2, c05 2, c08, c09 2, c11, c14 2), 2 after 3 h, 8 after 4 h, 2 after 10 h.
    { kind: 'report', decided: 27, medianSeconds: hours(2), p90Seconds: hours(4) },
    { kind: 'human_review', decided: 1, medianSeconds: hours(2), p90Seconds: hours(2) }, // c19
    { kind: 'appeal', decided: 5, medianSeconds: hours(3), p90Seconds: hours(6) }, // 3 after 3 h, 2 after 6 h
    { kind: 'complaint', decided: 2, medianSeconds: hours(3), p90Seconds: hours(3) },
  ],
  sanctions: {
    total: 21, // cases 16: all but c05, c09, c10, c17; the key 3, the rule 2
    revoked: 3, // c04 and b1 by appeals, c20 because it was reopened
    byKind: [
      { type: 'mute', origin: 'person', source: 'report', sanctions: 5 }, // c01, c08, c14, c16, c20
      { type: 'mute', origin: 'rule', source: 'own_initiative', sanctions: 2 }, // b4, b5
      { type: 'perm_ban', origin: 'person', source: 'report', sanctions: 2 }, // c04, c18
      { type: 'mute', origin: 'key', source: 'own_initiative', sanctions: 1 }, // b2
      { type: 'mute', origin: 'key', source: 'report', sanctions: 1 }, // c07
      { type: 'mute', origin: 'person', source: 'own_initiative', sanctions: 1 }, // c19
      { type: 'perm_ban', origin: 'person', source: 'order', sanctions: 1 }, // c13
      { type: 'queue_delay', origin: 'person', source: 'report', sanctions: 1 }, // c15
      { type: 'shadow_mute', origin: 'key', source: 'report', sanctions: 1 }, // b3
      { type: 'shadow_mute', origin: 'person', source: 'report', sanctions: 1 }, // c11
      { type: 'temp_ban', origin: 'key', source: 'own_initiative', sanctions: 1 }, // b1
      { type: 'temp_ban', origin: 'key', source: 'report', sanctions: 1 }, // c06
      { type: 'temp_ban', origin: 'person', source: 'report', sanctions: 1 }, // c02
      { type: 'temp_ban', origin: 'person', source: 'trusted_flagger', sanctions: 1 }, // c12
      { type: 'warn', origin: 'person', source: 'report', sanctions: 1 }, // c03
    ],
  },
  rules: [
    { id: anything, name: 'Toads', ...lasting([2, 1, 0]) }, // b4, b5; the appeal of b4
    { id: anything, name: 'Frogs', ...lasting([0, 1, 0]) }, // the review of c19
  ],
  templates: [{ name: 'harassment', ...lasting([2, 1, 1]) }], // c14, b1; the appeal of b1
  moderators: [
    {
      ...{ id: anything, name: 'ana@example.com' },
      ...lasting([9, 1, 0]), // c01, c02, c03, c08, c11, c13, c14, c19, c20; the appeal of c01
      // c01, c02, c03, c05, c08 to c11, c13, c14, c20, the review of c19, 2 appeals; on 2 March at 12 and 13, on 4 March at 15
      ...{ agreement: 1, decided: 14, hours: 3, decidedPerHour: 4.67 },
    },
    {
      ...{ id: anything, name: 'ben@example.com' },
      ...lasting([5, 1, 1]), // c04, c12, c15, c16, c18; the appeal of c04
      ...{ agreement: 0, decided: 9, hours: 2, decidedPerHour: 4.5 }, // these, c17, 3 appeals; at 14, and at 12
    },
    {
      ...{ id: anything, name: 'key test' },
      ...lasting([5, 2, 1]), // c06, c07, b1, b2, b3; the appeals of c07 and b1
      ...{ agreement: 0.5, decided: 2, hours: 1, decidedPerHour: 2 },
    },
  ],
  mostReported: [
    ['c01', 3] as const,
    ...['c02', 'c03', 'c04', 'c05', 'c09', 'c14', 'c15', 'c20', 'u1'].map((user) => [user, 2] as const),
    ...['c06', 'c07', 'c08', 'c10', 'c11', 'c12', 'c16', 'c18', 'u2', 'u3'].map((user) => [user, 1] as const),
  ].map(([externalUserId, reports]) => ({ externalUserId, reports })),
  // 21 people with one each, of whom 20 are shown: not c20.
  mostSanctioned: [
    ...['b1', 'b2', 'b3', 'b4', 'b5', 'c01', 'c02', 'c03', 'c04', 'c06', 'c07', 'c08', 'c11', 'c12', 'c13', 'c14'],
    ...['c15', 'c16', 'c18', 'c19'],
  ].map((externalUserId) => ({ externalUserId, sanctions: 1 })),
  rooms: [
    { roomId: 'hall', reports: 1, sanctions: 4 }, // c16; what c16, c19, b4 and b5 said there
    { roomId: 'arena', reports: 3, sanctions: 0 }, // c02 2, c17
  ],
  hours: Array.from({ length: 24 }, (_, hour) => ({
    hour,
    reports: hour === 10 ? 32 : 0,
    // The key and the rule, Ana, Ben, and the key on cases.
    sanctions: { 10: 5, 12: 9, 14: 5, 20: 2 }[hour] ?? 0,
  })),
  days: [
    { day: '2026-03-02', reports: 32, sanctions: 21, decided: 21 }, // 20 cases, and the review in one of them
    { day: '2026-03-04', reports: 0, sanctions: 0, decided: 5 }, // appeals
  ],
};

const [all, minors, violence] = [
  'TOTAL',
  'STATEMENT_CATEGORY_PROTECTION_OF_MINORS',
  'STATEMENT_CATEGORY_VIOLENCE',
] as const;
const [speech, harassment, terms, unspecified] = [
  'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH',
  'STATEMENT_CATEGORY_CYBER_VIOLENCE',
  'STATEMENT_CATEGORY_OTHER_VIOLATION_TC',
  'STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE',
] as const;

const order = { toAct: 1, toActReceiptSeconds: hours(1), toActEffectSeconds: hours(2) };
const noOrder = { toInform: 0, toInformReceiptSeconds: null, toInformEffectSeconds: null };
type Notices = [notices: number, medianSeconds: number | null, actionsByLaw: number, actionsByTerms: number];
const noticesOf = (
  category: string,
  trusted: boolean,
  [notices, medianSeconds, actionsByLaw, actionsByTerms]: Notices,
) => ({
  ...{ category, trusted, notices, medianSeconds, actionsByLaw, actionsByTerms },
});
const nothing: Notices = [0, null, 0, 0];
const measuresOf = (
  basis: 'law' | 'terms',
  category: string,
  detectedByRules: number,
  byRestriction: Partial<Record<Restriction, number>>,
) => ({
  ...{ basis, category, detectedByRules, byRestriction },
  measures: Object.values(byRestriction).reduce((sum, count) => sum + count, 0),
});

const transparency: TransparencyFigures = {
  ...{ year: 2026, since: '2026-01-01', until: '2026-03-04', isOver: false, countedAt: anything },
  ...{ service: 'Castle', operator: 'Castle Studio GmbH' },
  orders: ['TOTAL', 'DE'].flatMap((memberState) =>
    [all, speech].map((category) => ({ memberState, category, ...order, ...noOrder })),
  ),
  notices: [
    // Measures by law: c02, c11, c12; by terms all other measures after reports, without the warning of c03 and the order.
    noticesOf(all, false, [32, hours(2), 3, 11]),
    noticesOf(all, true, [1, hours(16), 1, 0]), // c12, which arrived on 1 March at 22:00
    noticesOf(harassment, false, [9, hours(2), 0, 2]), // c01, c14
    noticesOf(harassment, true, nothing),
    noticesOf(speech, false, [4, hours(2), 2, 1]), // c02, c11; c18
    noticesOf(speech, true, nothing),
    // spam, cheating, other: c03 2, c09 2 after 2 h, c20 2 after 3 h, c15 2 after 4 h, c06 and c07 after 10 h: the 5th of 10.
    noticesOf(unspecified, false, [12, hours(3), 0, 5]), // c06, c07, c15, c20, b3
    noticesOf(unspecified, true, nothing),
    noticesOf(minors, false, [3, hours(2), 0, 1]), // c08
    noticesOf(minors, true, nothing),
    noticesOf(violence, false, [4, hours(4), 1, 2]), // c12; c04, c16
    noticesOf(violence, true, [1, hours(16), 1, 0]),
  ],
  measures: [
    measuresOf('law', all, 0, { service_suspension: 1 }), // b2, which a person found
    measuresOf('law', speech, 0, { service_suspension: 1 }),
    measuresOf('terms', all, 4, { service_suspension: 3, account_suspension: 1 }), // c19, b4, b5; b1
    measuresOf('terms', harassment, 1, { account_suspension: 1 }), // b1, by its template
    measuresOf('terms', terms, 3, { service_suspension: 3 }),
  ],
  complaints: [
    // 6 appeals and 2 complaints; c01, b4, c07, c05; c04, b1, c10. Five were decided after 3 h, two after 6 h.
    { about: 'all', submitted: 8, upheld: 4, reversed: 3, medianSeconds: hours(3) },
    { about: 'visibility', submitted: 0, upheld: 0, reversed: 0, medianSeconds: null },
    { about: 'service', submitted: 3, upheld: 3, reversed: 0, medianSeconds: hours(3) }, // c01, b4, c07
    { about: 'account', submitted: 3, upheld: 0, reversed: 2, medianSeconds: hours(6) }, // c04, b1; c12 waits
    { about: 'reports', submitted: 2, upheld: 1, reversed: 1, medianSeconds: hours(3) }, // c05; c10
    { about: 'trusted_flaggers', submitted: 0, upheld: 0, reversed: 0, medianSeconds: null },
  ],
  suspensions: { manifestlyIllegal: 2, unfoundedNotices: 0, unfoundedComplaints: 0 }, // c02, c12
  automated: {
    ...{ measures: 5, ownInitiative: 3 }, // c06, b3; b1, b4, b5
    // 20 measures without them; c19, b2. A person confirmed c18.
    ...{ notAutomated: 15, notAutomatedOwnInitiative: 2 },
    ...{ reviewed: 2, overturned: 1, accuracy: 0.8, errorRate: 0.5 }, // b4; b1
    // b1, b4, b5 are at the own initiative, so 2 of 3 last.
    ...{ ownInitiativeReviewed: 2, ownInitiativeOverturned: 1 },
    ...{ ownInitiativeAccuracy: 0.6667, ownInitiativeErrorRate: 0.5 },
    // c06 by the key, which does not say that a person decided c07. 27 are decided.
    ...{ notices: 1, notAutomatedNotices: 26 },
    ...{ trustedNotices: 0, notAutomatedTrustedNotices: 1 }, // c12
  },
  activeRecipients: ['2026-01', '2026-02', '2026-03'].map((month) => ({ month, people: 0 })),
  averageMonthlyActiveRecipients: null,
};

const week = '2026-03-09';
const account = { decision_account: 'DECISION_ACCOUNT_SUSPENDED', end_date_account_restriction: week } as const;
const banned = { decision_account: 'DECISION_ACCOUNT_TERMINATED', end_date_account_restriction: null } as const;
const service = {
  ...({ decision_provision: 'DECISION_PROVISION_PARTIAL_SUSPENSION' } as const),
  end_date_service_restriction: week,
};
const silenced = {
  ...({ decision_provision: 'DECISION_PROVISION_PARTIAL_TERMINATION' } as const),
  end_date_service_restriction: null,
};
const hidden = {
  decision_visibility: ['DECISION_VISIBILITY_OTHER'],
  decision_visibility_other: 'Other players do not hear what the recipient says.',
  end_date_visibility_restriction: week,
};
const against = 'What was said or done in the game is against this ground.';
const incompatible = {
  ...({ decision_ground: 'DECISION_GROUND_INCOMPATIBLE_CONTENT' } as const),
  ...{ incompatible_content_ground: 'The terms of use of the game.', incompatible_content_explanation: against },
};
const insulting = {
  ...incompatible,
  ...{ incompatible_content_ground: 'Terms of use, 4.2', incompatible_content_explanation: 'Insults hurt.' },
};
/** What the moderator wrote of the law may name somebody, so it does not go out. */
const illegal = {
  ...({ decision_ground: 'DECISION_GROUND_ILLEGAL_CONTENT' } as const),
  ...{ illegal_content_legal_ground: 'The applicable law.', illegal_content_explanation: against },
};
const written = { content_type: ['CONTENT_TYPE_TEXT'], content_type_other: undefined };
const ofKind = (content_type_other: string) => ({
  content_type: ['CONTENT_TYPE_OTHER'],
  content_type_other,
});
const general = 'Voice or behaviour of a player in a game.';
const reported = {
  source_type: 'SOURCE_ARTICLE_16',
  decision_facts: `${general} It was brought up by a report of a player.`,
};
const flagged = {
  ...{ source_type: 'SOURCE_TRUSTED_FLAGGER' },
  decision_facts: `${general} It was brought up by a notice of a trusted flagger.`,
};
const own = {
  ...{ source_type: 'SOURCE_VOLUNTARY' },
  decision_facts: `${general} The provider found it on its own initiative.`,
};
const detected = (one: { source_type: string; decision_facts: string }) => ({
  ...{ ...one, automated_detection: 'Yes' },
  decision_facts: `${one.decision_facts} A program of the provider detected it.`,
});
const insults = (one: { source_type: string; decision_facts: string }) => ({
  ...one,
  decision_facts: `Insults. ${one.decision_facts}`,
});
const byProgram = { automated_decision: 'AUTOMATED_DECISION_FULLY' };
const union = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
const usual = {
  ...{ account_type: 'ACCOUNT_TYPE_PRIVATE', territorial_scope: union, ...incompatible, ...ofKind('Not specified') },
  ...{ category: terms, content_date: '2026-03-02', application_date: '2026-03-02' },
  ...{ automated_detection: 'No', automated_decision: 'AUTOMATED_DECISION_NOT_AUTOMATED' },
};
const { incompatible_content_ground: _, incompatible_content_explanation: __, ...groundless } = usual;
const unlawful = (rest: object) => ({ ...groundless, ...illegal, ...rest });

/** Every line of the export by its person, in the order of the sanctions. None is of c03, a warning, and of c13, an order. */
const lines: readonly [person: string, line: object][] = [
  ['b1', { ...usual, ...account, ...insulting, ...insults(detected(own)), ...byProgram, category: harassment }],
  ['b2', unlawful({ ...service, ...own, category: speech })],
  ['b3', { ...usual, ...hidden, ...reported, ...byProgram }],
  ['b4', { ...usual, ...service, ...written, ...detected(own), ...byProgram }],
  ['b5', { ...usual, ...service, ...written, ...detected(own), ...byProgram }],
  ['c01', { ...usual, ...service, ...reported, category: harassment }],
  ['c02', unlawful({ ...account, ...reported, category: speech })],
  ['c08', { ...usual, ...silenced, ...reported, category: minors }],
  ['c14', { ...usual, ...service, ...insulting, ...insults(reported), category: harassment }],
  ['c20', { ...usual, ...service, ...reported }],
  ['c11', unlawful({ ...hidden, ...reported, category: speech })],
  ['c19', { ...usual, ...service, ...written, ...detected(own) }],
  ['c04', { ...usual, ...banned, ...reported, category: violence }],
  ['c15', { ...usual, ...service, ...reported, ...ofKind('Behaviour in a game') }],
  ['c12', unlawful({ ...account, ...flagged, category: violence, content_date: '2026-03-01' })],
  ['c16', { ...usual, ...service, ...written, ...reported, category: violence, content_date: '2026-03-01' }],
  ['c18', { ...usual, ...banned, ...reported, automated_decision: 'AUTOMATED_DECISION_PARTIALLY', category: speech }],
  ['c06', { ...usual, ...account, ...reported, ...byProgram }],
  ['c07', { ...usual, ...service, ...reported }],
];

describeDaemonsOnEachDatabase('a ledger written by hand', (start) => {
  let daemon: TestDaemon;
  let ledger: ModerationLedger;
  const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
  beforeAll(async () => {
    ({ daemon, ledger } = await ModerationLedger.open((now) => start({ now })));
    await ledger.write();
  });
  afterAll(async () => {
    cli.dispose();
    await daemon.stop();
  });

  const span = ['--since', '2026-03-01T00:00:00Z', '--until', '2026-03-04T23:00:00Z'];
  const figures = () => cli.json(['stats', 'moderation', ...span]);
  const report = () => cli.json(['stats', 'transparency', '--year', '2026']);
  const rebuild = () => cli.json(['stats', 'rebuild']);
  const exported = async () => {
    const file = join(cli.config, 'statements.ndjson');
    const { code, stderr } = await cli.run(['stats', 'statements', ...span, '--out', file]);
    if (code !== 0) throw new Error(stderr);
    const text = await readFile(file, 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line): PublicStatement => JSON.parse(line));
  };
  const linesBut = (...gone: string[]) =>
    lines.flatMap(([person, line]) => (gone.includes(person) ? [] : [{ ...line, puid: ledger.sanctions.get(person) }]));
  const isThere = ({ externalUserId }: { externalUserId: string }) => !['c12', 'u1'].includes(externalUserId);

  it('gives the figures that are counted in it', async () => {
    expect(await figures()).toEqual(moderation);
    expect(await report()).toEqual(transparency);
  });

  it('gives one line of the export for each measure that is no order', async () => {
    expect(await exported()).toEqual(linesBut());
  });

  it('gives the same when it is counted anew', async () => {
    expect(await rebuild()).toMatchObject({ since: '2026-01-01' });
    expect(await figures()).toEqual(moderation);
    expect(await report()).toEqual(transparency);
    expect(await exported()).toEqual(linesBut());
  });

  it('gives the same after erasures, which are no decisions, and lists the erased nowhere', async () => {
    await ledger.erase();
    const after: ModerationStats = {
      ...moderation,
      mostReported: moderation.mostReported.filter(isThere),
      mostSanctioned: [...moderation.mostSanctioned.filter(isThere), { externalUserId: 'c20', sanctions: 1 }],
    };
    for (const when of ['at once', 'counted anew']) {
      expect(await figures(), when).toEqual(after);
      expect(await report(), when).toEqual(transparency);
      expect(await exported(), when).toEqual(linesBut('c12'));
      await rebuild();
    }
  });
});
