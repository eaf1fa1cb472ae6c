/**
 * Keeps ranked lists of boards in memory; the table stays the source. A list is loaded when a board is first read or
 * counted, and SQL answers meanwhile. The tally's version says whether the list has every change; missing ones are read
 * by version, so that no daemon of a database shows an old rank. Unused lists are dropped. A board that is loaded evicts
 * those that have rested longest; when there is no room beside the lists in use, SQL answers for it for a while:
 * otherwise lists would keep displacing each other.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import type { Database, DatabaseClient } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import { RankedList } from './ranked-list.js';
import type { ScoreStore, StoredScore, Tally } from './score-store.js';

interface RankMemoryLimits {
  /** Limit of all lists together, also of those that are being loaded. */
  readonly bytesMax: number;
  /** A list that nobody has asked for so long is dropped. */
  readonly idleMs: number;
  /** A list that nobody has asked for so long gives way to one that is asked for. */
  readonly restedMs: number;
  /** How long SQL answers for a board for whose list there was no room. */
  readonly noRoomMs: number;
}

const waits = { idleMs: 600_000, restedMs: 60_000, noRoomMs: 600_000 };
export const rankMemoryLimits = (mebibytes: number): RankMemoryLimits => ({
  bytesMax: mebibytes * 1024 ** 2,
  ...waits,
});
/** Lists of which it is known that there was no room. */
const leftOutMax = 10_000;
/** Rows that are read at once. */
const rowsMax = 5_000;
/** A list that is further behind is loaded anew. */
const roundsMax = 50;

type Lists = Readonly<Record<MemberType, RankedList>>;

interface Loaded {
  readonly lists: Lists;
  readonly epoch: number;
  version: number;
}

const newLists = (): Lists => ({ user: new RankedList(), team: new RankedList() });
const bytesOf = ({ user, team }: Lists): number => user.bytes + team.bytes;

const put = (lists: Lists, rows: readonly StoredScore[]): void => {
  for (const { memberType, memberId, sortKey, reachedId } of rows)
    lists[memberType].set(memberId, { sortKey, reachedId });
};

export class RankMemory {
  /** Each in a wrapper of its own, since the cache weighs only what is new to it. */
  private readonly loaded: LRUCache<string, { readonly held: Loaded }>;
  private readonly leftOut: LRUCache<string, true>;
  /** Bytes of the lists that are being loaded, by tally. */
  private readonly loading = new Map<string, number>();
  private evicted = 0;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly scores: ScoreStore,
    private readonly logger: Logger,
    private readonly limits: RankMemoryLimits,
  ) {
    this.loaded = new LRUCache({
      maxSize: limits.bytesMax,
      sizeCalculation: ({ held }) => bytesOf(held.lists),
      dispose: (_list, _id, reason) => {
        if (reason === 'evict') this.evicted += 1;
      },
      ttl: limits.idleMs,
      ttlAutopurge: true,
      updateAgeOnGet: true,
    });
    this.leftOut = new LRUCache({ max: leftOutMax, ttl: limits.noRoomMs });
  }

  /** Members that are held in memory. */
  get members(): number {
    const sizes = [...this.loaded.values()].map(({ held: { lists } }) => lists.user.size + lists.team.size);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Memory of all lists, with those that are being loaded. */
  get bytes(): number {
    return [...this.loading.values()].reduce((sum, bytes) => sum + bytes, this.loaded.calculatedSize);
  }

  /** Boards whose lists had to give way to others, since the start. */
  get evictions(): number {
    return this.evicted;
  }

  /** The lists as the tally is now, read by the client; null: they are not in memory yet, ask the table. */
  async current(client: DatabaseClient, { id, version, epoch }: Tally): Promise<Lists | null> {
    const held = this.loaded.get(id)?.held;
    if (held === undefined || held.epoch !== epoch) {
      this.loaded.delete(id);
      this.load(id);
      return null;
    }
    if (held.version < version && !(await this.catchUp(client, id, held, version))) return null;
    return held.lists;
  }

  /** Adds the changes that a transaction of this daemon has stored as one version, after its commit. */
  apply(tallyId: string, version: number, rows: readonly StoredScore[]): void {
    const held = this.loaded.peek(tallyId)?.held;
    // When another daemon has stored a version in between, the next reader fetches both from the table.
    if (held?.version !== version - 1) return;
    put(held.lists, rows);
    held.version = version;
    this.weigh(tallyId, held);
  }

  stop(): void {
    this.stopped = true;
    this.loaded.clear();
  }

  /** Brings the lists up to the version. Returns false if they cannot be brought there. */
  private async catchUp(client: DatabaseClient, id: string, held: Loaded, version: number): Promise<boolean> {
    for (let round = 0; round < roundsMax && held.version < version; round += 1) {
      const from = held.version;
      const rows = await this.scores.changedSince(client, id, from, rowsMax);
      // The list may be newer by now; rows are applied again in their order, the newest last.
      if (held.version > from) continue;
      put(held.lists, rows);
      const full = rows.length === rowsMax;
      held.version = full ? (rows.at(-1)?.version ?? version) - 1 : version;
    }
    this.weigh(id, held);
    return held.version >= version;
  }

  /** A list has grown: the least recently used of the others may have to go, or itself when it alone is too large. */
  private weigh(id: string, held: Loaded): void {
    if (this.loaded.peek(id)?.held !== held) return;
    this.loaded.set(id, { held });
    if (!this.loaded.has(id)) this.evicted += 1;
  }

  private load(id: string): void {
    if (this.loading.has(id) || this.leftOut.has(id) || this.stopped) return;
    this.loading.set(id, 0);
    this.read(id)
      .catch((error: unknown) => this.logger.warn({ err: error, tally: id }, 'a leaderboard could not be loaded'))
      .finally(() => this.loading.delete(id));
  }

  private async read(id: string): Promise<void> {
    const client = this.database.read;
    const tally = await this.scores.tally(client, id);
    if (tally === null) return;
    const held: Loaded = { lists: newLists(), epoch: tally.epoch, version: tally.version };
    for (const memberType of MemberType.options) {
      let after = '';
      for (;;) {
        const rows = await this.scores.membersAfter(client, id, memberType, after, rowsMax);
        put(held.lists, rows);
        after = rows.at(-1)?.memberId ?? after;
        if (this.stopped || !this.hasRoom(id, held)) return;
        if (rows.length < rowsMax) break;
        await nextTurn();
      }
    }
    // Rows that changed while they were read are read again, by their version.
    const now = await this.scores.tally(client, id);
    if (now === null || now.epoch !== held.epoch) return;
    await this.catchUp(client, id, held, now.version);
    if (!this.stopped && this.hasRoom(id, held)) this.loaded.set(id, { held });
  }

  /** True if the list fits in beside those in use, after others that rest were evicted; remembered where it does not. */
  private hasRoom(id: string, { lists }: Loaded): boolean {
    const { bytesMax, idleMs, restedMs } = this.limits;
    this.loading.set(id, bytesOf(lists));
    while (this.bytes > bytesMax) {
      const { value: oldest } = this.loaded.rkeys().next();
      if (oldest === undefined || this.loaded.getRemainingTTL(oldest) > idleMs - restedMs) {
        this.leftOut.set(id, true);
        return false;
      }
      this.loaded.delete(oldest);
      this.evicted += 1;
    }
    return true;
  }
}
