/**
 * Intake of game events. Requests wait a moment and are stored together in one transaction of set-based statements: the
 * events, the counters and scores they change, and what is announced about that. Each request is answered after the
 * commit, never before.
 */

import { storableTime } from '../../../src/contract/common.js';
import { DomainError, type ErrorDetail } from '../../../src/contract/errors.js';
import { EventPayload, type Lateness } from '../../../src/contract/gameplay/gameplay.js';
import { judgeWithoutNulls } from '../../../src/contract/judge.js';
import type { Database } from '../../platform/database/database.js';
import { GroupCommit } from '../../platform/database/group-commit.js';
import type { EventLog } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import { underOwnNames } from '../../platform/http/bodies/other-names.js';
import { refusalOf } from '../../platform/http/errors.js';
import { refuseUnusableText } from '../../platform/http/text.js';
import type { LimitName } from '../../platform/limits/catalogue.js';
import { WindowCounter } from '../../platform/limits/window-counter.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Clock } from '../../platform/time/clock.js';
import type { EventCounter, PreparedCounter } from './event-counter.js';
import type { EventStore, SubmittedEvent } from './event-store.js';
import { readGameEvent } from './model/game-event.js';
import { RevisionStore } from './revision-store.js';

/** Limit of the cost of one transaction: about as many rows are written, and changes announced. */
const costMax = 1_000;

/** Limits of one project; 0: no limit. */
export interface IntakeLimits {
  readonly requestsPerSecond: number;
  readonly eventsPerSecond: number;
  /** By a token of the player's own. */
  readonly eventsPerSecondByPlayer: number;
}

/** Sender of game events. */
export interface Submitter {
  readonly tenantId: string;
  readonly projectId: string;
  /** Scope of idempotency keys: `projectKeys`, or that of a player. None is another one followed by a space and more. */
  readonly keyScope: string;
  /** User of a player token; null: a back end, which names the user in each event. */
  readonly playerId: string | null;
}

/** Scope of the keys of back ends: one goes on where another, or an earlier API key, broke off. */
export const projectKeys = 'project';

/** The result for one event of a batch. */
export interface EventOutcome {
  readonly refusal: DomainError | null;
  /** null: the period in which the event happened was not closed anywhere. */
  readonly late: Lateness | null;
}

export class EventIntake {
  private readonly commits: GroupCommit<SubmittedEvent, EventOutcome>;
  private readonly revisions: RevisionStore;
  private readonly requests: WindowCounter;
  private readonly events: WindowCounter;
  private readonly eventsOfPlayer: WindowCounter;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly store: EventStore,
    private readonly counters: readonly EventCounter[],
    private readonly logger: Logger,
    private readonly now: Clock,
    limits: IntakeLimits,
  ) {
    this.commits = new GroupCommit(
      'game_event_queue',
      (batch) => this.flush(batch, costMax),
      {},
      {
        shareOf: ({ tenantId }) => tenantId,
        partOf: ({ projectId }) => projectId,
        costOf: ({ projectId, event }) =>
          counters.reduce((cost, counter) => cost + counter.knownCost(projectId, event.event.name), 1),
        costMax,
      },
    );
    this.revisions = new RevisionStore(database.dialect);
    const inASecond = (name: LimitName, max: () => number) => new WindowCounter(name, { max, windowMs: 1_000 });
    this.requests = inASecond('game_requests', () => limits.requestsPerSecond);
    this.events = inASecond('game_events', () => limits.eventsPerSecond);
    this.eventsOfPlayer = inASecond('player_events', () => limits.eventsPerSecondByPlayer);
  }

  /**
   * Resolves once the event and its effects are stored. Throws unknown_event, game_event_invalid, rate_limited, …, and
   * idempotency_mismatch where another event has been stored under its key.
   */
  async submit(by: Submitter, payload: EventPayload, idempotencyKey: string | null): Promise<void> {
    this.admit(by, 1);
    await this.commit(this.accept(by, payload, idempotencyKey === null ? null : keyOfOne(idempotencyKey)));
  }

  /**
   * Each event succeeds or fails alone, whatever its fault; the outcomes are in the order of the events. Throws
   * rate_limited, overloaded, and the fault of the first where none was stored or refused.
   *
   * @param sentAt by the sender's clock; null: it is right
   */
  async submitAll(
    by: Submitter,
    events: readonly unknown[],
    idempotencyKey: string | null,
    sentAt: string | null = null,
  ): Promise<EventOutcome[]> {
    this.admit(by, events.length);
    const clockErrorMs = sentAt === null ? 0 : this.now().getTime() - new Date(sentAt).getTime();
    const ends = await Promise.allSettled(
      events.map(async (event, index) => {
        const key = idempotencyKey === null ? null : `${idempotencyKey}#${index}`;
        return this.commit(this.accept(by, readPayload(event), key, clockErrorMs));
      }),
    );
    const faults = ends.flatMap((end) => (end.status === 'fulfilled' || isRefusal(end.reason) ? [] : [end.reason]));
    if (faults.length > 0 && faults.length === ends.length) throw faults[0];
    for (const err of faults) this.logger.error({ projectId: by.projectId, err }, 'game event of a batch failed');
    return ends.map((end) =>
      end.status === 'fulfilled' ? { refusal: null, late: end.value } : { refusal: refusalOf(end.reason), late: null },
    );
  }

  /**
   * Stores all of them at once, or none: for a back end that is alone, so there is nobody to wait for. Throws as
   * `submit`.
   */
  async submitTogether(by: Submitter, events: readonly EventPayload[]): Promise<void> {
    await this.flush(
      events.map((event) => this.accept(by, event, null)),
      Infinity,
    );
  }

  /** Events that wait to be stored. */
  get waiting(): number {
    return this.commits.waiting;
  }

  /** Everything that was submitted is stored or refused when this resolves. */
  stop(): Promise<void> {
    return this.commits.drain();
  }

  private async commit(event: SubmittedEvent): Promise<Lateness | null> {
    const { refusal, late } = await this.commits.submit(event);
    if (refusal !== null) throw refusal;
    return late;
  }

  /** A player that sends too much uses up nothing of the project's. Throws rate_limited, overloaded. */
  private admit({ tenantId, projectId, playerId }: Submitter, events: number): void {
    if (playerId !== null) this.eventsOfPlayer.consume(JSON.stringify([projectId, playerId]), events);
    this.requests.consume(projectId, 1);
    this.commits.requirePlace(tenantId, projectId);
    this.events.consume(projectId, events);
  }

  /** @param idempotencyKey of the request; a key of the event's own comes first */
  private accept(
    by: Submitter,
    payload: EventPayload,
    idempotencyKey: string | null,
    clockErrorMs = 0,
  ): SubmittedEvent {
    const { tenantId, projectId, keyScope, playerId } = by;
    const event = readGameEvent(payload, playerId);
    const key = payload.idempotency_key ?? idempotencyKey;
    const occurredAt = earlierTime(payload.occurred_at ?? null, this.now(), clockErrorMs);
    return { tenantId, projectId, event, occurredAt, idempotencyKey: key === null ? null : `${keyScope} ${key}` };
  }

  /**
   * Stores the first events of the batch, up to the one that makes them cost `costMax`. Returns the outcome of each.
   */
  private flush(submitted: readonly SubmittedEvent[], costMax: number): Promise<EventOutcome[]> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const projectIds = [...new Set(submitted.map(({ projectId }) => projectId))];
      const revisions = await this.revisions.find(tx, projectIds);
      const counters: PreparedCounter[] = [];
      for (const counter of this.counters) counters.push(await counter.prepare(tx, revisions));
      const batch = affordable(submitted, counters, costMax);
      const known = await this.store.recognise(tx, batch);
      const fresh = batch.filter((_, index) => known[index] === 'new');
      const announced: NewEvent[] = [];
      for (const counter of counters) announced.push(...((await counter.begin?.(fresh, now)) ?? []));
      const events = await this.store.insert(tx, fresh, now);
      for (const counter of counters) announced.push(...(await counter.count(events, now)));
      if (announced.length > 0) await this.log.append(tx, ...announced);
      const late = new Map(counters.flatMap((counter) => [...(counter.late ?? [])]));
      const ids = events.map(({ id }) => id).values();
      return known.map((one) => ({
        refusal: one === 'other' ? new DomainError('idempotency_mismatch') : null,
        late: one === 'new' ? (late.get(ids.next().value ?? '') ?? null) : null,
      }));
    });
  }
}

/**
 * The first events of a batch, up to the one that makes them cost `costMax`: an event costs itself, and each challenge
 * and leaderboard that it may change. They may cost more than they seemed to when they were taken from the queue:
 * challenges may have been added since.
 */
function affordable(
  batch: readonly SubmittedEvent[],
  counters: readonly PreparedCounter[],
  costMax: number,
): readonly SubmittedEvent[] {
  let cost = 0;
  const tooMany = batch.findIndex(({ projectId, event }) => {
    const isSpent = cost >= costMax;
    cost += counters.reduce((sum, counter) => sum + counter.costOf(projectId, event.event.name), 1);
    return isSpent;
  });
  return tooMany === -1 ? batch : batch.slice(0, tooMany);
}

/** A queue sends what has just happened after some seconds, which is now. */
const promptMs = 5_000;

/** The time at which an event happened, where it was before now; a clock that is ahead says nothing. */
const earlierTime = (stated: string | null, now: Date, clockErrorMs: number): Date | null => {
  const at = stated === null ? now : storableTime(new Date(stated).getTime() + clockErrorMs);
  return now.getTime() - at.getTime() > promptMs ? at : null;
};

const isRefusal = (error: unknown): boolean => error instanceof DomainError;

/** The key of an event that is sent by itself: one that ends as those of a batch do gets another end. */
const keyOfOne = (key: string): string => (/#\d*$/.test(key) ? `${key}#` : key);

const readPayload = (event: unknown): EventPayload => {
  refuseUnusableText(event, '');
  const judged = judgeWithoutNulls(EventPayload, underOwnNames(EventPayload, event));
  if (judged.success) return judged.data;
  const details: ErrorDetail[] = judged.problems.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new DomainError('game_event_invalid', { details });
};
