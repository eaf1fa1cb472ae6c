/** What a run of game events does to the standings that they concern. Pure: one pass in the order of arrival. */
import { countOf } from '../../../src/contract/gameplay/game-events.js';
import { satisfies } from './conditions.js';
import type { ChallengeDefinition, ProjectChallenges } from './definitions.js';
import type { GameEvent } from './game-event.js';
import { type Progress, progress, type Step, settle } from './rules.js';
import type { Standing, StandingKey } from './standing-store.js';

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
  readonly changed: readonly Standing[];
  readonly steps: readonly TakenStep[];
}

type Definitions = ReadonlyMap<string, ProjectChallenges>;

const listeners = (definitions: Definitions, { projectId, event }: ProjectEvent): readonly ChallengeDefinition[] =>
  definitions.get(projectId)?.byEvent.get(event.event.name) ?? [];

const textOf = ({ projectId, userId, challengeId }: StandingKey): string => `${projectId}\n${challengeId}\n${userId}`;

/** The standings that the events may change, each once. */
export const concerned = (events: readonly ProjectEvent[], definitions: Definitions): StandingKey[] => {
  const keys = new Map<string, StandingKey>();
  for (const one of events) {
    for (const { challenge } of listeners(definitions, one)) {
      const key = { projectId: one.projectId, userId: one.event.userId, challengeId: challenge.id };
      keys.set(textOf(key), key);
    }
  }
  return [...keys.values()];
};

/** Whether a step shows; one that only remembers a session does not. */
const shows = ({ from, told }: Step): boolean => from.state !== told.state || from.counter !== told.counter;

const count = (definition: ChallengeDefinition, { event }: ProjectEvent, from: Progress): Step | null => {
  const { countProperty, metadataConditions } = definition.challenge;
  const counts = satisfies(event.properties, metadataConditions);
  const amount = counts ? countOf(event.event, event.properties, countProperty) : null;
  return progress(definition, from, { type: event.type, amount, sessionId: event.sessionId });
};

export const fold = (
  events: readonly ProjectEvent[],
  definitions: Definitions,
  standings: readonly Standing[],
  now: Date,
): Fold => {
  const current = new Map(standings.map((standing) => [textOf(standing), standing]));
  const changed = new Set<string>();
  const steps: TakenStep[] = [];
  for (const one of events) {
    for (const definition of listeners(definitions, one)) {
      const key = { projectId: one.projectId, userId: one.event.userId, challengeId: definition.challenge.id };
      const text = textOf(key);
      const standing = current.get(text);
      if (standing === undefined) continue;
      const settled = settle(definition, standing.progress, now);
      const counted = count(definition, one, settled.at(-1)?.to ?? standing.progress);
      for (const step of counted === null ? settled : [...settled, counted]) {
        if (shows(step)) steps.push({ userId: key.userId, definition, step });
        current.set(text, { ...key, progress: step.to });
        changed.add(text);
      }
    }
  }
  return { changed: [...current].filter(([text]) => changed.has(text)).map(([, standing]) => standing), steps };
};
