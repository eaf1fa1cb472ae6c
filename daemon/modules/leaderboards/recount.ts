/**
 * Counts a period again from the stored events, into a tally that is not shown yet: on top of the snapshot of events
 * that retention has deleted, where there is one. Works in small transactions while new events come in. The tally
 * stores how far it is, so that it can continue there.
 */

import { DomainError } from '../../../src/contract/errors.js';
import { GameEventType } from '../../../src/contract/gameplay/gameplay.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { Pauses } from '../../platform/database/slices.js';
import { idBefore, madeAtMs } from '../../platform/ids/id-time.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import type { RemovedEvent } from '../game-events/event-store.js';
import { propertiesOf } from '../game-events/model/columns.js';
import { EventReplay, type ReplayedEvent } from '../game-events/replay-store.js';
import {
  type BoardDefinition,
  type BoardPeriod,
  type Count,
  clocksDifferMs,
  eventsIn,
  rulesText,
  worth,
} from './board.js';
import type { BoardStore } from './board-store.js';
import { countsAfterRemoval } from './removal-store.js';
import { type ScoreStore, scoreOfRow } from './score-store.js';
import {
  erasedShareOf,
  type Hit,
  type MemberKey,
  memberText,
  type Score,
  type ShareRow,
  score,
  shareOf,
  shareText,
  teamOf,
  userOf,
} from './scoring.js';
import { SnapshotCopy } from './snapshot-copy.js';
import { isCountedBy, TallyStore } from './tally-store.js';

/** Result of one counting step; passed on in its transaction. */
export interface CountedStep {
  readonly events: number;
  /** From 0 to 1, by the time of the events. */
  readonly progress: number;
  /** Members whose scores were counted; some may occur more than once. */
  readonly members: readonly BoardMember[];
}

/** What a user has in a period. */
export interface CountedUser {
  readonly score: Score | null;
  /** By team. */
  readonly shares: ReadonlyMap<string, Score>;
}

/** Called in the transaction of each step; throws to undo the step and end the work. */
type EachStep = (tx: Transaction, step: CountedStep) => Promise<void>;

/**
 * The tally cannot continue: it is gone, rules have changed, or events were removed before it counted them. Another one
 * can start again.
 */
export class StaleCount extends Error {
  override name = 'StaleCount';
}

export type BoardMember = Pick<MemberKey, 'memberType' | 'memberId'>;

/** Counted in one transaction, for which new events wait. */
const eventsAtOnce = 200;
const usersEventsAtOnce = 2_000;
const held: CountedStep = { events: 0, progress: 0, members: [] };
/** Events get their ids before they are committed, so on PostgreSQL the youngest ones may not be visible yet. */
const settleMs = 60_000;

export class Recount {
  private readonly snapshots: SnapshotCopy;
  private readonly replay: EventReplay;
  private readonly tallies: TallyStore;

  constructor(
    private readonly database: Database,
    private readonly scores: ScoreStore,
    private readonly boards: Pick<BoardStore, 'periodsFrom'>,
    private readonly now: Clock,
  ) {
    this.snapshots = new SnapshotCopy(database, scores);
    this.replay = new EventReplay(database.dialect);
    this.tallies = new TallyStore(database.dialect);
  }

  /** A new tally, in which nothing is counted yet. */
  open(tx: Transaction, { board }: BoardDefinition, { id: periodId }: BoardPeriod): Promise<string> {
    return this.tallies.open(tx, { board, periodId, role: 'counting', createdAt: this.now() });
  }

  /** True if every event of the period that counts by the current rules is kept, or is part of its snapshot. */
  async isComplete(client: Transaction, { board }: BoardDefinition, { id }: BoardPeriod): Promise<boolean> {
    const complete = await this.tallies.isComplete(client, id);
    const snapshot = await this.tallies.snapshot(client, id);
    return complete && (snapshot === null || isCountedBy(snapshot, rulesText(board)));
  }

  /**
   * Counts what is settled, on top of the snapshot; false: the time is over, and there is more. Throws StaleCount,
   * leaderboard_events_gone.
   */
  async catchUp(count: Count, isOver: () => boolean, each: EachStep): Promise<boolean> {
    const pauses = new Pauses();
    if ((await this.tallies.countedTo(this.database.read, count.tallyId)) === '') await this.begin(count, each);
    const until = this.database.dialect === 'sqlite' ? null : idBefore(uuidv7(), settleMs);
    while (!isOver()) {
      const step = await this.database.transaction(async (tx) => {
        const done = await this.step(tx, count, until);
        if (done === null) return null;
        const { hits, last } = done;
        const progress = this.progress(count, last);
        await each(tx, { events: hits.length, progress, members: hits.flatMap(membersOf) });
        return done;
      });
      if (step === null) return true;
      await pauses.next();
    }
    return false;
  }

  /**
   * Counts every visible event, in the caller's transaction, which keeps others from counting; returns how many, and the
   * members that were counted.
   */
  async tail(tx: Transaction, count: Count): Promise<Pick<CountedStep, 'events' | 'members'>> {
    const members = new Map<string, BoardMember>();
    let events = 0;
    for (;;) {
      const step = await this.step(tx, count, null);
      if (step === null) return { events, members: [...members.values()] };
      events += step.hits.length;
      for (const key of step.hits.flatMap(membersOf)) members.set(memberText(key), key);
    }
  }

  /**
   * Counts what several users did in a period in the order of their events, as one user, on top of what the snapshot has of
   * that one; null: events are gone. Nobody counts meanwhile.
   */
  async together(
    tx: Transaction,
    { definition, period }: Pick<Count, 'definition' | 'period'>,
    users: readonly string[],
    as: string,
  ): Promise<CountedUser | null> {
    if (!(await this.isComplete(tx, definition, period))) return null;
    const { tallyId } = period;
    const { id: boardId, projectId, eventName, sortOrder } = definition.board;
    const [next, snapshot] = [
      await this.tallies.nextPeriod(tx, boardId, period.id),
      await this.tallies.snapshot(tx, period.id),
    ];
    const member: MemberKey = { tallyId, memberType: 'user', memberId: as };
    const [scores, shares] = [new Map<string, Score>(), new Map<string, ShareRow>()];
    if (snapshot !== null) {
      const [row] = await this.scores.scores(tx, [{ ...member, tallyId: snapshot.id }]);
      if (row !== undefined) scores.set(memberText(member), scoreOfRow(row, sortOrder));
      for (const share of await this.scores.sharesOf(tx, snapshot.id, as))
        shares.set(shareText({ ...share, tallyId }), { ...share, tallyId });
    }
    const count = { definition, period, tallyId, excluded: new Set<string>() };
    for (let after = beginningOf(period, snapshot); ; ) {
      const sent = await this.replay.ofUsers(tx, { projectId, eventName }, users, after, usersEventsAtOnce);
      const own = await this.ofPeriod(tx, { definition, period, next }, sent);
      const hits = (await this.hits(tx, count, own)).map((hit) => ({ ...hit, event: { ...hit.event, userId: as } }));
      const scored = score(hits, scores, shares);
      for (const row of scored.scores) scores.set(memberText(row), row);
      for (const row of scored.shares) shares.set(shareText(row), row);
      if (sent.length < usersEventsAtOnce) break;
      after = sent.at(-1)?.id ?? after;
    }
    const found = [...shares.values()];
    return { score: scores.get(memberText(member)) ?? null, shares: new Map(found.map((row) => [row.teamId, row])) };
  }

  /** Adds events that the caller holds, in the order of their ids. */
  async add(tx: Transaction, count: Count, events: readonly RemovedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    await this.store(tx, await this.hits(tx, count, events));
    await this.tallies.saveCountedTo(tx, count.tallyId, last.id);
  }

  /** Copies the snapshot; after an interruption it starts again, with the same result. */
  private async begin(count: Count, each: EachStep): Promise<void> {
    const { period, tallyId } = count;
    const snapshot = await this.tallies.snapshot(this.database.read, period.id);
    if (snapshot !== null) await this.snapshots.copy(snapshot.id, count, (tx) => each(tx, held));
    await this.database.transaction(async (tx) => {
      const now = await this.tallies.snapshot(tx, period.id);
      if (now?.id !== snapshot?.id || now?.countedTo !== snapshot?.countedTo) throw new StaleCount();
      await this.tallies.saveCountedTo(tx, tallyId, beginningOf(period, snapshot));
      await each(tx, held);
    });
  }

  /** The position of the event between the beginning of the period (0) and now (1). */
  private progress({ period }: Count, id: string): number {
    const [from, to] = [madeAtMs(period.id) - clocksDifferMs, Math.max(this.now().getTime(), madeAtMs(id))];
    return to <= from ? 0 : Math.min(1, Math.max(0, (madeAtMs(id) - from) / (to - from)));
  }

  /**
   * Counts some more events; null at the end. The tally is locked first, so that a member who is taken off the board
   * meanwhile is taken off this tally too. Whether events are missing is checked after they are read.
   */
  private async step(tx: Transaction, count: Count, until: string | null): Promise<RecountStep | null> {
    const { tallyId, definition, period } = count;
    const tally = await this.tallies.lock(tx, tallyId);
    if (tally?.rules !== rulesText(definition.board)) throw new StaleCount();
    const { countedTo } = tally;
    const last = await this.replay.last(tx, countedTo, until, eventsAtOnce);
    const { projectId, eventName } = definition.board;
    const sent = last === null ? [] : await this.replay.events(tx, { projectId, eventName }, countedTo, last);
    const next = await this.tallies.nextPeriod(tx, definition.board.id, period.id);
    const rows = await this.ofPeriod(tx, { definition, period, next }, sent);
    if (!(await this.isComplete(tx, definition, period))) throw new DomainError('leaderboard_events_gone');
    if (((await this.tallies.snapshot(tx, period.id))?.countedTo ?? '') > countedTo) throw new StaleCount();
    if (last === null) return null;
    const hits = await this.hits(tx, count, rows);
    await this.store(tx, hits);
    await this.tallies.saveCountedTo(tx, tallyId, last);
    return { hits, last };
  }

  /** Returns the events that count in the period, with the time by which each is judged as that of its creation. */
  private async ofPeriod(
    tx: Transaction,
    of: Pick<Count, 'definition' | 'period'> & { readonly next: BoardPeriod | null },
    sent: readonly ReplayedEvent[],
  ): Promise<ReplayedEvent[]> {
    const times = sent.flatMap(({ occurredAt }) => occurredAt?.getTime() ?? []);
    const from = times.length === 0 ? null : new Date(times.reduce((least, time) => Math.min(least, time)));
    const periods = from === null ? [] : await this.boards.periodsFrom(tx, of.definition.board.id, from);
    return eventsIn(of.definition, of, periods, sent);
  }

  private async hits(tx: Transaction, count: Count, rows: readonly ReplayedEvent[]): Promise<Hit[]> {
    const { definition, period, tallyId, excluded } = count;
    const counts = await countsAfterRemoval(tx, { leaderboardId: definition.board.id, periodId: period.id });
    return rows.flatMap(({ id, userId, teamId: team, eventType, metaData, createdAt, origin }) => {
      if (excluded.has(userId)) return [];
      const properties = propertiesOf(metaData);
      const amount = worth(definition, { event: definition.event, properties }, createdAt);
      if (amount === null) return [];
      const teamId = team !== null && counts({ memberType: 'team', memberId: team }, id) ? team : null;
      const forUser = counts({ memberType: 'user', memberId: userId }, id, origin);
      const event = { id, userId, teamId, type: GameEventType.parse(eventType), amount, forUser };
      return [{ tallyId, rules: definition.board, event }];
    });
  }

  private async store(tx: Transaction, hits: readonly Hit[]): Promise<void> {
    const [one] = hits;
    if (one === undefined) return;
    const members = new Map(hits.flatMap(membersOf).map((key) => [memberText(key), key]));
    const stored = await this.scores.scores(tx, [...members.values()]);
    const before = new Map(
      stored.map((row): [string, Score] => [memberText(row), scoreOfRow(row, one.rules.sortOrder)]),
    );
    const keys = hits.flatMap((hit) => [shareOf(hit), erasedShareOf(hit)]).filter((key) => key !== null);
    const byText = new Map(keys.map((key) => [shareText(key), key]));
    const scored = score(hits, before, await this.scores.shares(tx, [...byText.values()]));
    await this.scores.save(tx, scored.scores, () => 0);
    await this.scores.saveShares(tx, scored.shares);
  }
}

/** Id of the event after which a count of the period goes on. */
const beginningOf = ({ id }: BoardPeriod, snapshot: { readonly countedTo: string } | null): string =>
  snapshot?.countedTo || idBefore(id, clocksDifferMs);

function membersOf(hit: Hit): MemberKey[] {
  const team = teamOf(hit);
  return team === null ? [userOf(hit)] : [userOf(hit), team];
}

interface RecountStep {
  readonly hits: readonly Hit[];
  /** The last event that was examined. */
  readonly last: string;
}
