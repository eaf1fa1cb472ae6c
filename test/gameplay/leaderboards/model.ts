/** What a board must say, found the plain way: every event that ever came, counted anew for each question. */
import type { Aggregate, MemberType, SortOrder } from '../../../src/contract/gameplay/leaderboards.js';

export interface Sent {
  readonly user: string;
  readonly team: string | null;
  readonly amount: number;
  readonly type: 'single' | 'group';
}

interface ModelPlace {
  readonly score: number;
  /** Place of the event that brought it. */
  readonly reached: number;
}

const byRules = (aggregate: Aggregate, order: SortOrder, own: readonly (Sent & { at: number })[]): ModelPlace => {
  const scores: number[] = [];
  for (const { amount, type } of own) {
    const before = scores.at(-1);
    if (before === undefined || aggregate === 'last') scores.push(amount);
    else if (aggregate === 'sum') scores.push(type === 'single' ? before + amount : amount);
    else scores.push(order === 'desc' ? Math.max(before, amount) : Math.min(before, amount));
  }
  const first = scores.findLastIndex((score, index) => index === 0 || score !== scores[index - 1]);
  return { score: scores.at(-1) ?? 0, reached: own[first]?.at ?? -1 };
};

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
      standings.set(member, memberType === 'user' ? byRules(this.aggregate, this.order, own) : this.ofTeam(own));
    }
    const sign = this.order === 'desc' ? -1 : 1;
    return [...standings]
      .sort(([, a], [, b]) => sign * (a.score - b.score) || a.reached - b.reached)
      .map(([member, { score }], index) => `${index + 1} ${member} ${score}`);
  }

  /**
   * The sum of what each user brought; the best; the last. When it was reached: the first moment at which it last
   * changed.
   */
  private ofTeam(own: readonly (Sent & { at: number })[]): ModelPlace {
    if (this.aggregate === 'best') return byRules('best', this.order, own);
    const last = own.at(-1);
    if (this.aggregate === 'last') return { score: last?.amount ?? 0, reached: last?.at ?? -1 };
    let standing: ModelPlace | null = null;
    own.forEach(({ at }, index) => {
      const soFar = own.slice(0, index + 1);
      const users = new Set(soFar.map(({ user }) => user));
      let score = 0;
      for (const user of users)
        score += byRules(
          'sum',
          this.order,
          soFar.filter((event) => event.user === user),
        ).score;
      if (standing?.score !== score) standing = { score, reached: at };
    });
    return standing ?? { score: 0, reached: -1 };
  }
}
