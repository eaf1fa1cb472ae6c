/** The figures of the transparency report of a year, from the counts by day. */
import {
  type Restriction,
  Restriction as Restrictions,
  type TransparencyFigures,
} from '../../../src/contract/stats/transparency.js';
import { CostlyAnswers } from '../../platform/limits/costly-answers.js';
import type { Clock } from '../../platform/time/clock.js';
import type { SettingsStore } from '../projects/settings/store.js';
import type { DayStore } from './days/day-store.js';
import { quantile } from './days/durations.js';
import type { DayFolding } from './days/folding.js';
import { activePeople, peopleIn } from './days/people-sketch.js';
import { categoryOf, isKnownCategory } from './statements/public-statement.js';

interface TransparencyNeeds {
  readonly days: DayStore;
  readonly folding: Pick<DayFolding, 'fold'>;
  readonly projects: Pick<SettingsStore, 'serviceOf'>;
  readonly now: Clock;
}

const total = 'TOTAL';
const kinds = [
  ...[
    'order',
    'order.receipt',
    'order.effect',
    'notice',
    'notice.decided',
    'notice.automatic',
    'notice.action',
    'measure',
  ],
  ...[
    'appeal',
    'appeal.decided',
    'complaint',
    'complaint.decided',
    'complaint.trusted',
    'complaint.trusted.decided',
    'reviewed.measure',
    'overturned.measure',
    'misuse.suspended',
  ],
];
const aboutOf = (restriction: Restriction | null) =>
  restriction === null ? null : (restriction.split('_')[0] as 'visibility' | 'service' | 'account');
const rounded = (part: number, whole: number): number | null =>
  whole <= 0 ? null : Math.round((part / whole) * 1e4) / 1e4;

/** Counts with the parts of their keys. */
type CountedParts = readonly { readonly parts: readonly (string | null)[]; readonly count: number }[];

const sum = (counted: CountedParts): number =>
  Math.max(
    0,
    counted.reduce((all, { count }) => all + count, 0),
  );

/** The median of durations, whose bucket is the last part of their keys. */
function median(counted: CountedParts): number | null {
  const buckets = new Map<string, number>();
  for (const { parts, count } of counted) {
    const bucket = parts.at(-1) ?? '0';
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
  }
  return quantile(buckets, 0.5);
}

const distinct = (values: readonly (string | null | undefined)[]): string[] =>
  [...new Set(values.filter((one) => typeof one === 'string'))].sort();

export class TransparencyService {
  private readonly kept = new CostlyAnswers<TransparencyFigures>();

  constructor(private readonly needs: TransparencyNeeds) {}

  /** Counts what is new in the log first, unless that took long a moment ago. `countedAt` of the answer says when. */
  figures(projectId: string, year: number): Promise<TransparencyFigures> {
    return this.kept.get(JSON.stringify([projectId, year]), () => this.count(projectId, year));
  }

  forget(): void {
    this.kept.forget();
  }

  private async count(projectId: string, year: number): Promise<TransparencyFigures> {
    const { days, folding, projects, now } = this.needs;
    const countedAt = await folding.fold(projectId);
    const span = { from: `${year}-01-01`, to: `${year}-12-31` };
    const today = now().toISOString().slice(0, 10);
    const isOver = today > span.to;
    const found = new Map<string, { parts: (string | null)[]; count: number }[]>();
    for (const { what, key, count } of await days.sums(projectId, span, kinds)) {
      const one = { parts: JSON.parse(key) as (string | null)[], count };
      found.set(what, [...(found.get(what) ?? []), one]);
    }
    const of = (what: string): CountedParts => found.get(what) ?? [];
    const people = await this.people(projectId, year, now());
    const { game, operator } = await projects.serviceOf(projectId);
    const active = people.filter(({ people: count }) => count > 0);
    const average = active.reduce((all, { people: count }) => all + count, 0) / active.length;
    return {
      ...{ year, since: span.from, until: isOver || today < span.from ? span.to : today, isOver },
      countedAt: countedAt.toISOString(),
      ...{ service: game, operator },
      orders: orders(of),
      notices: notices(of),
      measures: measures(of),
      complaints: complaints(of),
      suspensions: {
        manifestlyIllegal: sum(
          of('measure').filter(
            ({ parts: [source, basis, restriction] }) =>
              source !== 'order' && basis === 'law' && aboutOf(restrictionIn(restriction)) === 'account',
          ),
        ),
        unfoundedNotices: sum(of('misuse.suspended').filter(({ parts: [misused] }) => misused === 'reports')),
        unfoundedComplaints: sum(of('misuse.suspended').filter(({ parts: [misused] }) => misused === 'appeals')),
      },
      automated: automated(of),
      activeRecipients: people,
      averageMonthlyActiveRecipients: active.length === 0 ? null : Math.round(average * 10) / 10,
    };
  }

  private async people(projectId: string, year: number, now: Date) {
    const rows = await this.needs.days.registers(
      projectId,
      { from: `${year}-01-01`, to: `${year}-12-31` },
      activePeople,
    );
    const months = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);
    return months
      .filter((month) => month <= now.toISOString().slice(0, 7))
      .map((month) => ({ month, people: peopleIn(rows.get(`${month}-01`) ?? []) }));
  }
}

const restrictionIn = (text: string | null | undefined): Restriction | null =>
  Restrictions.safeParse(text).data ?? null;

/** Key: kind, Member State, category, then the bucket of a duration. */
function orders(of: (what: string) => CountedParts): TransparencyFigures['orders'] {
  const states = [total, ...distinct(of('order').map(({ parts }) => parts[1]))];
  return states.flatMap((memberState) => {
    const here = (what: string) => of(what).filter(({ parts }) => memberState === total || parts[1] === memberState);
    const categories = [total, ...distinct(here('order').map(({ parts }) => specified(parts[2], 'ORDER')))];
    return categories.map((category) => {
      const those = (what: string, kind: string) =>
        here(what).filter(
          ({ parts }) => parts[0] === kind && (category === total || specified(parts[2], 'ORDER') === category),
        );
      return {
        ...{ memberState, category },
        toAct: sum(those('order', 'act')),
        toActReceiptSeconds: median(those('order.receipt', 'act')),
        toActEffectSeconds: median(those('order.effect', 'act')),
        toInform: sum(those('order', 'give_information')),
        toInformReceiptSeconds: median(those('order.receipt', 'give_information')),
        toInformEffectSeconds: median(those('order.effect', 'give_information')),
      };
    });
  });
}

/** Key: category, whether of a trusted flagger; then the bucket of a duration, or the basis of an action. */
function notices(of: (what: string) => CountedParts): TransparencyFigures['notices'] {
  const categories = [total, ...distinct(of('notice').map(({ parts }) => specified(parts[0], 'NOTICE')))];
  return categories.flatMap((category) =>
    [false, true].map((trusted) => {
      const those = (what: string) =>
        of(what).filter(
          ({ parts }) =>
            (!trusted || parts[1] !== null) && (category === total || specified(parts[0], 'NOTICE') === category),
        );
      const acted = (basis: string) => sum(those('notice.action').filter(({ parts }) => parts[2] === basis));
      return {
        ...{ category, trusted, notices: sum(those('notice')), medianSeconds: median(those('notice.decided')) },
        ...{ actionsByLaw: acted('law'), actionsByTerms: acted('terms') },
      };
    }),
  );
}

/** Key: source, basis, restriction, category, whether a program detected it, and whether one decided, alone or jointly. */
function measures(of: (what: string) => CountedParts): TransparencyFigures['measures'] {
  const own = of('measure').filter(({ parts }) => parts[0] === 'own_initiative');
  return (['law', 'terms'] as const).flatMap((basis) => {
    const here = own.filter(({ parts }) => parts[1] === basis);
    const categoryAt = (parts: readonly (string | null)[]) => categoryIn(parts[3], basis === 'law');
    return [total, ...distinct(here.map(({ parts }) => categoryAt(parts)))].map((category) => {
      const those = here.filter(({ parts }) => category === total || categoryAt(parts) === category);
      const by = Restrictions.options.map((one): [Restriction, number] => [
        one,
        sum(those.filter(({ parts }) => parts[2] === one)),
      ]);
      return {
        ...{ basis, category, measures: sum(those) },
        detectedByRules: sum(those.filter(({ parts }) => parts[4] !== null)),
        byRestriction: Object.fromEntries(by.filter(([, count]) => count > 0)),
      };
    });
  });
}

/**
 * Key of appeals: restriction; of decided ones, the decision and the bucket of the duration. Complaints of reporters, about
 * decisions on what they reported, restrict nothing.
 */
function complaints(of: (what: string) => CountedParts): TransparencyFigures['complaints'] {
  return (['all', 'visibility', 'service', 'account', 'reports', 'trusted_flaggers'] as const).map((about) => {
    const appeals = (what: 'appeal' | 'appeal.decided') =>
      of(what).filter(({ parts }) => about === 'all' || aboutOf(restrictionIn(parts[0])) === about);
    const ofReporters = about === 'all' || about === 'reports' ? 'complaint' : null;
    const counted = about === 'trusted_flaggers' ? 'complaint.trusted' : ofReporters;
    const submitted = [...appeals('appeal'), ...(counted === null ? [] : of(counted))];
    const answers = [
      ...appeals('appeal.decided').map(({ parts, count }) => ({ parts: parts.slice(1), count })),
      ...(counted === null ? [] : of(`${counted}.decided`)),
    ];
    const decided = (decision: string) => sum(answers.filter(({ parts }) => parts[0] === decision));
    return {
      ...{ about, submitted: sum(submitted), upheld: decided('upheld'), reversed: decided('overturned') },
      medianSeconds: median(answers),
    };
  });
}

function automated(of: (what: string) => CountedParts): TransparencyFigures['automated'] {
  const count = (isAutomatic: boolean, isOwn: boolean): number =>
    sum(
      of('measure').filter(
        ({ parts }) => (parts[5] === 'automatic') === isAutomatic && (!isOwn || parts[0] === 'own_initiative'),
      ),
    );
  /** Key: automatic, source; earlier versions did not state the latter. */
  const lasting = (isOwn: boolean) => {
    const those = (what: string) => sum(of(what).filter(({ parts }) => !isOwn || parts[1] === 'own_initiative'));
    const [all, reviewed, overturned] = [count(true, isOwn), those('reviewed.measure'), those('overturned.measure')];
    const accuracy = rounded(Math.max(0, all - overturned), all);
    return { reviewed, overturned, accuracy, errorRate: rounded(overturned, reviewed) };
  };
  const own = lasting(true);
  /** Keys: whether of a trusted flagger, in the second place of decided ones. */
  const decided = (isTrusted: boolean) => {
    const those = (what: string, place: number) =>
      sum(of(what).filter(({ parts }) => !isTrusted || parts[place] === 'trusted'));
    const automatic = those('notice.automatic', 0);
    return [automatic, Math.max(0, those('notice.decided', 1) - automatic)] as const;
  };
  const [notices, notAutomatedNotices] = decided(false);
  const [trustedNotices, notAutomatedTrustedNotices] = decided(true);
  return {
    ...{ measures: count(true, false), ownInitiative: count(true, true) },
    ...{ notAutomated: count(false, false), notAutomatedOwnInitiative: count(false, true) },
    ...lasting(false),
    ...{ ownInitiativeReviewed: own.reviewed, ownInitiativeOverturned: own.overturned },
    ...{ ownInitiativeAccuracy: own.accuracy, ownInitiativeErrorRate: own.errorRate },
    ...{ notices, notAutomatedNotices, trustedNotices, notAutomatedTrustedNotices },
  };
}

const categoryIn = (category: string | null | undefined, isIllegal: boolean): string =>
  categoryOf(category ?? undefined, isIllegal);

/** A category of the project that the template has, else that it is not specified. */
const specified = (category: string | null | undefined, what: 'NOTICE' | 'ORDER'): string =>
  isKnownCategory(category ?? '') ? categoryIn(category, true) : `STATEMENT_CATEGORY_NOT_SPECIFIED_${what}`;
