/** What a batch of game events does to the challenges of players. Pure: one pass in the order of arrival. */
import { countOf } from '../../../src/contract/gameplay/game-events.js';
import { satisfies } from './conditions.js';
import type { ChallengeDefinition, ProjectChallenges } from './definitions.js';
import type { GameEvent } from './game-event.js';
import type { PlayerChallenge, PlayerChallengeKey } from './player-challenge-store.js';
import { type Progress, progress, type Step, settle } from './rules.js';

export interface ProjectEvent {
  readonly projectId: string;
  readonly event: GameEvent;
}

/** A step of one player, to be announced. */
export interface TakenStep {
  readonly userId: string;
  readonly definition: ChallengeDefinition;
  readonly step: Step;
}

export interface Fold {
  readonly changed: readonly PlayerChallenge[];
  readonly steps: readonly TakenStep[];
}

type Definitions = ReadonlyMap<string, ProjectChallenges>;

const listeners = (definitions: Definitions, { projectId, event }: ProjectEvent): readonly ChallengeDefinition[] =>
  definitions.get(projectId)?.byEvent.get(event.event.name) ?? [];

const textOf = ({ projectId, userId, challengeId }: PlayerChallengeKey): string =>
  `${projectId}\n${challengeId}\n${userId}`;

/** The challenges of players that the events may change, each once. */
export const concerned = (events: readonly ProjectEvent[], definitions: Definitions): PlayerChallengeKey[] => {
  const keys = new Map<string, PlayerChallengeKey>();
  for (const one of events) {
    for (const { challenge } of listeners(definitions, one)) {
      const key = { projectId: one.projectId, userId: one.event.userId, challengeId: challenge.id };
      keys.set(textOf(key), key);
    }
  }
  return [...keys.values()];
};

/** Whether a step is visible; a step that only stores a session is not. */
const shows = ({ from, announced }: Step): boolean =>
  from.state !== announced.state || from.counter !== announced.counter;

const count = (definition: ChallengeDefinition, { event }: ProjectEvent, from: Progress): Step | null => {
  const { countProperty, metadataConditions } = definition.challenge;
  const counts = satisfies(event.properties, metadataConditions);
  const amount = counts ? countOf(event.event, event.properties, countProperty) : null;
  return progress(definition, from, { type: event.type, amount, sessionId: event.sessionId });
};

export const fold = (
  events: readonly ProjectEvent[],
  definitions: Definitions,
  playerChallenges: readonly PlayerChallenge[],
  now: Date,
): Fold => {
  const current = new Map(playerChallenges.map((playerChallenge) => [textOf(playerChallenge), playerChallenge]));
  const changed = new Set<string>();
  const steps: TakenStep[] = [];
  for (const one of events) {
    for (const definition of listeners(definitions, one)) {
      const key = { projectId: one.projectId, userId: one.event.userId, challengeId: definition.challenge.id };
      const text = textOf(key);
      const playerChallenge = current.get(text);
      if (playerChallenge === undefined) continue;
      const settled = settle(definition, playerChallenge.progress, now);
      const counted = count(definition, one, settled.at(-1)?.to ?? playerChallenge.progress);
      for (const step of counted === null ? settled : [...settled, counted]) {
        if (shows(step)) steps.push({ userId: key.userId, definition, step });
        current.set(text, { ...key, progress: step.to });
        changed.add(text);
      }
    }
  }
  return {
    changed: [...current].filter(([text]) => changed.has(text)).map(([, playerChallenge]) => playerChallenge),
    steps,
  };
};
