/**
 * Counts a period again from the stored events, into a tally that nobody sees yet: on top of the snapshot that stands at
 * the edge of retention, where there is one. Works in small transactions while new events come in.
 */
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { GameEventType } from '../../../../src/contract/gameplay/gameplay.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { Turns } from '../../../platform/database/turns.js';
import { idBefore } from '../../../platform/id-time.js';
import { type BoardDefinition, type BoardPeriod, rulesText, worth } from './board.js';
import { type ScoreStore, scoreOfKey } from './score-store.js';
import {
  type Hit,
  type MemberKey,
  memberText,
  mergeScores,
  type Score,
  type ScoreRow,
  type ShareRow,
  score,
  shareOf,
  teamOf,
  userOf,
} from './scoring.js';

/** A tally in the making. */
export interface Count {
  readonly definition: BoardDefinition;
  readonly period: BoardPeriod;
  readonly tallyId: string;
  /** Users whose events do not count. */
  readonly excluded: ReadonlySet<string>;
}

export type Member = Pick<MemberKey, 'memberType' | 'memberId'>;

const eventsAtOnce = 2_000;
const rowsAtOnce = 1_000;
/** Clocks of daemons may differ by so much, and a period may begin so long after its first event got its id. */
const slackMs = 60_000;
/** Events get their ids before they are committed, so on PostgreSQL the youngest ones may not be visible yet. */
const settleMs = 60_000;

const Properties = z.record(z.string(), z.union([z.number(), z.string()]));
const rowOf = { id: true, userId: true, teamId: true, eventType: true, metaData: true, createdAt: true } as const;

export class Recount {
  constructor(
    private readonly database: Database,
    private readonly scores: ScoreStore,
    private readonly now: Clock,
  ) {}

  /** A new tally, holding what the snapshot holds. */
  async begin(definition: BoardDefinition, period: BoardPeriod, excluded: ReadonlySet<string>): Promise<Count> {
    const count: Count = { definition, period, tallyId: uuidv7(), excluded };
    const { id: leaderboardId, projectId } = definition.board;
    const snapshot = await this.database.read.leaderboardTally.findFirst({
      where: { periodId: period.id, role: 'snapshot' },
    });
    await this.database.transaction((tx) =>
      tx.leaderboardTally.create({
        data: {
          ...{ id: count.tallyId, projectId, leaderboardId, periodId: period.id, role: 'counting' },
          ...{ rules: rulesText(definition.board), countedTo: snapshot?.countedTo || idBefore(period.id, slackMs) },
          ...{ version: 0, epoch: 0, createdAt: this.now() },
        },
      }),
    );
    if (snapshot !== null) await this.copy(snapshot.id, count);
    return count;
  }

  /** Counts what is settled; returns how many events there were. */
  async catchUp(count: Count): Promise<number> {
    const turns = new Turns();
    const until = this.database.dialect === 'sqlite' ? null : idBefore(uuidv7(), settleMs);
    for (let counted = 0; ; ) {
      const step = await this.database.transaction((tx) => this.step(tx, count, until));
      if (step === null) return counted;
      counted += step.length;
      await turns.next();
    }
  }

  /** Counts all that is visible, in the caller's transaction, which keeps others from counting; returns whose scores that were. */
  async tail(tx: Transaction, count: Count): Promise<Member[]> {
    const members = new Map<string, Member>();
    for (;;) {
      const step = await this.step(tx, count, null);
      if (step === null) return [...members.values()];
      for (const key of step.flatMap(membersOf)) members.set(memberText(key), key);
    }
  }

  /** Adds events that the caller holds, in the order of their ids. */
  async add(tx: Transaction, count: Count, events: readonly StoredGameEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    await this.store(tx, await this.hits(tx, count, events));
    await tx.leaderboardTally.update({ where: { id: count.tallyId }, data: { countedTo: last.id } });
  }

  /** Goes on through some events; returns those that counted, null at the end. */
  private async step(tx: Transaction, count: Count, until: string | null): Promise<Hit[] | null> {
    const { tallyId, definition, period } = count;
    const { countedTo } = await tx.leaderboardTally.findUniqueOrThrow({ where: { id: tallyId } });
    const behind = { gt: countedTo, ...(until === null ? {} : { lte: until }) };
    const some = { orderBy: { id: 'asc' }, take: eventsAtOnce } as const;
    const ids = await tx.gameEvent.findMany({ where: { id: behind }, select: { id: true }, ...some });
    const last = ids.at(-1);
    if (last === undefined) return null;
    const { projectId, eventName } = definition.board;
    const between = { gte: period.startsAt, ...(period.endsAt === null ? {} : { lt: period.endsAt }) };
    const rows = await tx.gameEvent.findMany({
      where: { id: { gt: countedTo, lte: last.id }, projectId, eventName, createdAt: between },
      orderBy: { id: 'asc' },
      select: rowOf,
    });
    const hits = await this.hits(tx, count, rows);
    await this.store(tx, hits);
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { countedTo: last.id } });
    return hits;
  }

  private async hits(tx: Transaction, count: Count, rows: readonly CountedRow[]): Promise<Hit[]> {
    const { definition, tallyId, excluded } = count;
    const marks = await this.marks(tx, definition.board.id);
    const counts = (memberType: string, memberId: string, at: Date): boolean => {
      const before = marks.get(`${memberType} ${memberId}`);
      return before === undefined || at >= before;
    };
    return rows.flatMap(({ id, userId, teamId: team, eventType, metaData, createdAt }) => {
      if (excluded.has(userId)) return [];
      const properties = Properties.parse(JSON.parse(metaData));
      const amount = worth(definition, { event: definition.event, properties }, createdAt);
      if (amount === null) return [];
      const teamId = team !== null && counts('team', team, createdAt) ? team : null;
      const forUser = counts('user', userId, createdAt);
      const event = { id, userId, teamId, type: GameEventType.parse(eventType), amount, forUser };
      return [{ tallyId, rules: definition.board, event }];
    });
  }

  /** From when on the events of members who were taken off the board count. */
  private async marks(tx: Transaction, leaderboardId: string): Promise<Map<string, Date>> {
    const rows = await tx.leaderboardExclusion.findMany({ where: { leaderboardId, before: { not: null } } });
    return new Map(
      rows.flatMap(({ memberType, memberId, before }) =>
        before === null ? [] : [[`${memberType} ${memberId}`, before]],
      ),
    );
  }

  private async store(tx: Transaction, hits: readonly Hit[]): Promise<void> {
    const [one] = hits;
    if (one === undefined) return;
    const members = new Map(hits.flatMap(membersOf).map((key) => [memberText(key), key]));
    const stored = await this.scores.scores(tx, [...members.values()]);
    const before = new Map(
      stored.map(({ sortKey, reachedId, ...key }): [string, Score] => [
        memberText(key),
        { score: scoreOfKey(sortKey, one.rules.sortOrder), reachedId },
      ]),
    );
    const shares = await this.scores.shares(
      tx,
      hits.flatMap((hit) => shareOf(hit) ?? []),
    );
    const scored = score(hits, before, shares);
    await this.scores.save(tx, scored.scores, () => 0);
    await this.scores.saveShares(tx, scored.shares);
  }

  /** What the snapshot holds of those who count; the scores of teams are made of the shares of these. */
  private async copy(from: string, { tallyId, excluded, definition }: Count): Promise<void> {
    const { sortOrder } = definition.board;
    let after = '';
    for (;;) {
      const members = await this.scores.membersAfter(this.database.read, from, 'user', after, rowsAtOnce);
      const rows = members.filter(({ memberId }) => !excluded.has(memberId));
      const scores = rows.map(({ memberType, memberId, sortKey, reachedId }) => ({
        ...{ tallyId, memberType, memberId, sortOrder, reachedId, score: scoreOfKey(sortKey, sortOrder) },
      }));
      await this.database.transaction((tx) => this.scores.save(tx, scores, () => 0));
      after = members.at(-1)?.memberId ?? after;
      if (members.length < rowsAtOnce) break;
    }
    let share = { teamId: '', userId: '' };
    let team: ScoreRow | null = null;
    for (;;) {
      const page = await this.scores.sharesAfter(this.database.read, from, share, rowsAtOnce);
      const shares = page.filter(({ userId }) => !excluded.has(userId)).map((row): ShareRow => ({ ...row, tallyId }));
      const teams: ScoreRow[] = [];
      for (const { teamId, score: brought, reachedId } of shares) {
        const own: Score = { score: brought, reachedId };
        if (team !== null && team.memberId !== teamId) teams.push(team);
        const merged: Score = team?.memberId === teamId ? mergeScores(definition.board, team, own) : own;
        team = { tallyId, memberType: 'team', memberId: teamId, sortOrder, ...merged };
      }
      const done = page.length < rowsAtOnce;
      const rows = done && team !== null ? [...teams, team] : teams;
      await this.database.transaction(async (tx) => {
        await this.scores.saveShares(tx, shares);
        await this.scores.save(tx, rows, () => 0);
      });
      share = page.at(-1) ?? share;
      if (done) return;
    }
  }
}

function membersOf(hit: Hit): MemberKey[] {
  const team = teamOf(hit);
  return team === null ? [userOf(hit)] : [userOf(hit), team];
}

interface CountedRow {
  readonly id: string;
  readonly userId: string;
  readonly teamId: string | null;
  readonly eventType: string;
  readonly metaData: string;
  readonly createdAt: Date;
}

/** A row of a game event, as far as boards look at it. */
export interface StoredGameEvent extends CountedRow {
  readonly projectId: string;
  readonly eventName: string;
}
