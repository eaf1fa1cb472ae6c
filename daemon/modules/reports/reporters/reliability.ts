/**
 * How much a reporter's word counts, and what follows from misuse, pure. The Digital Services Act, Article 23(2), asks platforms to
 * suspend, after a warning and for a reasonable time, those who frequently submit manifestly unfounded notices or complaints; paragraph 3 asks
 * for a decision case by case from absolute and relative numbers and from gravity. So counts expire, the first step is a warning,
 * a suspension is only proposed, and each is longer than the one before. A moderator decides on it, and can lift it.
 */
import type { Misused } from '../../../../src/contract/reports/misuse.js';
import { dayMs } from '../../../platform/time/spans.js';

/** What follows from misuse of one kind. */
export interface Consequence {
  /** Since when a suspension waits for a moderator. */
  readonly proposedAt: Date | null;
  readonly suspendedUntil: Date | null;
  readonly suspensions: number;
}

/** What was decided in a time, and how much of it was manifestly unfounded. */
export interface DecidedShare {
  readonly decided: number;
  readonly unfounded: number;
}
export const noShare: DecidedShare = { decided: 0, unfounded: 0 };

export interface ReporterRecord extends Consequence {
  readonly decided: number;
  readonly upheld: number;
  readonly unfounded: number;
  /** Manifestly unfounded ones that still count. */
  readonly recentUnfounded: number;
  readonly lastUnfoundedAt: Date | null;
  readonly warnedAt: Date | null;
  readonly appealsProposedAt: Date | null;
  readonly appealsSuspendedUntil: Date | null;
  readonly appealsSuspensions: number;
}

export const unknownReporter: ReporterRecord = {
  ...{ decided: 0, upheld: 0, unfounded: 0, recentUnfounded: 0, lastUnfoundedAt: null },
  ...{ warnedAt: null, proposedAt: null, suspendedUntil: null, suspensions: 0 },
  ...{ appealsProposedAt: null, appealsSuspendedUntil: null, appealsSuspensions: 0 },
};

/** After this time without another one, unfounded reports no longer count for a warning. */
const forgottenMs = 180 * dayMs;
const warnedFrom = 2;
/** From so many unfounded ones in a time on, if they are at least this share of all that were decided in it. */
const suspendedFrom = 4;
const suspendedShare = 0.5;
const misuseMs = 180 * dayMs;

/** Since when what was decided counts for a suspension. */
export const misuseSince = (now: Date): Date => new Date(now.getTime() - misuseMs);
const firstSuspensionMs = 7 * dayMs;
const longestSuspensionMs = 90 * dayMs;

/** The share of upheld reports, as if one of two had been upheld before: 1 for somebody unknown, between 0 and 2. */
export const weightOf = ({ decided, upheld }: Pick<ReporterRecord, 'decided' | 'upheld'>): number =>
  (2 * (upheld + 1)) / (decided + 2);

/** So many people who report one person within a minute act together. */
export const brigadeMin = 5;
/** So many reporters of one person who sit in one gathering act together. */
export const gatheringMin = 3;

/** Reports that came together, as those of a brigade do, count this much of their weight. */
const brigadeFactor = 0.25;

/**
 * What reports of one case that came together count: a share of their weight, but at least as much as the heaviest of them that
 * would have been too few to count as a group. So one more report never makes a case lighter.
 */
export function groupWeight(weights: readonly number[]): number {
  const fewer = (weights.length < brigadeMin ? gatheringMin : brigadeMin) - 1;
  const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0);
  return Math.max(brigadeFactor * sum(weights), sum(weights.toSorted((a, b) => b - a).slice(0, fewer)));
}

export type Verdict = 'upheld' | 'not_upheld' | 'unfounded';

/** Returns the record after a case with a report of theirs was decided. */
export function recordAfter(record: ReporterRecord, verdict: Verdict, now: Date): ReporterRecord {
  const counted = { ...record, decided: record.decided + 1, upheld: record.upheld + (verdict === 'upheld' ? 1 : 0) };
  if (verdict !== 'unfounded') return counted;
  const { recentUnfounded: before, warnedAt } = remembered(record, now);
  const recentUnfounded = before + 1;
  const misused = { ...counted, warnedAt, unfounded: record.unfounded + 1, recentUnfounded, lastUnfoundedAt: now };
  return warnedAt === null && recentUnfounded >= warnedFrom ? { ...misused, warnedAt: now } : misused;
}

const isFrequent = ({ decided, unfounded }: DecidedShare): boolean =>
  unfounded >= suspendedFrom && unfounded >= suspendedShare * decided;

export const consequenceOf = (record: ReporterRecord, of: Misused): Consequence =>
  of === 'reports'
    ? { proposedAt: record.proposedAt, suspendedUntil: record.suspendedUntil, suspensions: record.suspensions }
    : {
        proposedAt: record.appealsProposedAt,
        suspendedUntil: record.appealsSuspendedUntil,
        suspensions: record.appealsSuspensions,
      };

export const withConsequence = (record: ReporterRecord, of: Misused, consequence: Consequence): ReporterRecord =>
  of === 'reports'
    ? { ...record, ...consequence }
    : {
        ...record,
        appealsProposedAt: consequence.proposedAt,
        appealsSuspendedUntil: consequence.suspendedUntil,
        appealsSuspensions: consequence.suspensions,
      };

/**
 * What follows when one more was manifestly unfounded after a warning: a proposal, where there are many of them. When one is not
 * unfounded after all and too few are left, nothing remains.
 */
export function consequenceAfter(
  consequence: Consequence,
  { before, after }: { readonly before: Unfounded; readonly after: Unfounded },
  share: DecidedShare,
  now: Date,
): Consequence {
  if (after.unfounded > before.unfounded)
    return isWarned(before, now) && isFrequent(share)
      ? { ...consequence, proposedAt: consequence.proposedAt ?? now }
      : consequence;
  return after.unfounded === before.unfounded || isFrequent(share)
    ? consequence
    : { ...consequence, proposedAt: null, suspendedUntil: null };
}

/** A moderator suspends until then, or, with null, declines the proposal or lifts the suspension. */
export const afterDecision = (before: Consequence, until: Date | null, now: Date): Consequence => ({
  ...{ proposedAt: null, suspendedUntil: until },
  suspensions: before.suspensions + (until !== null && suspensionAt(before, now) === null ? 1 : 0),
});

/** Until when a suspension would last that is confirmed now; null: none is proposed. */
export function proposedUntil({ proposedAt, suspensions }: Consequence, now: Date): Date | null {
  const lengthMs = Math.min(firstSuspensionMs * 2 ** suspensions, longestSuspensionMs);
  return proposedAt === null ? null : new Date(now.getTime() + lengthMs);
}

/** Returns the record without a decided case, whose decision no longer counts. */
export function recordWithout(record: ReporterRecord, verdict: Verdict): ReporterRecord {
  const fewer = (count: number, isOne: boolean): number => Math.max(0, count - (isOne ? 1 : 0));
  const isUnfounded = verdict === 'unfounded';
  const recentUnfounded = fewer(record.recentUnfounded, isUnfounded);
  const isWarnedStill = !isUnfounded || recentUnfounded >= warnedFrom;
  return {
    ...record,
    decided: fewer(record.decided, true),
    upheld: fewer(record.upheld, verdict === 'upheld'),
    unfounded: fewer(record.unfounded, isUnfounded),
    recentUnfounded,
    ...(isWarnedStill ? {} : { warnedAt: null }),
  };
}

/** Returns the record of two people who become one: what of either is forgotten by now does not count again. */
export function joinedRecord(one: ReporterRecord, other: ReporterRecord, now: Date): ReporterRecord {
  const [a, b] = [remembered(one, now), remembered(other, now)];
  return {
    decided: a.decided + b.decided,
    upheld: a.upheld + b.upheld,
    unfounded: a.unfounded + b.unfounded,
    recentUnfounded: a.recentUnfounded + b.recentUnfounded,
    lastUnfoundedAt: later(a.lastUnfoundedAt, b.lastUnfoundedAt),
    warnedAt: later(a.warnedAt, b.warnedAt),
    proposedAt: later(a.proposedAt, b.proposedAt),
    suspendedUntil: later(a.suspendedUntil, b.suspendedUntil),
    suspensions: a.suspensions + b.suspensions,
    appealsProposedAt: later(a.appealsProposedAt, b.appealsProposedAt),
    appealsSuspendedUntil: later(a.appealsSuspendedUntil, b.appealsSuspendedUntil),
    appealsSuspensions: a.appealsSuspensions + b.appealsSuspensions,
  };
}

const isForgotten = ({ lastUnfoundedAt }: ReporterRecord, now: Date): boolean =>
  now.getTime() - (lastUnfoundedAt?.getTime() ?? 0) > forgottenMs;

const remembered = (record: ReporterRecord, now: Date): ReporterRecord =>
  isForgotten(record, now) ? { ...record, recentUnfounded: 0, warnedAt: null } : record;

const later = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a);

/** Returns the record where so many more of the decided cases are upheld by now, or fewer. */
export const recordWithUpheld = (record: ReporterRecord, more: number): ReporterRecord => ({
  ...record,
  upheld: Math.min(record.decided, Math.max(0, record.upheld + more)),
});

/** The record of somebody whose appeals were manifestly unfounded at these times, with the same warning. */
export const recordOfAppeals = (unfoundedAt: readonly Date[]): ReporterRecord =>
  unfoundedAt
    .toSorted((a, b) => a.getTime() - b.getTime())
    .reduce((record, at) => recordAfter(record, 'unfounded', at), unknownReporter);

/** When the suspension of somebody ends; null: there is none now. */
export const suspensionAt = ({ suspendedUntil }: Pick<Consequence, 'suspendedUntil'>, now: Date): Date | null =>
  suspendedUntil !== null && suspendedUntil > now ? suspendedUntil : null;

type Warned = Pick<ReporterRecord, 'warnedAt' | 'lastUnfoundedAt'>;
type Unfounded = Warned & Pick<ReporterRecord, 'unfounded'>;
/** True while a warning counts. */
export const isWarned = ({ warnedAt, lastUnfoundedAt }: Warned, now: Date): boolean =>
  warnedAt !== null && now.getTime() - (lastUnfoundedAt ?? warnedAt).getTime() <= forgottenMs;
