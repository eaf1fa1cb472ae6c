/** Facts about a challenge that counting needs, wherever it is configured. */
import type { Challenge } from '../../../src/contract/gameplay/challenges.js';
import { findGameEvent, type GameEventDefinition } from '../../../src/contract/gameplay/game-events.js';
import type { ChallengeRules } from './rules.js';

type Configured = Omit<ChallengeRules, 'liveDate'> & Pick<Challenge, 'id' | 'eventName' | 'liveDate'>;

export interface CountedFacts extends ChallengeRules {
  readonly tenantId: string;
  readonly projectId: string;
  readonly event: GameEventDefinition;
}

export function countedFacts(challenge: Configured, tenantId: string, projectId: string): CountedFacts {
  const event = findGameEvent(challenge.eventName);
  if (event === null) throw new Error(`Challenge ${challenge.id} counts an event that is not in the catalogue.`);
  const { goal, goalCondition, durationMinutes, repeatable, autoActivated, resetPeriod, counting } = challenge;
  const { lateMinutes, liveDate } = challenge;
  return {
    goal,
    goalCondition,
    durationMinutes,
    repeatable,
    autoActivated,
    resetPeriod,
    counting,
    lateMinutes,
    liveDate: liveDate === null ? null : new Date(liveDate),
    tenantId,
    projectId,
    event,
  };
}
