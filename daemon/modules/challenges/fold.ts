/** Applies a batch of game events to the challenges of players. Pure: one pass in the order of arrival. */
import { countOf } from '../../../src/contract/gameplay/game-events.js';
import { satisfies } from '../game-events/model/conditions.js';
import type { GameEvent } from '../game-events/model/game-event.js';
import type { PassesOfPlayers } from './battle-passes/progress-store.js';
import { ByChallenge } from './by-challenge.js';
import { progress, roundAt, settle } from './counted-challenges.js';
import type { CountedDefinition } from './definitions.js';
import type { PlayerChallengeKey, PlayerChallengeRow } from './player-challenge-store.js';
import { type Definitions, ProgressChanges } from './progress-changes.js';
import { dueAt, inOtherRound, type Progress, type Step } from './rules.js';

interface ProjectEvent {
  readonly projectId: string;
  readonly event: GameEvent;
  /** When it happened, where that was before it was sent; null: now. */
  readonly occurredAt: Date | null;
}

/** A challenge that an event may change, as it is before. */
interface ChallengeCounting {
  readonly definition: CountedDefinition;
  readonly from: Progress;
}

const none: readonly CountedDefinition[] = [];
const listeners = (definitions: Definitions, { projectId, event }: ProjectEvent): readonly CountedDefinition[] =>
  definitions.get(projectId)?.byEvent.get(event.event.name) ?? none;

/** The challenges of players that the events may change, each once. */
export const concerned = (events: readonly ProjectEvent[], definitions: Definitions): PlayerChallengeKey[] => {
  const keys = new ByChallenge<PlayerChallengeKey>();
  for (const one of events) {
    for (const { challenge } of listeners(definitions, one)) {
      const key = { projectId: one.projectId, userId: one.event.userId, challengeId: challenge.id };
      if (keys.get(key) === undefined) keys.set(key, key);
    }
  }
  return keys.values();
};

/** Ids of the projects in which the events may finish a level of a battle pass. */
export const ofLevels = (events: readonly ProjectEvent[], definitions: Definitions): string[] => {
  const mayFinish = events.filter((one) => listeners(definitions, one).some(({ kind }) => kind === 'level'));
  return [...new Set(mayFinish.map(({ projectId }) => projectId))];
};

/** Returns what tells whether an event concerns one of these challenges of players. */
export const concerningOf = (definitions: Definitions, rows: readonly PlayerChallengeRow[]) => {
  const known = new ByChallenge<true>();
  for (const row of rows) known.set(row, true);
  return (one: ProjectEvent): boolean =>
    listeners(definitions, one).some(
      ({ challenge }) => known.get({ userId: one.event.userId, challengeId: challenge.id }) === true,
    );
};

const count = (definition: CountedDefinition, { event }: ProjectEvent, from: Progress, now: Date): Step | null => {
  const { countProperty, metadataConditions } = definition.challenge;
  const counts = satisfies(event.properties, metadataConditions);
  const amount = counts ? countOf(event.event, event.properties, countProperty) : null;
  return progress(definition, from, { type: event.type, amount, sessionId: event.sessionId }, now);
};

/**
 * The steps of time, once no late event can come before them, and of the event, in the round in which it happened. What
 * happened before a challenge was begun would not have counted with a network either.
 */
const stepsOf = (definition: CountedDefinition, one: ProjectEvent, from: Progress, at: Date, now: Date): Step[] => {
  const due = dueAt(from);
  const settled = due !== null && due <= now ? settle(definition, from, now) : [];
  const current = settled.at(-1)?.to ?? from;
  const round = roundAt(definition, current, at, now);
  if (round === null) return settled;
  const counted = count(definition, one, round === current ? current : { ...round, otherRounds: [] }, at);
  if (counted === null) return settled;
  return [...settled, round === current ? counted : inOtherRound(current, round, counted)];
};

/** @param rows those `concerned` that may count */
export const fold = (
  events: readonly ProjectEvent[],
  definitions: Definitions,
  rows: readonly PlayerChallengeRow[],
  passes: PassesOfPlayers,
  now: Date,
): ProgressChanges => {
  const changes = new ProgressChanges(definitions, rows, passes, now);
  for (const one of events) {
    const player = { projectId: one.projectId, userId: one.event.userId };
    const at = one.occurredAt ?? now;
    // Looked up before any of them counts: a challenge that the event itself starts does not count it.
    const counting: ChallengeCounting[] = [];
    for (const definition of listeners(definitions, one)) {
      const from = changes.countable({ userId: player.userId, challengeId: definition.challenge.id });
      if (from !== null) counting.push({ definition, from });
    }
    for (const { definition, from } of counting)
      changes.add(definition, player, stepsOf(definition, one, from, at, now), { at });
  }
  return changes;
};
