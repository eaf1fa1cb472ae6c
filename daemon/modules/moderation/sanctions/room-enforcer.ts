/**
 * Applies stored sanctions in the rooms. One turn after the other in each project, and every turn reads the current
 * policies, so that the newest one wins; people added while a turn waits share it.
 */
import type { DomainEvent } from '../../../../src/contract/events.js';
import type { Clock } from '../../../platform/clock.js';
import { slicesOf, Turns } from '../../../platform/database/turns.js';
import type { PolicyReader } from './policy-reader.js';
import type { RoomPolicies } from './rules.js';
import type { SanctionStore } from './store.js';

/** Where sanctions take effect. Resolves once the policies hold. */
export interface SanctionEffects {
  apply(projectId: string, policies: ReadonlyMap<string, RoomPolicies>): Promise<void>;
}

interface Turn {
  readonly people: Set<string>;
  readonly done: Promise<void>;
}

export class RoomEnforcer {
  private readonly waiting = new Map<string, Turn>();
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

  /** The same for everybody whom these sanctions are about. */
  async enforceAll(sanctions: Iterable<{ projectId: string; externalUserId: string | null }>): Promise<void> {
    const turns = new Set<Promise<void>>();
    for (const { projectId, externalUserId } of sanctions)
      if (externalUserId !== null) turns.add(this.enforce(projectId, [externalUserId]));
    await Promise.all(turns);
  }

  /** A session began to listen in its room or left it: sanctions limited to it hold there, or no longer do. */
  async sessionChanged(projectId: string, sessionId: string): Promise<void> {
    await this.enforceAll(await this.sanctions.ofSession(projectId, sessionId, this.now()));
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
          await this.effects.apply(projectId, await this.policies.policies(projectId, [...some]));
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

  /**
   * Sanctions imposed on another daemon, and those that the end of a session lifts. Applying a policy twice changes
   * nothing.
   */
  async follow(events: readonly DomainEvent[]): Promise<void> {
    const [sanctions, sessions] = [events.filter(isAbout('sanction.')), events.filter(isAbout('session.'))];
    await this.enforceAll(sanctions.map(({ projectId = '', payload: { data } }) => ({ projectId, ...personOf(data) })));
    for (const { projectId, resourceId } of sessions)
      if (projectId !== undefined) await this.sessionChanged(projectId, resourceId.slice('session:'.length));
  }
}

/** Events that the enforcer follows. */
export const enforcedEvents = ['sanction.*', 'session.updated', 'session.deleted'] as const;

const isAbout =
  (prefix: string) =>
  ({ type }: DomainEvent): boolean =>
    type.startsWith(prefix);

const personOf = (data: unknown): { externalUserId: string | null } => {
  const person = typeof data === 'object' && data !== null ? Reflect.get(data, 'externalUserId') : null;
  return { externalUserId: typeof person === 'string' ? person : null };
};
