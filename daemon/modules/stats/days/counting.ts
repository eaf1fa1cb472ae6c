/** What an event adds to the figures of its day. */
import { type DomainEvent, type EventData, timeOfPresence } from '../../../../src/contract/events.js';
import { kindOf } from '../../../../src/contract/moderation/sanction-kinds.js';
import { type Ground, unstatedOrigin } from '../../../../src/contract/moderation/statement-basis.js';
import { type Remaining, remainingOf } from '../../../../src/contract/remaining-fields.js';
import { type AnnouncedCase, appealsOnly } from '../../../../src/contract/reports/cases.js';
import type { AnnouncedOrder } from '../../../../src/contract/reports/orders.js';
import type { AnnouncedReport } from '../../../../src/contract/reports/reports.js';
import { restrictionKindOf } from '../statements/public-statement.js';
import { bucketOf } from './durations.js';
import { activePeople, registerOf } from './people-sketch.js';

export interface DayCount {
  /** Date, UTC. */
  readonly day: string;
  readonly what: string;
  readonly key: string;
  readonly count: number;
}

/** Stands for what was erased before it was counted. */
const erased = 'erased';

export const countedTypes: readonly string[] = [
  'participant.joined',
  'order.created',
  'order.updated',
  'report.created',
  'report.updated',
  'sanction.created',
  'sanction.updated',
  'sanction.revoked',
  'review.created',
  'review.updated',
  'case.created',
  'case.updated',
  'case.overdue',
  'misuse.suspended',
];

export type CountedSanction = Pick<
  EventData<'sanction.created'>,
  'type' | 'createdByUserId' | 'source' | 'foundBy' | 'decidedBy' | 'category' | 'sessionId'
> & {
  readonly id: string;
  readonly ground: { readonly kind: Ground['kind'] } | null;
  readonly template: string | null;
  readonly evidence: {
    readonly ruleId?: string | undefined;
    readonly messageIds?: readonly string[] | undefined;
  } | null;
  readonly endAt: string | Date | null;
};
type CountedRevocation = Remaining<EventData<'sanction.revoked'>, 'sanction'>;
type CountedReport = Remaining<AnnouncedReport, 'report'>;
type CountedReview = Remaining<EventData<'review.created'>, 'review'>;
type CountedCase = Remaining<AnnouncedCase, 'case'>;
type CountedOrder = Remaining<AnnouncedOrder, 'order'>;

/** What events alone do not say; read before they are counted. */
export interface CountingContext {
  /** Users of the tenant, and its API keys. */
  readonly users: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  /** Sanctions by id. */
  readonly sanctions: ReadonlyMap<string, CountedSanction>;
  /** Rooms of sanctions, by sanction id. */
  readonly rooms: ReadonlyMap<string, string>;
}

const isFields = (data: unknown): data is object => typeof data === 'object' && data !== null;

/** True if the person whom the event was about is erased. */
export const isErased = ({ payload: { data } }: DomainEvent): boolean => isFields(data) && 'redacted' in data;

/** Returns the data of an event; null where it was erased. */
const dataOf = <T>(event: DomainEvent): T | null => (isErased(event) ? null : (event.payload.data as T));

/** As `dataOf`, with what remains where it was erased; null where an earlier version erased it, which left nothing. */
export const remainsOf = <T>(event: DomainEvent): T | null =>
  isErased(event) && Object.keys(remainingOf(event.type, event.payload.data)).length === 0
    ? null
    : (event.payload.data as T);

const dayOf = (time: string): string => time.slice(0, 10);
const hourOf = (time: string): string => String(Number(time.slice(11, 13)));
const parts = (...all: readonly (string | null)[]): string => JSON.stringify(all);

/** The author: its kind, and the id of a user or key. A player with a moderator's link is not named. */
function originOf({ createdByUserId: by, evidence }: CountedSanction, { users, keys }: CountingContext) {
  if (by === null) return { origin: evidence?.ruleId === undefined ? 'system' : 'rule', author: null };
  if (users.has(by)) return { origin: 'person', author: by };
  return keys.has(by) ? { origin: 'key', author: by } : { origin: 'player', author: null };
}

/** Counts by rule, template and author: `imposed.rule`, and so on. */
function bySide(prefix: string, sanction: CountedSanction, context: CountingContext): [what: string, key: string][] {
  const { origin, author } = originOf(sanction, context);
  const rule = origin === 'rule' ? (sanction.evidence?.ruleId ?? null) : null;
  return [
    ...(rule === null ? [] : [[`${prefix}.rule`, rule] as [string, string]]),
    ...(sanction.template === null ? [] : [[`${prefix}.template`, sanction.template] as [string, string]]),
    ...(author === null ? [] : [[`${prefix}.author`, author] as [string, string]]),
  ];
}

/** True if an erasure ended what was open about its person: nobody decided it, and it is about nobody. */
const isEndedByErasure = (
  { status, externalUserId = null }: { readonly status: string; readonly externalUserId?: string | null },
  by: string | null,
  changes: Readonly<Record<string, unknown>>,
): boolean => status === 'decided' && by === null && externalUserId === null && changes['status'] !== undefined;

/** Whether a program alone decided a report, and whether it did before the update. */
function isDecidedByProgram({ decidedBy }: Pick<CountedReport, 'decidedBy'>, { count }: DecidedEvent, changes: object) {
  const was = count < 0 && 'decidedBy' in changes ? changes.decidedBy : decidedBy;
  return was === 'program';
}

/** A decision that is made or, with -1, taken back. */
interface DecidedEvent {
  readonly at: string;
  readonly since: string;
  readonly result: string;
  readonly by: string | null;
  readonly count: number;
}

/** What an update decided, took back, or, where the outcome of a decided report is another by now, both. */
function decisionsOf(
  data: { createdAt: string; status: string; decidedAt: string | null; result: string | null; by: string | null },
  changes: Readonly<Record<string, unknown>>,
  field: 'outcome' | 'decision',
): DecidedEvent[] {
  const text = (name: string): string | null => (typeof changes[name] === 'string' ? changes[name] : null);
  const was = text('status') ?? data.status;
  const since = data.createdAt;
  const decided = { at: data.decidedAt, since, result: data.result ?? erased, by: data.by, count: 1 };
  const before = {
    ...{ at: text('decidedAt') ?? data.decidedAt, since, result: text(field) ?? erased },
    ...{ by: text('decidedByUserId') ?? data.by, count: -1 },
  };
  const isChanged = was !== data.status || text(field) !== null;
  return [...(was === 'decided' ? [before] : []), ...(data.status === 'decided' ? [decided] : [])].flatMap((one) =>
    isChanged && one.at !== null ? { ...one, at: one.at } : [],
  );
}

/**
 * The complaint of a reporter about a decision: that it came, or what was decided; those of trusted flaggers again by themselves.
 * The end of one whose person was erased is no decision: nobody made it.
 */
function complaintOf(
  { complainedAt = null, complaintDecision = null, complaintDecidedAt = null, ...data }: Partial<CountedReport>,
  changes: Readonly<Record<string, unknown>>,
): DayCount[] {
  const whats = (suffix: string) => [
    `complaint${suffix}`,
    ...(data.trustedFlagger === true ? [`complaint.trusted${suffix}`] : []),
  ];
  if (complainedAt !== null && changes['complainedAt'] === null)
    return whats('').map((what) => ({ day: dayOf(complainedAt), what, key: parts(), count: 1 }));
  if (complainedAt === null || complaintDecidedAt === null || changes['complaintDecidedAt'] !== null) return [];
  if (data.complaintDecidedByUserId === null) return [];
  const key = parts(complaintDecision ?? erased, bucketOf(secondsBetween(complainedAt, complaintDecidedAt)));
  return whats('.decided').map((what) => ({ day: dayOf(complaintDecidedAt), what, key, count: 1 }));
}

const trustedOf = (report: CountedReport | null): string | null => (report?.trustedFlagger === true ? 'trusted' : null);
/** What the sanction of a review restricts; null: it is unknown. */
function restrictedBy(review: CountedReview, { sanctions }: CountingContext): string | null {
  const sanction = sanctions.get(review.sanctionId);
  return sanction === undefined ? null : restrictionKindOf(sanction);
}

/** What an earlier version left of the event of an erased person does not state it. */
const originStated = (sanction: CountedSanction) => ({ ...unstatedOrigin(sanction), ...sanction });

/** A sanction as a measure of the transparency report. */
function measureOf(sanction: CountedSanction): [what: string, key: string][] {
  const restriction = restrictionKindOf(sanction);
  if (restriction === null) return [];
  const { source, ground, category, template } = sanction;
  const { foundBy, decidedBy } = originStated(sanction);
  const basis = ground?.kind ?? 'terms';
  const isOfNotice = source === 'report' || source === 'trusted_flagger';
  const trusted = source === 'trusted_flagger' ? 'trusted' : null;
  const marks = [foundBy === 'program' ? 'detected' : null, automation[decidedBy]];
  return [
    ['measure', parts(source, basis, restriction, category ?? template, ...marks)],
    ...(isOfNotice ? [['notice.action', parts(category ?? erased, trusted, basis)] as [string, string]] : []),
  ];
}
/** The review of a sanction: by rule, template and author, and as that of an automated measure. */
function reviewOf(prefix: 'reviewed' | 'overturned', sanction: CountedSanction, context: CountingContext) {
  const isAutomatic = restrictionKindOf(sanction) !== null && originStated(sanction).decidedBy === 'program';
  const measure: [what: string, key: string][] = isAutomatic
    ? [[`${prefix}.measure`, parts('automatic', sanction.source)]]
    : [];
  return [...bySide(prefix, sanction, context), ...measure];
}

const automation = { program: 'automatic', both: 'joint', person: null } as const;

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1_000;

/** Returns what an event of `countedTypes` counts as. */
export function countsOf(event: DomainEvent, context: CountingContext): DayCount[] {
  const { type, timestamp } = event;
  const at = (time: string, count: number, all: readonly (readonly [what: string, key: string])[]): DayCount[] =>
    all.map(([what, key]) => ({ day: dayOf(time), what, key, count }));
  const changes = event.payload.changes ?? {};
  switch (type) {
    case 'report.created': {
      const data = remainsOf<CountedReport>(event);
      return at(timestamp, 1, [
        ['report', data?.category ?? erased],
        ['report.source', data?.source ?? erased],
        ['report.hour', hourOf(timestamp)],
        ['notice', parts(data?.category ?? erased, trustedOf(data))],
        ...(data?.roomId == null ? [] : [['report.room', data.roomId] as const]),
      ]);
    }
    case 'report.updated': {
      const data = remainsOf<CountedReport>(event);
      if (data === null) return [];
      const notice = [data.category, trustedOf(data)];
      const { category: former } = changes;
      const moved = (category: string, count: number): DayCount[] =>
        at(data.createdAt, count, [
          ['report', category],
          ['notice', parts(category, trustedOf(data))],
        ]);
      // Sent again with a heavier category.
      const again = typeof former === 'string' ? [...moved(former, -1), ...moved(data.category, 1)] : [];
      const decisions = isEndedByErasure(data, data.decidedBy, changes)
        ? []
        : decisionsOf({ ...data, result: data.outcome, by: null }, changes, 'outcome');
      const counts = decisions.flatMap((decided) =>
        at(decided.at, decided.count, [
          ['report.decided', decided.result],
          ['report.seconds', bucketOf(secondsBetween(decided.since, decided.at))],
          ...(isDecidedByProgram(data, decided, changes)
            ? [['notice.automatic', parts(trustedOf(data))] as const]
            : []),
          // A notice arrives before somebody enters it.
          ['notice.decided', parts(...notice, bucketOf(secondsBetween(data.receivedAt ?? decided.since, decided.at)))],
        ]),
      );
      return [...again, ...counts, ...complaintOf(data, changes)];
    }
    case 'sanction.created': {
      const data = remainsOf<CountedSanction>(event);
      if (data === null) return at(timestamp, 1, [['sanction.erased', erased]]);
      if (kindOf(data.type).told === 'never') return [];
      const room = context.rooms.get(data.id);
      const isDetected = originStated(data).foundBy === 'program';
      const kind = parts(
        ...[data.type, originOf(data, context).origin, data.source],
        ...[data.ground?.kind ?? null, isDetected ? 'detected' : null],
      );
      return at(timestamp, 1, [
        ['sanction', kind],
        ['sanction.hour', hourOf(timestamp)],
        ...(room === undefined ? [] : [['sanction.room', room] as const]),
        ...measureOf(data),
        ...bySide('imposed', data, context),
      ]);
    }
    case 'sanction.revoked': {
      const data = remainsOf<CountedRevocation>(event);
      return at(data?.revokedAt ?? timestamp, 1, [['sanction.revoked', data?.type ?? erased]]);
    }
    case 'sanction.updated': {
      const data = remainsOf<CountedRevocation>(event);
      const { revokedAt } = changes;
      // It is in force again, as if it had not been revoked.
      return data?.revokedAt === null && typeof revokedAt === 'string'
        ? at(revokedAt, -1, [['sanction.revoked', data.type]])
        : [];
    }
    case 'review.created': {
      const data = remainsOf<CountedReview>(event);
      return at(timestamp, 1, [
        ['review', data?.kind ?? erased],
        ...(data?.kind === 'appeal' ? [['appeal', parts(restrictedBy(data, context))] as const] : []),
      ]);
    }
    case 'review.updated': {
      const data = remainsOf<CountedReview>(event);
      if (data === null) return [];
      const decisions = decisionsOf({ ...data, result: data.decision, by: data.decidedByUserId }, changes, 'decision');
      const sanction = context.sanctions.get(data.sanctionId);
      const origin = sanction === undefined ? erased : originOf(sanction, context).origin;
      return decisions.flatMap((decided) => {
        const seconds = bucketOf(secondsBetween(decided.since, decided.at));
        const isOverturned = decided.result === 'overturned';
        return at(decided.at, decided.count, [
          ['review.decided', parts(data.kind, decided.result, origin)],
          [`${data.kind}.seconds`, seconds],
          ...(data.kind === 'appeal'
            ? [['appeal.decided', parts(restrictedBy(data, context), decided.result, seconds)] as const]
            : []),
          ...(decided.by === null ? [] : [['moderator', parts(decided.by, hourOf(decided.at))] as const]),
          ...(sanction === undefined ? [] : reviewOf('reviewed', sanction, context)),
          ...(sanction === undefined || !isOverturned ? [] : reviewOf('overturned', sanction, context)),
        ]);
      });
    }
    case 'participant.joined': {
      const data = dataOf<EventData<'participant.joined'>>(event);
      if (data === null || event.projectId == null) return [];
      const { key, count } = registerOf(event.projectId, data.externalUserId);
      return [{ day: `${timeOfPresence(data, event).slice(0, 7)}-01`, what: activePeople, key, count }];
    }
    case 'order.created': {
      const data = remainsOf<CountedOrder>(event);
      return data === null
        ? at(timestamp, 1, [['order', parts(erased, erased, erased)]])
        : at(data.receivedAt, 1, [['order', parts(data.kind, data.memberState, data.category)]]);
    }
    case 'order.updated': {
      const data = remainsOf<CountedOrder>(event);
      if (data === null) return [];
      const took = (what: string, time: string | null): DayCount[] =>
        time === null
          ? []
          : at(data.receivedAt, 1, [
              [
                what,
                parts(data.kind, data.memberState, data.category, bucketOf(secondsBetween(data.receivedAt, time))),
              ],
            ]);
      return [
        ...('receiptConfirmedAt' in changes && changes['receiptConfirmedAt'] === null
          ? took('order.receipt', data.receiptConfirmedAt)
          : []),
        ...(changes['status'] === 'open' && data.outcome !== 'no_effect' ? took('order.effect', data.decidedAt) : []),
      ];
    }
    // The name of the resource says it of erased people too.
    case 'misuse.suspended':
      return at(timestamp, 1, [[type, parts(event.resourceId.split(':')[1] ?? erased)]]);
    case 'case.created':
    case 'case.overdue': {
      const category = remainsOf<CountedCase>(event)?.category ?? erased;
      return category === appealsOnly ? [] : at(timestamp, 1, [[type, category]]);
    }
    case 'case.updated': {
      const data = remainsOf<CountedCase>(event);
      // Appeals alone have figures of their own.
      if (data === null || data.decision === 'merged' || data.category === appealsOnly) return [];
      if (isEndedByErasure(data, data.decidedByUserId, changes)) return [];
      const fields = { ...data, result: data.decision, by: data.decidedByUserId };
      return decisionsOf(fields, changes, 'decision').flatMap((decided) => {
        // The decisions on the reviews of a case are counted already.
        const by = data.reviews > 0 ? null : decided.by;
        return at(decided.at, decided.count, [
          ['case.seconds', bucketOf(secondsBetween(decided.since, decided.at))],
          ...(by === null ? [] : [['moderator', parts(by, hourOf(decided.at))] as const]),
        ]);
      });
    }
    default:
      return [];
  }
}
