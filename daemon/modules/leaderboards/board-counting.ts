/**
 * Applies game events to leaderboards, in the transaction that stores the events: scores change in sets, and every
 * change becomes an event for the log. Projects without boards cost nothing here.
 */
import type { Lateness } from '../../../src/contract/gameplay/gameplay.js';
import { addTo } from '../../platform/collections/add-to.js';
import { compareText } from '../../platform/database/bulk-rows.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import { madeAtMs } from '../../platform/ids/id-time.js';
import type { StoredEvent, SubmittedEvent } from '../game-events/event-store.js';
import { type BoardDefinition, type BoardPeriod, hasBegun, needsPeriod, placeOfLate, worth } from './board.js';
import type { ProjectBoards } from './board-definitions.js';
import type { BoardPeriods, InfoLookup } from './board-periods.js';
import type { BoardStore } from './board-store.js';
import { type Infos, type MemberRank, placeless } from './board-views.js';
import { placeIn, rankChanges } from './rank-changes.js';
import type { RankMemory } from './rank-memory.js';
import type { Key } from './ranked-list.js';
import { rankingEvent } from './ranking-events.js';
import { hiddenKeys, type RestrictedUsers } from './restricted-members.js';
import { type LockedTally, type ScoreStore, scoreOfRow, sortKeyOf, storedScore } from './score-store.js';
import {
  type Hit,
  type MemberKey,
  memberText,
  type Score,
  type ScoreChange,
  score,
  shareOf,
  teamOf,
  userOf,
} from './scoring.js';

interface BoardHit extends Hit {
  readonly definition: BoardDefinition;
  /** The period in which the event happened, where it was sent later; null: the one that runs counts it. */
  readonly own: BoardPeriod | null;
}

/** The moment at which events are counted. */
interface CountingMoment {
  readonly now: Date;
  /** Gets the events that came after their period was closed, by id. */
  readonly late: Map<string, Lateness>;
}

/** The members among whom a rank is counted. */
interface RankedAmong {
  readonly locked: ReadonlyMap<string, LockedTally>;
  readonly restricted: ReadonlySet<string>;
}

const unique = <T>(items: readonly T[], textOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [textOf(item), item])).values(),
];
const present = <T>(item: T | null): T[] => (item === null ? [] : [item]);

/** When the first of the events got its id. */
const earliest = (hits: readonly BoardHit[]): Date =>
  new Date(Math.min(...hits.map(({ event }) => madeAtMs(event.id))));

interface BoardCountingNeeds {
  readonly database: Database;
  readonly boards: BoardStore;
  readonly periods: BoardPeriods;
  readonly scores: ScoreStore;
  readonly memory: RankMemory;
  readonly infos: InfoLookup;
  readonly restrictions: RestrictedUsers;
  readonly log: Pick<EventLog, 'isRead'>;
}

export class BoardCounting {
  constructor(private readonly needs: BoardCountingNeeds) {}

  /** Begins periods, so that ids of periods and of their events are in order; returns what is to be announced of it. */
  async begin(
    tx: Transaction,
    events: readonly SubmittedEvent[],
    projects: ReadonlyMap<string, ProjectBoards>,
    now: Date,
  ): Promise<NewEvent[]> {
    const over = new Set<BoardDefinition>();
    for (const { projectId, event } of events)
      for (const definition of projects.get(projectId)?.byEvent.get(event.event.name) ?? [])
        if (needsPeriod(definition, now) && worth(definition, event, now) !== null) over.add(definition);
    const begun: NewEvent[] = [];
    for (const definition of over) begun.push(...(await this.needs.periods.running(tx, definition, now)).announced);
    return begun;
  }

  /** Stores what the events change and returns what is to be announced of it, in their order. */
  async count(
    tx: Transaction,
    events: readonly StoredEvent[],
    projects: ReadonlyMap<string, ProjectBoards>,
    moment: CountingMoment,
  ): Promise<NewEvent[]> {
    const found = await this.find(tx, events, projects, moment);
    const { now } = moment;
    if (found.length === 0) return [];
    const { hits, locked, begun, runs } = await this.lock(tx, found, now);
    const stored = await this.needs.scores.scores(
      tx,
      unique([...hits.map(userOf), ...hits.flatMap((hit) => present(teamOf(hit)))], memberText),
    );
    const orders = new Map(hits.map(({ tallyId, rules }) => [tallyId, rules.sortOrder]));
    const before = new Map(
      stored.map((row): [string, Score] => [memberText(row), scoreOfRow(row, orders.get(row.tallyId) ?? 'desc')]),
    );
    const shares = await this.needs.scores.shares(
      tx,
      hits.flatMap((hit) => present(shareOf(hit))),
    );
    const scored = score(hits, before, shares);
    const announced = this.needs.log.isRead
      ? [...begun, ...(await this.announced(tx, scored.changes.filter(runs), locked))]
      : [];
    const versionOf = (tallyId: string): number => locked.get(tallyId)?.version ?? 0;
    await this.needs.scores.save(tx, scored.scores, versionOf);
    await this.needs.scores.saveShares(tx, scored.shares);
    this.needs.database.afterCommit(tx, () => {
      for (const [tallyId, { version }] of locked) {
        const rows = scored.scores.filter((row) => row.tallyId === tallyId);
        this.needs.memory.apply(
          tallyId,
          version,
          rows.map((row) => storedScore(row, version)),
        );
      }
    });
    return announced;
  }

  private async find(
    tx: Transaction,
    events: readonly StoredEvent[],
    projects: ReadonlyMap<string, ProjectBoards>,
    { now, late }: CountingMoment,
  ): Promise<BoardHit[]> {
    const hits: BoardHit[] = [];
    for (const { id, projectId, event, occurredAt } of events) {
      for (const definition of projects.get(projectId)?.byEvent.get(event.event.name) ?? []) {
        const place = occurredAt === null ? 'now' : await this.placeOf(tx, definition, { createdAt: now, occurredAt });
        if (place === null) continue;
        const own = place === 'now' || place === 'ignored' ? null : place;
        const amount = worth(definition, event, place === 'now' ? now : (occurredAt ?? now));
        if (amount === null) continue;
        if (occurredAt !== null && own === null && late.get(id) !== 'now')
          late.set(id, place === 'now' ? 'now' : 'ignored');
        if (place === 'ignored') continue;
        const { userId, teamId, type } = event;
        const { tallyId } = own ?? definition.period;
        const scored = { id, userId, teamId, type, amount, forUser: true };
        hits.push({ tallyId, rules: definition.board, definition, event: scored, own });
      }
    }
    return hits;
  }

  private async placeOf(tx: Transaction, definition: BoardDefinition, event: { createdAt: Date; occurredAt: Date }) {
    const periods = await this.needs.boards.periodsFrom(tx, definition.board.id, event.occurredAt);
    return placeOfLate(definition, periods, event);
  }

  /**
   * Locks the live tallies and moves hits to where a count from the stored events would find them: a board may have been
   * reset or rebuilt while this waited for the lock, or a member excluded or taken off it.
   */
  private async lock(tx: Transaction, found: readonly BoardHit[], now: Date) {
    const { boards, scores } = this.needs;
    const definitions = unique(
      found.map(({ definition }) => definition),
      ({ board }) => board.id,
    ).sort((a, b) => compareText(a.board.projectId, b.board.projectId)); // a period that begins locks the project
    const running: BoardDefinition[] = [];
    const begun: NewEvent[] = [];
    for (const definition of definitions) {
      const { period, announced } = await this.needs.periods.running(tx, definition, now);
      begun.push(...announced);
      if (period !== null) running.push({ ...definition, period });
    }
    const tallies = new Map(running.map(({ board, period }) => [board.id, period.tallyId]));
    const runningIds = new Map(running.map(({ board, period }) => [board.id, period.id]));
    const isEarlier = ({ own, definition }: BoardHit): boolean =>
      own !== null && own.id !== runningIds.get(definition.board.id);
    const earlier = new Map(
      found.filter(isEarlier).flatMap(({ own, definition }) => (own === null ? [] : [[own, definition.board.id]])),
    );
    const earlierTallies = new Map([...earlier.keys()].map(({ id, tallyId }) => [id, tallyId]));
    const locked = await scores.lockLive(tx, [...tallies.values(), ...earlierTallies.values()]);
    for (const [{ id, tallyId }, boardId] of earlier) {
      const rebuilt = locked.has(tallyId) ? null : await boards.findPeriod(tx, boardId, id);
      if (rebuilt === null) continue;
      earlierTallies.set(id, rebuilt.tallyId);
      for (const [one, tally] of await scores.lockLive(tx, [rebuilt.tallyId])) locked.set(one, tally);
    }
    const changed = await boards.changedSince(tx, running, earliest(found));
    const lockOther = async (boardId: string, { tallyId }: BoardPeriod) => {
      tallies.set(boardId, tallyId);
      for (const [id, tally] of await scores.lockLive(tx, [tallyId])) locked.set(id, tally);
    };
    const begunMeanwhile = new Map<string, BoardPeriod>();
    for (const { board, period } of running) {
      const isLocked = locked.has(period.tallyId);
      if (isLocked && changed.get(board.id)?.periodId === period.id) continue;
      const newest = await boards.currentPeriod(tx, board.id);
      if (newest !== null && newest.id !== period.id) {
        await lockOther(board.id, newest);
        begunMeanwhile.set(board.id, newest);
        tallies.set(board.id, period.tallyId);
      }
      const rebuilt = isLocked ? null : await boards.findPeriod(tx, board.id, period.id);
      if (rebuilt !== null) await lockOther(board.id, rebuilt);
    }
    const hits = found.flatMap((hit): BoardHit[] => {
      const { id: boardId } = hit.definition.board;
      const { userId, teamId, id } = hit.event;
      const changes = changed.get(boardId);
      if (changes === undefined || changes.excluded.has(userId)) return [];
      const isRemoved = (memberType: string, memberId: string): boolean =>
        (changes.removed.get(JSON.stringify([memberType, memberId]))?.getTime() ?? 0) > madeAtMs(id);
      const next = begunMeanwhile.get(boardId);
      const sentTo = next && hasBegun(next, { id, createdAt: now }) ? next.tallyId : tallies.get(boardId);
      const happenedIn = isEarlier(hit) ? earlierTallies.get(hit.own?.id ?? '') : tallies.get(boardId);
      const tallyId = hit.own === null ? sentTo : happenedIn;
      if (tallyId === undefined || !locked.has(tallyId)) return [];
      const team = teamId !== null && isRemoved('team', teamId) ? null : teamId;
      return [{ ...hit, tallyId, event: { ...hit.event, teamId: team, forUser: !isRemoved('user', userId) } }];
    });
    const shown = new Set([...tallies.values(), ...[...begunMeanwhile.values()].map(({ tallyId }) => tallyId)]);
    const runs = ({ member }: ScoreChange<BoardHit>): boolean => shown.has(member.tallyId);
    return { hits, locked, begun, runs };
  }

  private async announced(
    tx: Transaction,
    scored: readonly ScoreChange<BoardHit>[],
    locked: ReadonlyMap<string, LockedTally>,
  ): Promise<NewEvent[]> {
    const restricted = await this.restricted(tx, scored);
    const restrictedOn = ({ hit, member }: ScoreChange<BoardHit>): ReadonlySet<string> =>
      (member.memberType === 'user' ? restricted.get(hit.definition.board.projectId) : undefined) ?? new Set();
    const changes = scored.filter((change) => !restrictedOn(change).has(change.member.memberId));
    const places = await this.places(tx, changes, locked, restrictedOn);
    const infos = await this.infosOf(tx, changes);
    return changes.map(({ hit: { definition } }, index) => {
      const [before, after] = places[index] ?? [];
      if (before === undefined || after === undefined) throw new Error('A change of a score has no place.');
      return rankingEvent(definition, before, after, infos.get(definition.board.projectId) ?? new Map());
    });
  }

  /** Returns the rank of each member before and after the change. */
  private async places(
    tx: Transaction,
    changes: readonly ScoreChange<BoardHit>[],
    locked: ReadonlyMap<string, LockedTally>,
    restrictedOn: (change: ScoreChange<BoardHit>) => ReadonlySet<string>,
  ) {
    const places: (readonly [MemberRank, MemberRank])[] = [];
    const groups = new Map<string, number[]>();
    changes.forEach(({ member: { tallyId, memberType } }, index) => {
      const group = `${tallyId} ${memberType}`;
      addTo(groups, group, index);
    });
    for (const indices of groups.values()) {
      const own = indices.flatMap((index) => changes[index] ?? []);
      const [one] = own;
      if (one === undefined) continue;
      const keys = own.map(({ hit, before, after }) => ({
        before: before === null ? null : keyOf(before, hit),
        after: keyOf(after, hit),
      }));
      const countBefore = await this.counter(
        tx,
        one.member,
        { locked, restricted: restrictedOn(one) },
        keys.flatMap(({ before, after }) => [...present(before), after]),
      );
      rankChanges(keys, countBefore).forEach((ranks, place) => {
        const change = own[place];
        const index = indices[place];
        if (change === undefined || index === undefined) return;
        const { memberType, memberId } = change.member;
        const was: MemberRank =
          change.before === null
            ? placeless(memberType, memberId)
            : { memberType, memberId, rank: ranks.before, score: change.before.score };
        places[index] = [was, { memberType, memberId, rank: ranks.after, score: change.after.score }];
      });
    }
    return places;
  }

  /** How many members who are shown rank before each of the keys, before anything of this transaction is stored. */
  private async counter(
    tx: Transaction,
    { tallyId, memberType }: MemberKey,
    { locked, restricted }: RankedAmong,
    keys: readonly Key[],
  ): Promise<(key: Key) => number> {
    const tally = locked.get(tallyId);
    if (tally === undefined) throw new Error('A score changes that is not locked.');
    const lists = await this.needs.memory.current(tx, { id: tallyId, version: tally.version - 1, epoch: tally.epoch });
    const hidden = await hiddenKeys(this.needs.scores, tx, { tallyId, restricted });
    if (lists !== null) return (key) => lists[memberType].countBefore(key) - placeIn(hidden, key);
    const counts = await this.needs.scores.countBefore(tx, tallyId, memberType, keys);
    const known = new Map(keys.map((key, index) => [`${key.sortKey} ${key.reachedId}`, counts[index] ?? 0]));
    return ({ sortKey, reachedId }) =>
      (known.get(`${sortKey} ${reachedId}`) ?? 0) - placeIn(hidden, { sortKey, reachedId });
  }

  /** Returns the restricted users of the projects whose users have changed. */
  private async restricted(tx: Transaction, changes: readonly ScoreChange<BoardHit>[]) {
    const found = new Map<string, ReadonlySet<string>>();
    for (const { hit, member } of changes) {
      const { projectId } = hit.definition.board;
      if (member.memberType === 'user' && !found.has(projectId))
        found.set(projectId, await this.needs.restrictions.restrictedUsersIn(tx, projectId));
    }
    return found;
  }

  private async infosOf(tx: Transaction, changes: readonly ScoreChange<BoardHit>[]): Promise<Map<string, Infos>> {
    const users = new Map<string, Set<string>>();
    for (const { hit, member } of changes) {
      if (member.memberType === 'team') continue;
      const { projectId } = hit.definition.board;
      users.set(projectId, (users.get(projectId) ?? new Set()).add(member.memberId));
    }
    const infos = new Map<string, Infos>();
    for (const [projectId, ids] of users) infos.set(projectId, await this.needs.infos.infosOf(tx, projectId, [...ids]));
    return infos;
  }
}

const keyOf = ({ score: points, reachedId }: Score, { rules: { sortOrder } }: Hit): Key => ({
  sortKey: sortKeyOf({ score: points, sortOrder }),
  reachedId,
});
