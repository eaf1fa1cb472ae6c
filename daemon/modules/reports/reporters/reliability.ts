/**
 * How much a reporter's word counts, and what follows from misuse, pure. The Digital Services Act, Article 23(2), asks platforms to
 * suspend, after a warning and for a reasonable time, those who frequently submit manifestly unfounded notices or complaints; paragraph 3 asks
 * for a decision case by case from absolute and relative numbers and from gravity. So counts expire, the first step is a warning,
 * each suspension is longer than the one before, and a moderator can lift it.
 */
import { dayMs } from '../../../platform/time/spans.js';

export interface ReporterRecord {
  readonly decided: number;
  readonly upheld: number;
  readonly unfounded: number;
  /** Manifestly unfounded ones that still count. */
  readonly recentUnfounded: number;
  readonly lastUnfoundedAt: Date | null;
  readonly warnedAt: Date | null;
  readonly suspendedUntil: Date | null;
  readonly suspensions: number;
}

export const unknownReporter: ReporterRecord = {
  ...{ decided: 0, upheld: 0, unfounded: 0, recentUnfounded: 0, lastUnfoundedAt: null },
  ...{ warnedAt: null, suspendedUntil: null, suspensions: 0 },
};

/** After this time without another one, unfounded reports no longer count. */
const forgottenMs = 180 * dayMs;
const warnedFrom = 2;
const suspendedFrom = 4;
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
  // Nobody is suspended who was not warned before.
  if (warnedAt === null) return recentUnfounded < warnedFrom ? misused : { ...misused, warnedAt: now };
  if (recentUnfounded < suspendedFrom) return misused;
  const lengthMs = Math.min(firstSuspensionMs * 2 ** record.suspensions, longestSuspensionMs);
  return { ...misused, suspensions: record.suspensions + 1, suspendedUntil: new Date(now.getTime() + lengthMs) };
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
    suspendedUntil: later(a.suspendedUntil, b.suspendedUntil),
    suspensions: a.suspensions + b.suspensions,
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

/** The record of somebody whose appeals were manifestly unfounded at these times: the same warning and suspensions. */
export const recordOfAppeals = (unfoundedAt: readonly Date[]): ReporterRecord =>
  unfoundedAt
    .toSorted((a, b) => a.getTime() - b.getTime())
    .reduce((record, at) => recordAfter(record, 'unfounded', at), unknownReporter);

/** When the suspension of somebody ends; null: there is none now. */
export const suspensionAt = ({ suspendedUntil }: ReporterRecord, now: Date): Date | null =>
  suspendedUntil !== null && suspendedUntil > now ? suspendedUntil : null;

/** True while a warning counts. */
export const isWarned = ({ warnedAt, lastUnfoundedAt }: ReporterRecord, now: Date): boolean =>
  warnedAt !== null && now.getTime() - (lastUnfoundedAt ?? warnedAt).getTime() <= forgottenMs;
