/**
 * Folds the event log into counts by day. The position in the log moves in the transaction that stores the counts, so each
 * event is counted once, whichever daemon counts.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { storableTime } from '../../../../src/contract/common.js';
import { type DomainEvent, eventData, type OwnEventType } from '../../../../src/contract/events.js';
import { SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import type { ModerationRebuild } from '../../../../src/contract/stats/moderation-stats.js';
import type { Database } from '../../../platform/database/database.js';
import { cursors } from '../../../platform/events/cursors.js';
import type { EventLog } from '../../../platform/events/log.js';
import { keptSince } from '../../../platform/events/stored-at.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AccountDirectory } from '../../identity/directory.js';
import type { SanctionRow } from '../../moderation/sanctions/sanction-rows.js';
import type { SanctionStore } from '../../moderation/sanctions/store.js';
import type { ProjectStore } from '../../projects/store.js';
import type { SessionDirectory } from '../../sessions/directory.js';
import type { MessageStore } from '../../sessions/message-store.js';
import {
  type CountedSanction,
  type CountingContext,
  countedTypes,
  countsOf,
  type DayCount,
  isErased,
  remainsOf,
} from './counting.js';
import type { DayStore } from './day-store.js';
import { activePeople } from './people-sketch.js';

interface FoldingNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly days: DayStore;
  readonly projects: Pick<ProjectStore, 'tenantOf' | 'allIds'>;
  readonly accounts: Pick<AccountDirectory, 'names' | 'people'>;
  readonly sanctions: Pick<SanctionStore, 'byIds'>;
  readonly sessions: Pick<SessionDirectory, 'allRoomsOf'>;
  readonly messages: Pick<MessageStore, 'sessionOfEach'>;
  readonly now: Clock;
}

const types = new Set(countedTypes);
const cursorOf = (projectId: string): string => `stats:${projectId}`;
const ownerOf = (projectId: string) => [{ kind: 'project', id: projectId } as const];

/** Counts of one key added up. Bounded by the events of a page; of a rebuild, by what its rows take anyway. */
class Sums {
  private readonly all = new Map<string, DayCount>();

  add(counts: readonly DayCount[]): void {
    for (const one of counts) {
      const name = JSON.stringify([one.day, one.what, one.key]);
      const known = this.all.get(name)?.count ?? 0;
      this.all.set(name, { ...one, count: one.what === activePeople ? Math.max(one.count, known) : one.count + known });
    }
  }

  /** In the same order everywhere, so that transactions do not wait for each other's rows. */
  get counts(): DayCount[] {
    return [...this.all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  }
}

const isDay = /^\d{4}-\d\d-\d\d$/;

/** Returns counts that can be stored. Throws where an event gave others, because its data is not what its type promises. */
function countable(counts: DayCount[]): DayCount[] {
  const wrong = counts.find(
    ({ day, key, count }) => !isDay.test(day) || typeof key !== 'string' || !Number.isInteger(count),
  );
  if (wrong !== undefined) throw new Error(`The event counts as ${JSON.stringify(wrong)}, which cannot be stored.`);
  return counts;
}

export class DayFolding {
  private readonly running = new Map<string, Promise<Date>>();
  private readonly rebuilding = new Map<string, Promise<ModerationRebuild>>();

  constructor(private readonly needs: FoldingNeeds) {}

  /** Counts what the log of every project has more; returns how many there are. Throws at the end if one failed. */
  async foldAll(): Promise<number> {
    const failed: string[] = [];
    let cause: unknown;
    const projects = await this.needs.projects.allIds();
    for (const projectId of projects)
      await this.fold(projectId).catch((error: unknown) => {
        failed.push(projectId);
        cause = error;
      });
    const reason = cause instanceof Error ? cause.message.trim().split('\n').at(-1) : String(cause);
    if (failed.length > 0)
      throw new Error(`The figures of ${failed.join(', ')} could not be counted: ${reason}`, { cause });
    return projects.length;
  }

  /** Counts what the log has more; returns up to when. */
  fold(projectId: string): Promise<Date> {
    const running = this.running.get(projectId);
    if (running !== undefined) return running.then(() => this.fold(projectId));
    const folding = this.foldNow(projectId).finally(() => this.running.delete(projectId));
    this.running.set(projectId, folding);
    return folding;
  }

  private async foldNow(projectId: string): Promise<Date> {
    const { log, database, days, now } = this.needs;
    const at = now();
    const tenantId = await this.needs.projects.tenantOf(projectId);
    if (tenantId === null) return at; // deleted meanwhile
    const to = await log.head();
    const name = cursorOf(projectId);
    for (;;) {
      const from = (await cursors.places(database.read, [name])).get(name) ?? (await this.open(tenantId, projectId));
      if (from >= to) return at;
      const { counts, end } = await this.page(projectId, from, to);
      await database.transaction(async (tx) => {
        // Otherwise another daemon has counted these events.
        if (await cursors.advance(tx, name, { from, to: end, at: now() })) await days.add(tx, projectId, counts);
      });
      await nextTurn();
    }
  }

  /** Begins with the oldest event. */
  private async open(tenantId: string, projectId: string): Promise<bigint> {
    const { database, now } = this.needs;
    const cursor = { name: cursorOf(projectId), tenantId, projectId, position: 0n, updatedAt: now() };
    await database.transaction((tx) => cursors.ensure(tx, cursor));
    return 0n;
  }

  /** Counts anew what the log has from the first day of which it has lost nothing; whoever asks meanwhile gets that answer. */
  rebuild(projectId: string): Promise<ModerationRebuild> {
    const running = this.rebuilding.get(projectId);
    if (running !== undefined) return running;
    const rebuilding = this.rebuildNow(projectId).finally(() => this.rebuilding.delete(projectId));
    this.rebuilding.set(projectId, rebuilding);
    return rebuilding;
  }

  private async rebuildNow(projectId: string): Promise<ModerationRebuild> {
    const { database, days, now } = this.needs;
    const name = cursorOf(projectId);
    for (;;) {
      await this.fold(projectId);
      const kept = await keptSince(database.read);
      // The first day of which nothing is lost, of this year: figures of a year that is over were published.
      const ofYear = `${now().getUTCFullYear()}-01-01`;
      const whole = kept === null ? '' : dayAfter(kept.toISOString().slice(0, 10));
      const since = whole > ofYear ? whole : ofYear;
      const sums = new Sums();
      let events = 0;
      const to = (await cursors.places(database.read, [name])).get(name) ?? 0n;
      for (let from = 0n; from < to; ) {
        const page = await this.page(projectId, from, to);
        sums.add(page.counts.filter(({ day, what }) => day >= since || what === activePeople));
        events += page.events;
        from = page.end;
        await nextTurn();
      }
      if (events === 0) return { since: null, events };
      const isStored = await database.transaction(async (tx) => {
        if (!(await cursors.advance(tx, name, { from: to, to, at: now() }))) return false; // more was counted meanwhile
        await days.replaceFrom(tx, projectId, since, sums.counts);
        return true;
      });
      if (isStored) return { since, events };
    }
  }

  private async page(projectId: string, after: bigint, to: bigint) {
    const filter = { hears: (type: string) => types.has(type), resources: [] };
    const { events, end } = await this.needs.log.pages.read({ parts: ownerOf(projectId), filter, after, to });
    const sums = new Sums();
    const whole = events.flatMap(({ event }) => (this.isWhole(event) ? [event] : []));
    if (whole.length > 0) {
      const context = await this.contextOf(projectId, whole);
      for (const event of whole) {
        try {
          sums.add(countable(countsOf(event, context)));
        } catch (error) {
          this.needs.log.passOver(event.id, error);
        }
      }
    }
    return { counts: sums.counts, end, events: events.length };
  }

  /** An event whose data is not what its type promises is set aside: it must not stop the figures of its project. */
  private isWhole(event: DomainEvent): boolean {
    if (isErased(event)) return true;
    const { error } = eventData[event.type as OwnEventType].safeParse(event.payload.data);
    if (error !== undefined) this.needs.log.passOver(event.id, error);
    return error === undefined;
  }

  private async contextOf(projectId: string, events: Parameters<typeof countsOf>[0][]): Promise<CountingContext> {
    const { accounts, projects } = this.needs;
    const imposed = events.flatMap((event) =>
      event.type === 'sanction.created' ? (remainsOf<CountedSanction>(event) ?? []) : [],
    );
    const reviewed = events.flatMap((event) =>
      event.type === 'review.updated' || event.type === 'review.created'
        ? (remainsOf<{ sanctionId: string }>(event)?.sanctionId ?? [])
        : [],
    );
    const known = await this.sanctionsOf(projectId, [...new Set(reviewed)]);
    const authors = [...imposed, ...known.values()].flatMap(({ createdByUserId }) => createdByUserId ?? []);
    const tenantId = (await projects.tenantOf(projectId)) ?? '';
    const ids = [...new Set(authors)];
    const users = ids.length === 0 ? new Set<string>() : await accounts.people(tenantId, ids);
    const names = ids.length === 0 ? new Map<string, string>() : await accounts.names(tenantId, ids);
    const keys = new Set([...names.keys()].filter((id) => !users.has(id)));
    return { users, keys, sanctions: known, rooms: await this.roomsOf(projectId, imposed) };
  }

  /** Sanctions by id; of people who are erased, what remains in the log. */
  private async sanctionsOf(projectId: string, ids: readonly string[]): Promise<Map<string, CountedSanction>> {
    const { sanctions, log, database } = this.needs;
    const rows = await sanctions.byIds(projectId, ids);
    const known = new Map(rows.map((row): [string, CountedSanction] => [row.id, countedOf(row)]));
    const lost = ids
      .filter((id) => !known.has(id))
      .map((id) => ({ subjectUserId: null, resourceId: `sanction:${id}` }));
    const events = await log.redaction.eventsOf(database.read, projectId, lost);
    for (const { payload } of events.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const { data } = JSON.parse(payload);
      if ('type' in data) known.set(data.id, { template: null, ground: null, evidence: null, ...data });
    }
    return known;
  }

  /** The room of each sanction that is of one session, or names what was said in one. */
  private async roomsOf(projectId: string, imposed: readonly CountedSanction[]): Promise<Map<string, string>> {
    const { sessions, messages } = this.needs;
    const named = imposed.flatMap(({ evidence }) => evidence?.messageIds?.slice(0, 1) ?? []);
    const said = await messages.sessionOfEach(projectId, named);
    const sessionOf = ({ sessionId, evidence }: CountedSanction): string | undefined =>
      sessionId ?? said.get(evidence?.messageIds?.[0] ?? '');
    const ids = imposed.flatMap((one) => sessionOf(one) ?? []);
    const rooms = await sessions.allRoomsOf(projectId, [...new Set(ids)]);
    return new Map(
      imposed.flatMap((one) => {
        const room = rooms.get(sessionOf(one) ?? '');
        return room === undefined ? [] : [[one.id, room]];
      }),
    );
  }
}

const countedOf = (row: SanctionRow): CountedSanction => {
  return { ...row, type: SanctionType.parse(row.type), ...row.basis };
};

const dayMs = 86_400_000;
export const dayAfter = (day: string): string =>
  storableTime(Date.parse(day) + dayMs)
    .toISOString()
    .slice(0, 10);
