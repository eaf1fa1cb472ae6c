/**
 * One interface for challenges that stand alone and those in levels of battle passes, used by everything that counts.
 * Pure.
 */

import type { CountedEvent, RunningSum } from '../game-events/model/counting.js';
import { isClosed, isRunning, progressInLevel, setProgressInLevel, settleInLevel } from './battle-passes/rules.js';
import type { CountedDefinition, ProjectChallenges } from './definitions.js';
import * as rules from './rules.js';

/** Returns the steps that the clock alone has caused. */
export const settle = (definition: CountedDefinition, from: rules.Progress, now: Date): rules.Step[] =>
  definition.kind === 'level' ? settleInLevel(definition, from, now) : rules.settle(definition, from, now);

/** The player's progress with expired time applied, whether it is stored or not. */
export const settled = (definition: CountedDefinition, from: rules.Progress, now: Date): rules.Progress =>
  settle(definition, from, now).at(-1)?.to ?? from;

/** The round that counts what happened at a time and comes now; null: none. */
export const roundAt = (
  definition: CountedDefinition,
  from: rules.Progress,
  at: Date,
  now: Date,
): rules.Round | null =>
  definition.kind === 'level' && isClosed(definition.level.pass, now) ? null : rules.roundAt(from, at, now);

/** Counts an event; null: nothing changes. */
export const progress = (
  definition: CountedDefinition,
  from: rules.Progress,
  event: CountedEvent,
  now: Date,
): rules.Step | null =>
  definition.kind === 'level' ? progressInLevel(definition, from, event, now) : rules.progress(definition, from, event);

/** The steps that set the counter for an operator; null: not possible. */
export const setProgress = (
  definition: CountedDefinition,
  from: rules.Progress,
  counterOf: (before: RunningSum) => RunningSum,
  now: Date,
): rules.Step[] | null =>
  definition.kind === 'level'
    ? setProgressInLevel(definition, from, counterOf, now)
    : rules.setProgress(definition, from, counterOf, now);

const countsNow = (definition: CountedDefinition, from: rules.Progress, now: Date): boolean =>
  settled(definition, from, now).state === 'in-progress' &&
  (definition.kind === 'challenge' || isRunning(definition.level.pass, now));

/** True if another challenge in progress counts the same event in the other way: both cannot be active for one user. */
export const conflicts = (
  definition: CountedDefinition,
  all: ProjectChallenges,
  progressOf: (challengeId: string) => rules.Progress,
  now: Date,
): boolean =>
  (all.byEvent.get(definition.event.name) ?? []).some(
    (other) =>
      other.challenge.id !== definition.challenge.id &&
      other.counting !== definition.counting &&
      countsNow(other, progressOf(other.challenge.id), now),
  );
