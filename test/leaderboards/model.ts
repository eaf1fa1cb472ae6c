/** Model of a board, in the plain way: every event that ever came, counted anew for each question. */
import type { Aggregate, MemberType, SortOrder } from '../../src/contract/gameplay/leaderboards.js';

export interface Sent {
  readonly user: string;
  readonly team: string | null;
  readonly amount: number;
  readonly type: 'single' | 'group';
}

interface ModelPlace {
  readonly score: number;
  /** Place of the event that reached it. */
  readonly reached: number;
}

type Own = readonly (Sent & { readonly at: number })[];

/** Returns the score of a user by their events; `asc`: the lowest is the best. */
const scoreOfUser = (aggregate: Aggregate, order: SortOrder, own: Own): bigint =>
  own.reduce((score: bigint | null, event) => {
    const amount = BigInt(event.amount);
    if (score === null || aggregate === 'last') return amount;
    if (aggregate === 'sum') return event.type === 'single' ? score + amount : amount;
    return amount > score === (order === 'desc') ? amount : score;
  }, null) ?? 0n;

/** The sum of what its users brought; the best event of its users; the last one. */
function scoreOfTeam(aggregate: Aggregate, order: SortOrder, own: Own): bigint {
  if (aggregate !== 'sum') return scoreOfUser(aggregate, order, own);
  const users = [...new Set(own.map(({ user }) => user))];
  return users
    .map((user) => own.filter((event) => event.user === user))
    .reduce((sum, events) => sum + scoreOfUser('sum', order, events), 0n);
}

const limit = BigInt(Number.MAX_SAFE_INTEGER);
const shown = (score: bigint): number => Number(score > limit ? limit : score < -limit ? -limit : score);

export class BoardModel {
  readonly events: Sent[] = [];
  /** Member → place from which on their events count. */
  readonly since = new Map<string, number>();
  excluded: ReadonlySet<string> = new Set();
  /** Place at which the period began. */
  began = 0;

  constructor(
    private readonly aggregate: Aggregate,
    private readonly order: SortOrder,
  ) {}

  ranking(memberType: MemberType): string[] {
    const standings = new Map<string, ModelPlace>();
    const counted = this.events
      .map((event, at) => ({ ...event, at }))
      .filter(({ user, at }) => at >= this.began && !this.excluded.has(user));
    const memberOf = ({ user, team }: Sent) => (memberType === 'user' ? user : team);
    for (const member of new Set(counted.map(memberOf))) {
      if (member === null) continue;
      const from = this.since.get(`${memberType} ${member}`) ?? 0;
      const own = counted.filter((event) => memberOf(event) === member && event.at >= from);
      if (own.length === 0) continue;
      standings.set(member, this.placeOf(memberType === 'user' ? scoreOfUser : scoreOfTeam, own));
    }
    const sign = this.order === 'desc' ? -1 : 1;
    return [...standings]
      .sort(([, a], [, b]) => sign * (a.score - b.score) || a.reached - b.reached)
      .map(([member, { score }], index) => `${index + 1} ${member} ${score}`);
  }

  /** Orders equal scores by time: a score was reached by the first event since which it is the same. */
  private placeOf(scoreOf: typeof scoreOfUser, own: Own): ModelPlace {
    const scores = own.map((_, index) => shown(scoreOf(this.aggregate, this.order, own.slice(0, index + 1))));
    const score = scores.at(-1) ?? 0;
    const since = scores.findLastIndex((earlier) => earlier !== score) + 1;
    return { score, reached: own[since]?.at ?? -1 };
  }
}
