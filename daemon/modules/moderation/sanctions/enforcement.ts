/**
 * Brings what is stored into the rooms. One turn after the other in each project, and every turn asks anew what holds,
 * so that the newest standing is the one that stays; people who come while a turn waits share it.
 */
import type { Clock } from '../../../platform/clock.js';
import { slicesOf, Turns } from '../../../platform/database/turns.js';
import type { ErasedBans } from './erased-bans.js';
import { policyOf, type RoomPolicy, type Standing, standingIn, standingOf } from './rules.js';
import { type SanctionStore, toHolding } from './store.js';

/** Where sanctions take effect. Resolves once the standings hold. */
export interface SanctionEffects {
  apply(projectId: string, standings: ReadonlyMap<string, Standing>): Promise<void>;
}

/** The rooms in which sessions listen now, by session id; a session that has ended has none. */
export type RoomsOfSessions = (projectId: string, sessionIds: string[]) => Promise<ReadonlyMap<string, string>>;

interface Turn {
  readonly people: Set<string>;
  readonly done: Promise<void>;
}

export class Enforcement {
  private readonly waiting = new Map<string, Turn>();
  private readonly last = new Map<string, Promise<void>>();

  constructor(
    private readonly sanctions: SanctionStore,
    private readonly erasedBans: ErasedBans,
    private readonly roomsOf: RoomsOfSessions,
    private readonly effects: SanctionEffects,
    private readonly now: Clock,
  ) {}

  /** Resolves once what is stored now holds against these people in all rooms of the project. */
  enforce(projectId: string, externalUserIds: Iterable<string>): Promise<void> {
    const turn = this.waiting.get(projectId) ?? this.newTurn(projectId);
    for (const one of externalUserIds) turn.people.add(one);
    return turn.done;
  }

  /** The same for everybody whom these sanctions are about. */
  async enforceAll(sanctions: Iterable<{ projectId: string; externalUserId: string | null }>): Promise<void> {
    const turns = new Set<Promise<void>>();
    for (const { projectId, externalUserId } of sanctions)
      if (externalUserId !== null) turns.add(this.enforce(projectId, [externalUserId]));
    await Promise.all(turns);
  }

  /** A session began to listen in its room or left it: what is limited to it holds there, or no longer. */
  async sessionChanged(projectId: string, sessionId: string): Promise<void> {
    await this.enforceAll(await this.sanctions.ofSession(projectId, sessionId, this.now()));
  }

  /** What the person may do in this room now. */
  async policy(projectId: string, roomId: string, externalUserId: string): Promise<RoomPolicy> {
    const standing = (await this.standings(projectId, [externalUserId])).get(externalUserId);
    return standing === undefined ? policyOf([]) : standingIn(standing, roomId);
  }

  private newTurn(projectId: string): Turn {
    const people = new Set<string>();
    const before = this.last.get(projectId) ?? Promise.resolve();
    const done = before
      .catch(() => {})
      .then(async () => {
        this.waiting.delete(projectId);
        const turns = new Turns();
        for (const some of slicesOf([...people])) {
          await this.effects.apply(projectId, await this.standings(projectId, [...some]));
          await turns.next();
        }
      })
      .finally(() => {
        if (this.last.get(projectId) === done) this.last.delete(projectId);
      });
    const turn = { people, done };
    this.waiting.set(projectId, turn);
    this.last.set(projectId, done);
    return turn;
  }

  private async standings(projectId: string, externalUserIds: string[]): Promise<Map<string, Standing>> {
    const now = this.now();
    const holdings = await this.erasedBans.holding(projectId, externalUserIds, now);
    for (const row of await this.sanctions.holding(projectId, externalUserIds, now))
      if (row.externalUserId !== null) holdings.get(row.externalUserId)?.push(toHolding(row));
    const sessionIds = [...holdings.values()].flat().flatMap(({ sessionId }) => sessionId ?? []);
    const rooms = sessionIds.length === 0 ? new Map() : await this.roomsOf(projectId, [...new Set(sessionIds)]);
    return new Map([...holdings].map(([person, inForce]) => [person, standingOf(inForce, rooms)]));
  }
}
