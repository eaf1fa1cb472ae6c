/**
 * Intake of game events. Requests wait a moment and are stored together in one transaction of set-based statements: the
 * events, the counters and scores they change, and what is announced about that. Each request is answered after the
 * commit, never before.
 */

import { DomainError, type ErrorDetail } from '../../../src/contract/errors.js';
import { EventPayload } from '../../../src/contract/gameplay/gameplay.js';
import { judge } from '../../../src/contract/judge.js';
import type { Database } from '../../platform/database/database.js';
import { GroupCommit, groupCommitLimits } from '../../platform/database/group-commit.js';
import type { Clock } from '../../platform/time/clock.js';
import type { ChallengeDefinitions } from './definitions.js';
import type { EventStore, SubmittedEvent } from './event-store.js';
import { concerned, fold } from './fold.js';
import { readGameEvent } from './game-event.js';
import type { BoardCounting } from './leaderboards/board-counting.js';
import type { PlayerChallengeStore } from './player-challenge-store.js';
import type { ProgressWriter } from './progress-writer.js';
import { SecondlyLimit } from './rate-limit.js';

/** Limits of one project; 0: no limit. */
export interface IntakeLimits {
  readonly requestsPerSecond: number;
  readonly eventsPerSecond: number;
}

/** Sender of game events. */
export interface Submitter {
  readonly projectId: string;
  /** Scope of idempotency keys. */
  readonly credential: string;
  /** User of a player token; null: a back end, which names the user in each event. */
  readonly playerId: string | null;
}

/** The result for one event of a batch. */
export type EventOutcome = { readonly refusal: null } | { readonly refusal: DomainError };

export class EventIntake {
  private readonly commits: GroupCommit<SubmittedEvent, null>;
  private readonly requests: SecondlyLimit;
  private readonly events: SecondlyLimit;

  constructor(
    private readonly database: Database,
    private readonly definitions: ChallengeDefinitions,
    private readonly store: EventStore,
    private readonly playerChallenges: PlayerChallengeStore,
    private readonly writer: ProgressWriter,
    private readonly leaderboards: BoardCounting,
    private readonly now: Clock,
    limits: IntakeLimits,
  ) {
    const shareOf = ({ projectId }: SubmittedEvent) => projectId;
    this.commits = new GroupCommit((batch) => this.flush(batch), groupCommitLimits, shareOf);
    this.requests = new SecondlyLimit(limits.requestsPerSecond, now);
    this.events = new SecondlyLimit(limits.eventsPerSecond, now);
  }

  /** Resolves once the event and its effects are stored. Throws unknown_event, game_event_invalid, rate_limited, … */
  async submit(by: Submitter, payload: EventPayload, idempotencyKey: string | null): Promise<void> {
    this.requests.take(by.projectId, 1);
    this.commits.requirePlace(by.projectId);
    this.events.take(by.projectId, 1);
    await this.commits.submit(this.accept(by, payload, idempotencyKey));
  }

  /**
   * Each event succeeds or fails alone; the outcomes are in the order of the events. Throws rate_limited, overloaded.
   */
  async submitAll(by: Submitter, events: readonly unknown[], idempotencyKey: string | null): Promise<EventOutcome[]> {
    this.requests.take(by.projectId, 1);
    this.commits.requirePlace(by.projectId);
    this.events.take(by.projectId, events.length);
    return Promise.all(
      events.map(async (event, index) => {
        const key = idempotencyKey === null ? null : `${idempotencyKey}#${index}`;
        try {
          await this.commits.submit(this.accept(by, readPayload(event), key));
          return { refusal: null };
        } catch (error) {
          if (error instanceof DomainError) return { refusal: error };
          throw error;
        }
      }),
    );
  }

  /**
   * Stores all of them at once, or none: for a back end that is alone, so there is nobody to wait for. Throws as
   * `submit`.
   */
  async submitTogether(by: Submitter, events: readonly EventPayload[]): Promise<void> {
    await this.flush(events.map((event) => this.accept(by, event, null)));
  }

  /** Events that wait to be stored. */
  get waiting(): number {
    return this.commits.waiting;
  }

  /** Everything that was submitted is stored or refused when this resolves. */
  stop(): Promise<void> {
    return this.commits.drain();
  }

  private accept(by: Submitter, payload: EventPayload, idempotencyKey: string | null): SubmittedEvent {
    const { projectId, credential, playerId } = by;
    const event = readGameEvent(payload, playerId);
    const key = idempotencyKey === null ? null : `${credential} ${idempotencyKey}`;
    return { projectId, event, idempotencyKey: key };
  }

  private flush(batch: readonly SubmittedEvent[]): Promise<null[]> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const events = await this.store.insert(tx, await this.store.withoutRepeats(tx, batch), now);
      const projectIds = [...new Set(events.map(({ projectId }) => projectId))];
      const definitions = await this.definitions.ofAll(tx, projectIds);
      const inProgress = await this.playerChallenges.inProgress(tx, concerned(events, definitions));
      const changes = await this.writer.work(tx, (passes) => fold(events, definitions, inProgress, passes, now));
      await this.writer.write(tx, changes, await this.leaderboards.count(tx, events, definitions, now));
      return batch.map(() => null);
    });
  }
}

const readPayload = (event: unknown): EventPayload => {
  const judged = judge(EventPayload, event);
  if (judged.success) return judged.data;
  const details: ErrorDetail[] = judged.problems.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new DomainError('game_event_invalid', { details });
};
