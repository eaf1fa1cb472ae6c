/**
 * Applies stored sanctions in the rooms. It learns of them from events alone. One turn after the other in each project,
 * and every turn reads the current policies, so that the newest one wins; people added while a turn waits share it.
 * If the rooms or the database fail, the turn is taken again until it succeeds.
 */
import type { DomainEvent } from '../../../../src/contract/events.js';
import { kindOf } from '../../../../src/contract/moderation/sanction-kinds.js';
import { Pauses, slicesOf } from '../../../platform/database/slices.js';
import { textField } from '../../../platform/events/text-field.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { PolicyReader } from './policy-reader.js';
import type { RoomPolicies } from './rules.js';
import type { SanctionStore } from './store.js';

/** Applies policies in rooms. */
export interface SanctionEffects {
  /** True if this daemon carries the rooms. */
  readonly areHere: boolean;
  /** Resolves once what this daemon has stored holds in rooms of the project that another daemon has. */
  followElsewhere(projectId: string): Promise<void>;
  /** Resolves once the policies hold. */
  apply(projectId: string, policies: ReadonlyMap<string, RoomPolicies>): Promise<void>;
}

const againMs = 1_000;
/** A room process that stands still is ended a few seconds later; whoever imposed the sanction need not wait for it. */
const holdsMaxMs = 1_000;

interface EnforcementTurn {
  readonly people: Set<string>;
  readonly done: Promise<void>;
}

export class RoomEnforcer {
  private readonly waiting = new Map<string, EnforcementTurn>();
  private readonly last = new Map<string, Promise<void>>();

  constructor(
    private readonly policies: PolicyReader,
    private readonly sanctions: SanctionStore,
    private readonly effects: SanctionEffects,
    private readonly now: Clock,
  ) {}

  /** Resolves once the stored policies of these people hold in all rooms of the project. */
  enforce(projectId: string, externalUserIds: Iterable<string>): Promise<void> {
    const turn = this.waiting.get(projectId) ?? this.newTurn(projectId);
    for (const one of externalUserIds) turn.people.add(one);
    return turn.done;
  }

  /**
   * Resolves once what the events so far say of these sanctions holds in the rooms, or after a second: then a room process
   * stands still, or the rooms are changing hands, and the daemon that gets them judges everybody who joins. At once where
   * none of the sanctions means anything in rooms.
   */
  async applied(changes: Iterable<{ readonly projectId: string; readonly type?: string }>): Promise<void> {
    const felt = [...changes].filter(({ type }) => type === undefined || kindOf(type).inRooms.length > 0);
    const projects = [...new Set(felt.map(({ projectId }) => projectId))];
    const turns = projects.map((projectId) => this.waiting.get(projectId)?.done ?? this.last.get(projectId));
    const elsewhere = projects.map((projectId) => this.effects.followElsewhere(projectId));
    await atMost(holdsMaxMs, Promise.all([...turns, ...elsewhere]));
  }

  /**
   * Sanctions that were imposed, changed or ended, people who were moved, and sessions that began to listen in their rooms
   * or left them.
   */
  async follow(events: readonly DomainEvent[]): Promise<void> {
    if (!this.effects.areHere) return;
    const about = events.filter((event) => isAbout('sanction.')(event) || isAbout('participant.')(event));
    const people = about.flatMap(({ projectId = '', payload: { data } }) =>
      ['externalUserId', 'movedFrom'].map((field) => ({ projectId, externalUserId: textField(data, field) })),
    );
    await Promise.all([this.enforceAll(people), this.sessionsChanged(events.filter(isAbout('session.')))]);
  }

  /** For everybody whom these sanctions are about. */
  private async enforceAll(sanctions: Iterable<{ projectId: string; externalUserId: string | null }>): Promise<void> {
    const turns = new Set<Promise<void>>();
    for (const { projectId, externalUserId } of sanctions)
      if (externalUserId !== null) turns.add(this.enforce(projectId, [externalUserId]));
    await Promise.all(turns);
  }

  /** Sanctions limited to these sessions hold in their rooms, or no longer do. */
  private async sessionsChanged(events: readonly DomainEvent[]): Promise<void> {
    for (const { projectId, resourceId } of events) {
      if (projectId === undefined) continue;
      const id = resourceId.slice('session:'.length);
      await this.enforceAll(await this.sanctions.ofSession(projectId, id, this.now()));
    }
  }

  private newTurn(projectId: string): EnforcementTurn {
    const people = new Set<string>();
    const before = this.last.get(projectId) ?? Promise.resolve();
    const done = before
      .catch(() => {})
      .then(async () => {
        this.waiting.delete(projectId);
        if (!this.effects.areHere) return; // whoever joins elsewhere is judged there
        const pauses = new Pauses();
        for (const some of slicesOf([...people])) {
          await this.effects.apply(projectId, await this.policies.policies(projectId, [...some]));
          await pauses.next();
        }
      })
      .catch((error: unknown) => {
        setTimeout(() => void this.enforce(projectId, people).catch(() => {}), againMs).unref();
        throw error;
      })
      .finally(() => {
        if (this.last.get(projectId) === done) this.last.delete(projectId);
      });
    const turn = { people, done };
    this.waiting.set(projectId, turn);
    this.last.set(projectId, done);
    return turn;
  }
}

/** Resolves with the work, or after that time. Throws what the work throws in time. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  work.catch(() => {}); // an error that comes later has its own retry
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Events that the enforcer follows. */
export const enforcedEvents = ['sanction.*', 'participant.moved', 'session.updated', 'session.deleted'] as const;

const isAbout =
  (prefix: string) =>
  ({ type }: DomainEvent): boolean =>
    type.startsWith(prefix);
