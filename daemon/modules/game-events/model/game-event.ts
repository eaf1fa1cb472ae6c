/** Turns a submitted game event into the form in which it is counted and stored. Pure. */
import { DomainError } from '../../../../src/contract/errors.js';
import {
  countOf,
  findGameEvent,
  type GameEventDefinition,
  type GameEventProperties,
  readMetaData,
} from '../../../../src/contract/gameplay/game-events.js';
import type { EventPayload, GameEventType } from '../../../../src/contract/gameplay/gameplay.js';

/** Choice: events without a session belong to one session that never changes, as in the public SDKs. */
const lastingSession = 'persistent';

export interface GameEvent {
  readonly event: GameEventDefinition;
  readonly userId: string;
  readonly teamId: string | null;
  readonly type: GameEventType;
  readonly sessionId: string;
  readonly properties: GameEventProperties;
  /** By the countable property, or 1. */
  readonly amount: number;
}

/**
 * `playerId` is the user of a player token, null in the backend form.
 * Throws unknown_event, user_mismatch, or game_event_invalid with every problem by property.
 */
export const readGameEvent = (payload: EventPayload, playerId: string | null): GameEvent => {
  const event = findGameEvent(payload.event_name);
  if (event === null) throw new DomainError('unknown_event');
  const named = payload.user_id ?? null;
  if (playerId !== null && named !== null && named !== playerId) throw new DomainError('user_mismatch');
  const userId = playerId ?? named;
  const field = payload.meta_data == null && payload.metadata != null ? 'metadata' : 'meta_data';
  const { properties, problems = [] } = readMetaData(event, payload[field] ?? {}, field);
  const missing = userId === null ? [{ path: 'user_id', message: 'is required with an API key' }] : [];
  if (userId === null || properties === undefined) {
    throw new DomainError('game_event_invalid', { details: [...missing, ...problems] });
  }
  return {
    event,
    userId,
    teamId: payload.team_id ?? null,
    type: payload.event_type ?? 'single',
    sessionId: payload.session_id ?? lastingSession,
    properties,
    amount: countOf(event, properties, null) ?? 0,
  };
};
