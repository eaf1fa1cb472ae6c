/**
 * The order of cases, pure. A case earns points by its category and by how much its reports count, and one more point for
 * each hour that it waits. All wait at the same pace, so the order of two cases never changes by waiting alone: a column holds
 * it, and a list reads it by an index.
 */
import { hourMs } from '../../../platform/time/spans.js';

/** Points of a case whose person speaks in a room now: as much as a day of waiting. */
export const speakingPoints = 24;
const reviewLoad = 1;
/** People who block the person weigh little, and ten or more as much as one report: blocking costs nothing and needs no reason. */
const blockerLoad = 0.1;
const countedBlockers = 10;
/** Points of a case with an order of an authority, and of one with a notice of a trusted flagger (Article 22(1)). */
const orderPoints = 48;
const trustedPoints = 12;

export interface CaseLoad {
  /** Weight of the heaviest category. */
  readonly categoryWeight: number;
  /** How much the reports count together. */
  readonly weight: number;
  readonly reviews: number;
  /** People who block the person. */
  readonly blockers: number;
  /** Orders of authorities. */
  readonly orders: number;
  /** Notices of trusted flaggers. */
  readonly trusted: number;
}

/** The doubling of what speaks for a case is worth as much as its category. */
const pointsOf = ({ categoryWeight, weight, reviews, blockers, orders, trusted }: CaseLoad): number =>
  categoryWeight *
    (1 + Math.log2(1 + weight + reviewLoad * reviews + blockerLoad * Math.min(blockers, countedBlockers))) +
  (orders > 0 ? orderPoints : 0) +
  (trusted > 0 ? trustedPoints : 0);

/** Comparable at any time; higher comes first. */
export const rankOf = (load: CaseLoad, createdAt: Date): number => pointsOf(load) - createdAt.getTime() / hourMs;

/** The priority that people see. */
export const priorityOf = (rank: number, now: Date, isSpeaking: boolean): number =>
  Math.round((rank + now.getTime() / hourMs + (isSpeaking ? speakingPoints : 0)) * 10) / 10;

interface Explained extends CaseLoad {
  readonly category: string;
  readonly reports: number;
  readonly reporters: number;
  readonly brigaded: number;
  readonly createdAt: Date;
  readonly dueAt: Date;
  readonly isSpeaking: boolean;
}

const hours = (ms: number): string => `${Math.max(0, Math.round(ms / hourMs))} h`;
const counted = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

/** One line: what the priority is made of. */
export function explained(one: Explained, now: Date): string {
  const { category, categoryWeight, reports, reporters, brigaded, reviews, blockers, weight, createdAt, dueAt } = one;
  const { orders, trusted } = one;
  const goal = dueAt.getTime() - createdAt.getTime();
  return [
    `${category} (weight ${categoryWeight})`,
    ...(reports === 0
      ? []
      : [`${counted(reports, 'report')} by ${counted(reporters, 'person', 'people')} counting ${weight.toFixed(1)}`]),
    ...(trusted === 0 ? [] : [`${trusted} by a trusted flagger (+${trustedPoints})`]),
    ...(orders === 0 ? [] : [`${counted(orders, 'order')} of an authority (+${orderPoints})`]),
    ...(brigaded === 0 ? [] : [`${brigaded} came together and count less`]),
    ...(reviews === 0 ? [] : [counted(reviews, 'review')]),
    ...(blockers === 0 ? [] : [`blocked by ${counted(blockers, 'person', 'people')}`]),
    `waiting ${hours(now.getTime() - createdAt.getTime())} of ${hours(goal)}`,
    ...(one.isSpeaking ? ['speaking now'] : []),
  ].join(', ');
}
