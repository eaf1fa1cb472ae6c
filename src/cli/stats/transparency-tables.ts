/**
 * The tables of the transparency report as the template of Commission Implementing Regulation (EU) 2024/2835, Annex I, has
 * them: headings, rows and applicability are those of its CSV form, sheet names those of its spreadsheet.
 */
import type { TransparencyFigures } from '../../contract/stats/transparency.js';
import type { TransparencyFacts } from './transparency-facts.js';

export type Cell = string | number | null;

export interface ReportTable {
  /** File name without its ending: number and name of the sheet. */
  readonly file: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const hosting = 'Only for providers of hosting services, including online platforms';
const platforms = 'Only for providers of online platforms';
const largest = 'Only for VLOPs';
const hour = 3_600;
const hours = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round((seconds / hour) * 100) / 100;
type Looked = Pick<TransparencyFigures['automated'], 'reviewed' | 'overturned' | 'accuracy' | 'errorRate'>;
const percent = (share: number | null): number | null => (share === null ? null : Math.round(share * 1e4) / 100);

const restrictions = [
  ...['Visibility restriction Removal', 'Visibility restriction Disable', 'Visibility restriction Demoted'],
  ...['Visibility restriction Age restricted', 'Visibility restriction Interaction restricted'],
  ...['Visibility restriction Labelled', 'Visibility restriction Other'],
  ...['Monetary restriction Suspension', 'Monetary restriction Termination', 'Monetary restriction Other'],
  ...['Provision of the service Suspension', 'Provision of the service Termination'],
  ...['Account restriction Suspension', 'Account restriction Termination'],
];
/** What sanctions restrict, by heading; all others are none. */
const restrictionOf = new Map([
  ['Visibility restriction Other', 'visibility_other'],
  ['Provision of the service Suspension', 'service_suspension'],
  ['Provision of the service Termination', 'service_termination'],
  ['Account restriction Suspension', 'account_suspension'],
  ['Account restriction Termination', 'account_termination'],
] as const);

const identified = ['Applicability', 'Service', 'Reporting period'];
const subCategory = 'Description of the sub-category "Other"';
const withSection = [...identified, 'Section', 'Indicator', 'Scope', 'Value'];
const explained = [...withSection, 'Contextual Information'];

/** The columns of figures, and as many in which nothing is said about them. */
const withContext = (columns: readonly string[], about: (column: string) => string): readonly string[] => [
  ...columns,
  ...columns.map(about),
];
const nothingSaid = (columns: readonly string[]): Cell[] => columns.map(() => null);

const orderColumns = [
  'Number of orders to act against illegal content received',
  'Number of specific items of information included in the total number of orders to act against illegal content',
  'Median time to inform the authority of the receipt of the order to act against illegal content',
  'Median time to give effect to the order to act against illegal content',
  'Number of orders to provide information',
  'Median time to inform the authority of the receipt of the order to provide information',
  'Median time to give effect to the order to provide information',
];

/** Of the facts, else of the settings of the project. */
export const providerOf = ({ operator }: TransparencyFigures, { provider }: TransparencyFacts): string =>
  provider ?? operator ?? '';

export function reportTables(figures: TransparencyFigures, facts: TransparencyFacts): ReportTable[] {
  const service = facts.service ?? figures.service;
  const period = `${figures.since}/${figures.until}`;
  const head = (applicability: string): string[] => [applicability, service, period];
  return [
    {
      file: '1_report_identification',
      title: 'Identification of the report',
      columns: ['Applicability', 'Service', 'Indicator', 'Value'],
      rows: [
        ['Name of the service provider', providerOf(figures, facts)],
        ['Date of the publication of the report', facts.publication_date ?? ''],
        ['Date of the publication of the latest previous report', facts.previous_publication_date ?? ''],
        ['Starting date of reporting period', figures.since],
        ['Ending date of reporting period', figures.isOver ? figures.until : `${figures.until} (until now)`],
      ].map((row) => ['All', service, ...row]),
    },
    {
      file: '3_member_states_orders',
      title: "Orders of Member States' authorities (Articles 9 and 10)",
      columns: [
        ...[...identified, 'Category of illegal content', subCategory, 'Scope'],
        ...withContext(
          orderColumns,
          (column) =>
            `Contextual information on ${column.replace(/^Number of (orders to act|specific)/, 'number of $1')}`,
        ),
      ],
      rows: figures.orders.map((row) => [
        ...[...head('All'), row.category, null, row.memberState],
        ...[row.toAct, null, hours(row.toActReceiptSeconds), hours(row.toActEffectSeconds)],
        ...[row.toInform, hours(row.toInformReceiptSeconds), hours(row.toInformEffectSeconds)],
        ...nothingSaid(orderColumns),
      ]),
    },
    notices(figures, head(hosting)),
    ...(['law', 'terms'] as const).map((basis) => measures(figures, basis, head('All'))),
    {
      file: '7_appeals_and_recidivism',
      title: 'Complaints, disputes and suspensions',
      columns: explained,
      rows: appeals(),
    },
    { file: '8_automated_means', title: 'Automated means', columns: explained, rows: automated() },
    {
      ...{ file: '9_human_resources', title: 'People who moderate', rows: people() },
      columns: [...withSection, 'Contextual information'],
    },
    {
      file: '10_AMAR',
      title: 'Average monthly active recipients',
      columns: withSection,
      rows: [
        ['TOTAL', figures.averageMonthlyActiveRecipients] as const,
        ...Object.entries(facts.active_recipients_by_member_state ?? {}),
      ].map(([scope, value]) => [
        ...head('Only for VLOPs and VLOSEs'),
        ...['AMAR', 'Number of average monthly active recipients during the reporting period', scope, value],
      ]),
    },
    {
      file: '11_qualitative',
      title: 'In words',
      columns: ['Applicability', 'Service', 'Reporting period', 'Indicator', 'Value'],
      rows: qualitative.map(([indicator, fact]) => [...head('All'), indicator, facts[fact] ?? '']),
    },
  ];

  function appeals(): Cell[][] {
    const { complaints, suspensions } = figures;
    const section = 'Internal complaints mechanism';
    const submitted = 'Number of complaints submitted to the internal-complaints mechanism';
    const about = (what: string) => `Complaint regarding a decision ${what}`;
    const unanswered = (by: string) =>
      about(`not to take action on a notice submitted ${by}in accordance with Article 16`);
    const indicators = [
      ['visibility', about('to remove or disable access to or restrict visibility of information')],
      ['service', about('to suspend or terminate the provision of the service')],
      ['account', about('to suspend or terminate an account')],
      [null, about('to restrict the ability to monetise information')],
      ['reports', unanswered('')],
      ['trusted_flaggers', unanswered('by a Trusted Flagger ')],
    ] as const;
    const none = { submitted: 0, upheld: 0, reversed: 0, medianSeconds: null };
    const ofKind = (kind: string | null) => complaints.find((one) => one.about === kind) ?? none;
    const disputes = facts.out_of_court_disputes ?? {};
    const suspended = 'Suspensions imposed on repeated offenders';
    const row = (
      ...cells: [section: string, indicator: string, scope: string, value: Cell, context?: string]
    ): Cell[] => {
      const [where, indicator, scope, value, context = ''] = cells;
      return [...head(platforms), where, indicator, scope, value, context];
    };
    const decisions = (indicator: string, { upheld, reversed, medianSeconds }: ReturnType<typeof ofKind>): Cell[][] => [
      row(section, indicator, 'Decisions upheld', upheld),
      row(section, indicator, 'Decisions partially reversed', 0, 'A decision is upheld or reversed as a whole'),
      row(section, indicator, 'Decisions reversed', reversed),
      row(section, indicator, 'Median time', hours(medianSeconds), 'Hours'),
    ];
    const all = ofKind('all');
    const omitted = Math.max(0, all.submitted - all.upheld - all.reversed);
    const imposed = 'Number of restrictions newly imposed as a result of an internal complaint';
    return [
      [...head('All'), section, submitted, 'Total number', all.submitted, ''],
      ...decisions(submitted, all),
      row(section, submitted, 'Decision omitted', omitted, 'Undecided, or the person was erased'),
      row(section, imposed, 'Total number', null, 'Not counted'),
      ...indicators.flatMap(([kind, indicator]) => [
        row(section, indicator, 'Total number', ofKind(kind).submitted),
        ...decisions(indicator, ofKind(kind)),
      ]),
      ...(
        [
          ['Total number', disputes.total],
          ['Decisions upheld', disputes.upheld],
          ['Decisions partially reversed', disputes.partially_reversed],
          ['Decisions reversed', disputes.reversed],
          ['Median time', disputes.median_hours],
          ['Decision omitted', disputes.omitted],
          ['Percentage of outcomes implemented', disputes.implemented_percent],
        ] as const
      ).map(([scope, value]) =>
        row(
          'Out-of-court dispute settlement bodies',
          'Number of disputes submitted to out-of-court dispute settlement bodies',
          ...([scope, value ?? null] as const),
        ),
      ),
      row(
        ...([suspended, 'Number of suspensions enacted for the provision of manifestly illegal content'] as const),
        ...(['Total number', facts.suspensions?.manifestly_illegal_content ?? suspensions.manifestlyIllegal] as const),
        'Bans of accounts that rest on the law',
      ),
      row(
        ...([suspended, 'Number of suspensions enacted for the provision of manifestly unfounded notices'] as const),
        ...(['Total number', facts.suspensions?.manifestly_unfounded_notices ?? suspensions.unfoundedNotices] as const),
      ),
      row(
        ...([suspended, 'Number of suspensions enacted for the provision of manifestly unfounded complaints'] as const),
        ...([
          'Total number',
          facts.suspensions?.manifestly_unfounded_complaints ?? suspensions.unfoundedComplaints,
        ] as const),
      ),
    ];
  }

  function automated(): Cell[][] {
    const { automated: counts } = figures;
    const section = 'Use of automated means for content moderation';
    const of = (scope: string, solely: number, not: number, { reviewed, overturned, ...rates }: Looked): Cell[][] => {
      const context = `${overturned} of ${reviewed} measures that somebody looked at again were taken back (error rate ${percent(rates.errorRate) ?? '-'} %)`;
      const precision = rates.errorRate === null ? null : 1 - rates.errorRate;
      return [
        ['Number of measures solely taken by automated means', scope, solely, ''],
        ['Number of measures not taken by automated means', scope, not, ''],
        ['Accuracy of the automated means - Accuracy', scope, percent(rates.accuracy), context],
        ['Accuracy of the automated means - Precision', scope, percent(precision), context],
        ['Accuracy of the automated means - Recall', scope, null, 'What rules miss is not known'],
      ];
    };
    const own = {
      ...{ reviewed: counts.ownInitiativeReviewed, overturned: counts.ownInitiativeOverturned },
      ...{ accuracy: counts.ownInitiativeAccuracy, errorRate: counts.ownInitiativeErrorRate },
    };
    const ofNotices = (scope: string, solely: number, not: number): Cell[][] => [
      ['Number of notices solely processed by automated means', scope, solely, 'Of those that were decided'],
      ['Number of notices not processed by automated means', scope, not, 'Of those that were decided'],
      ...['Accuracy', 'Precision', 'Recall'].map((what) => [
        ...[`Accuracy of the automated means - ${what}`, scope, null, 'Not counted'],
      ]),
    ];
    const inSection = (applicability: string, rows: readonly (readonly Cell[])[]): Cell[][] =>
      rows.map((row) => [...head(applicability), section, ...row]);
    return [
      ...inSection('All', of('Total number', counts.measures, counts.notAutomated, counts)),
      ...inSection('All', of('Own-initiative', counts.ownInitiative, counts.notAutomatedOwnInitiative, own)),
      ...inSection(hosting, ofNotices('NAM Total', counts.notices, counts.notAutomatedNotices)),
      ...inSection(
        platforms,
        ofNotices('NAM Trusted Flagger', counts.trustedNotices, counts.notAutomatedTrustedNotices),
      ),
    ];
  }

  function people(): Cell[][] {
    const {
      internal_moderators: internal,
      external_moderators: external,
      languages = {},
    } = facts.human_resources ?? {};
    return [
      ['Number of internal moderators employed by the provider', 'Total number', internal ?? null],
      ['Number of external moderators contracted by the provider', 'Total number', external ?? null],
      ...[['Total number', null] as const, ...Object.entries(languages ?? {})].map(([scope, count]) => [
        ...['Number of total moderators with sufficient linguistic expertise', scope, count],
      ]),
    ].map((row) => [...head(largest), 'Human resources dedicated to content moderation', ...row, '']);
  }
}

const qualitative = [
  ['Summary of the content moderation engaged in at the providers\u2019 own initiative', 'own_initiative_summary'],
  [
    "Meaningful and comprehensible information regarding content moderation engaged in at the providers' own initiative",
    'own_initiative_information',
  ],
  ['Qualitative description of the automated means', 'automated_means'],
  [
    'Qualitative description of indicators of accuracy and possible rate of error of automated means',
    'automated_means_accuracy',
  ],
  ['Specification of the precise purposes to apply automated means', 'automated_means_purposes'],
  ['Safeguards applied to the use of automated means', 'automated_means_safeguards'],
] as const;

const flagged = ' (Trusted Flagger notices)';
const items = 'Number of specific items of information included in the total number of notices';
const noticeColumns = [
  ...['Number of notices received', 'Number of notices received from Trusted flaggers'],
  ...[items, `${items} by Trusted Flaggers${flagged}`],
  ...['Median time to take action', `Median time to take action${flagged}`],
  'Number of actions taken on the basis of the law',
  `Number of actions taken on the basis of the law${flagged}`,
  'Number of actions taken on the basis of the terms and conditions of the service',
  `Number of actions taken on the basis of the terms and conditions of the service${flagged}`,
];

function notices({ notices: rows }: TransparencyFigures, head: readonly string[]): ReportTable {
  const trusted = new Map(rows.filter((row) => row.trusted).map((row) => [row.category, row]));
  return {
    file: '4_notices',
    title: 'Notices (Article 16)',
    columns: [
      ...[...identified, 'Category of illegal content', subCategory],
      ...withContext(noticeColumns, (column) => `Contextual information on ${column}`),
    ],
    rows: rows
      .filter((row) => !row.trusted)
      .map((row) => {
        const by = trusted.get(row.category);
        return [
          ...[...head, row.category, null, row.notices, by?.notices ?? 0, null, null],
          ...[hours(row.medianSeconds), hours(by?.medianSeconds ?? null)],
          ...[row.actionsByLaw, by?.actionsByLaw ?? 0, row.actionsByTerms, by?.actionsByTerms ?? 0],
          ...nothingSaid(noticeColumns),
        ];
      }),
  };
}

const measureColumns = [
  "Number of measures taken at the provider's own initiative",
  'Number of measures taken after detection with solely automated means',
  ...restrictions,
];

function measures(
  { measures: rows }: TransparencyFigures,
  basis: 'law' | 'terms',
  head: readonly string[],
): ReportTable {
  const isLaw = basis === 'law';
  return {
    file: isLaw ? '5_own_initiative_illegal' : '6_own_initiative_TC',
    title: `Measures at the own initiative: ${isLaw ? 'illegal content' : 'terms and conditions'}`,
    columns: [
      ...identified,
      isLaw ? 'Category of illegal content' : "Category of incompatibility with the provider's terms and conditions",
      subCategory,
      ...withContext(measureColumns, (column) => `Contextual Information on ${column}`),
    ],
    rows: rows
      .filter((row) => row.basis === basis)
      .map((row) => [
        ...[...head, row.category, null, row.measures, row.detectedByRules],
        ...restrictions.map((name) => {
          const kind = restrictionOf.get(name as never);
          return kind === undefined ? 0 : (row.byRestriction[kind] ?? 0);
        }),
        ...nothingSaid(measureColumns),
      ]),
  };
}
