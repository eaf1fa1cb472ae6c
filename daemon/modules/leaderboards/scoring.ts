/** How events make scores. Pure: one pass in the order of arrival. */
import type { GameEventType } from '../../../src/contract/gameplay/gameplay.js';
import type { Aggregate, MemberType, SortOrder } from '../../../src/contract/gameplay/leaderboards.js';
import { add, count, type RunningSum, sumOf } from '../game-events/model/counting.js';

interface ScoreRules {
  readonly aggregate: Aggregate;
  readonly sortOrder: SortOrder;
}

export interface Score {
  readonly score: number;
  /** The sum, where it lies beyond what a score shows. */
  readonly exact: string | null;
  /** The event that brought the score: of equal scores, the earlier one is ahead. */
  readonly reachedId: string;
}

/** An event that counts on a board. */
interface ScoredEvent {
  readonly id: string;
  readonly userId: string;
  readonly teamId: string | null;
  readonly type: GameEventType;
  readonly amount: number;
  /** false: it counts for the team alone. */
  readonly forUser: boolean;
}

/** An event and one of the counts that it goes into. */
export interface Hit {
  readonly tallyId: string;
  readonly rules: ScoreRules;
  readonly event: ScoredEvent;
}

export interface MemberKey {
  readonly tallyId: string;
  readonly memberType: MemberType;
  readonly memberId: string;
}
export interface ShareKey {
  readonly tallyId: string;
  readonly teamId: string;
  readonly userId: string;
}
export type ScoreRow = MemberKey & Score & { readonly sortOrder: SortOrder };
export type ShareRow = ShareKey & Score;

/** Change that one event made to one member. */
export interface ScoreChange<H extends Hit = Hit> {
  readonly hit: H;
  readonly member: MemberKey;
  readonly before: Score | null;
  readonly after: Score;
}

export const memberText = ({ tallyId, memberType, memberId }: MemberKey): string =>
  `${tallyId} ${memberType} ${memberId}`;
export const shareText = ({ tallyId, teamId, userId }: ShareKey): string => JSON.stringify([tallyId, teamId, userId]);

export const userOf = ({ tallyId, event }: Hit): MemberKey => ({ tallyId, memberType: 'user', memberId: event.userId });
export const teamOf = ({ tallyId, event: { teamId } }: Hit): MemberKey | null =>
  teamId === null ? null : { tallyId, memberType: 'team', memberId: teamId };
export const shareOf = ({ tallyId, event: { teamId, userId } }: Hit): ShareKey | null =>
  teamId === null ? null : { tallyId, teamId, userId };

const isBetter = (score: number, other: number, order: SortOrder): boolean =>
  order === 'desc' ? score > other : score < other;

const sumIn = (score: Score | null): RunningSum => ({ value: score?.score ?? 0, exact: score?.exact ?? null });

/** The score after an event that leads to this sum. Where what is shown stays, so does the event that brought it. */
const reached = (before: Score | null, { value, exact }: RunningSum, id: string): Score => ({
  ...{ score: value, exact },
  reachedId: before?.score === value ? before.reachedId : id,
});

const scoreAfter = ({ aggregate, sortOrder }: ScoreRules, before: Score | null, event: ScoredEvent): Score => {
  const { type, amount, id } = event;
  if (aggregate === 'last') return reached(before, sumOf(amount), id);
  if (aggregate === 'best')
    return before === null || isBetter(amount, before.score, sortOrder) ? reached(before, sumOf(amount), id) : before;
  const counter = { ...sumIn(before), sessionId: null };
  return reached(before, count(counter, { type, amount, sessionId: '' }, 'total'), id);
};

/**
 * Returns a user's share of a team's score after an event. Choice: a group event sets what this user brought, not what
 * the others did. With `last`, a share stores which event it is from, so that the newest one of a team can be found.
 */
const shareAfter = (rules: ScoreRules, before: Score | null, event: ScoredEvent): Score => {
  const after = scoreAfter(rules, before, event);
  return rules.aggregate === 'last' ? { ...after, reachedId: event.id } : after;
};

const teamAfter = (rules: ScoreRules, team: Score | null, before: Score | null, event: ScoredEvent): Score => {
  if (rules.aggregate !== 'sum') return scoreAfter(rules, team, event);
  const share = sumIn(shareAfter(rules, before, event));
  return reached(team, add(add(sumIn(team), share), sumIn(before), -1), event.id);
};

/** Stands for all erased people together, whose events are gone: their share is not counted from events. */
export const erasedUserId = '';

/** Returns the share of erased people in the team of an event. */
export const erasedShareOf = (hit: Hit): ShareKey | null => {
  const share = shareOf(hit);
  return share === null ? null : { ...share, userId: erasedUserId };
};

const earlier = (a: Score, b: Score): Score => (a.reachedId <= b.reachedId ? a : b);
const later = (a: Score, b: Score): Score => (a.reachedId <= b.reachedId ? b : a);

/** Two shares as one, where the events are gone that would say more. */
export const mergeScores = ({ aggregate, sortOrder }: ScoreRules, a: Score, b: Score): Score => {
  if (aggregate === 'last') return later(a, b);
  if (aggregate === 'sum') {
    const { value, exact } = add(sumIn(a), sumIn(b));
    return { score: value, exact, reachedId: later(a, b).reachedId };
  }
  if (a.score === b.score) return earlier(a, b);
  return isBetter(a.score, b.score, sortOrder) ? a : b;
};

/** The sum of a team in which one share takes the place of others. */
export const replaceShares = (team: Score, old: readonly Score[], share: Score): Score => {
  const rest = old.reduce((sum, one) => add(sum, sumIn(one), -1), sumIn(team));
  const { value, exact } = add(rest, sumIn(share));
  const isSame = team.score === value && team.exact === exact;
  return isSame ? team : reached(team, { value, exact }, share.reachedId);
};

interface Scored<H extends Hit> {
  readonly changes: readonly ScoreChange<H>[];
  readonly scores: readonly ScoreRow[];
  readonly shares: readonly ShareRow[];
}

/**
 * `scores` and `shares` hold what is stored of the members that the events concern; a count of events that are not the newest
 * has the shares of erased people too.
 */
export const score = <H extends Hit>(
  hits: readonly H[],
  scores: ReadonlyMap<string, Score>,
  shares: ReadonlyMap<string, Score>,
): Scored<H> => {
  const changes: ScoreChange<H>[] = [];
  const scoreRows = new Map<string, ScoreRow>();
  const shareRows = new Map<string, ShareRow>();
  const change = (hit: H, member: MemberKey, scoreOf: (before: Score | null) => Score): void => {
    const text = memberText(member);
    const before = scoreRows.get(text) ?? scores.get(text) ?? null;
    const after = scoreOf(before);
    const isSame = before?.score === after.score && before.exact === after.exact;
    if (isSame && before.reachedId === after.reachedId) return;
    scoreRows.set(text, {
      tallyId: member.tallyId,
      memberType: member.memberType,
      memberId: member.memberId,
      score: after.score,
      exact: after.exact,
      reachedId: after.reachedId,
      sortOrder: hit.rules.sortOrder,
    });
    if (before?.score !== after.score) changes.push({ hit, member, before, after });
  };
  for (const hit of hits) {
    const { rules, event } = hit;
    if (event.forUser) change(hit, userOf(hit), (before) => scoreAfter(rules, before, event));
    const [team, share] = [teamOf(hit), shareOf(hit)];
    if (team === null || share === null) continue;
    const text = shareText(share);
    const brought = shareRows.get(text) ?? shares.get(text) ?? null;
    // A count from the stored events meets the older ones after the last event of somebody erased.
    const erased = shares.get(shareText({ ...share, userId: erasedUserId }));
    const isOlder = rules.aggregate === 'last' && erased !== undefined && event.id < erased.reachedId;
    change(hit, team, (before) => (isOlder && before !== null ? before : teamAfter(rules, before, brought, event)));
    const after = shareAfter(rules, brought, event);
    shareRows.set(text, {
      tallyId: share.tallyId,
      teamId: share.teamId,
      userId: share.userId,
      score: after.score,
      exact: after.exact,
      reachedId: after.reachedId,
    });
  }
  return { changes, scores: [...scoreRows.values()], shares: [...shareRows.values()] };
};
