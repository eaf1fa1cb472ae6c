/** Part of the composition root: gameplay, from its stores to its routes. */
import type { Clock } from '../clock.js';
import type { Database } from '../database/database.js';
import type { EventLog } from '../events/log.js';
import { ChallengeService } from '../features/gameplay/challenge-service.js';
import { ChallengeStore } from '../features/gameplay/challenge-store.js';
import { challengeRouter } from '../features/gameplay/configuration-router.js';
import { ChallengeDefinitions } from '../features/gameplay/definitions.js';
import { EventStore } from '../features/gameplay/event-store.js';
import { EventIntake, type IntakeLimits } from '../features/gameplay/intake.js';
import { playerRouter, type SanctionLookup } from '../features/gameplay/operator-router.js';
import { playerChallengeRouter } from '../features/gameplay/player-challenge-router.js';
import { PlayerChallenges } from '../features/gameplay/player-challenges.js';
import { PlayerTokens } from '../features/gameplay/player-tokens.js';
import { PlayerInfo, Topics } from '../features/gameplay/players.js';
import { type GameplayServices, gameplayRouter } from '../features/gameplay/router.js';
import { StandingStore } from '../features/gameplay/standing-store.js';
import type { BoundRoute } from '../http/bind.js';

export interface Gameplay extends GameplayServices {
  readonly configuration: ChallengeService;
  routes(sanctions: SanctionLookup): BoundRoute[];
}

export function composeGameplay(
  database: Database,
  log: EventLog,
  playerTokenKey: Uint8Array,
  now: Clock,
  limits?: IntakeLimits,
): Gameplay {
  const challengeStore = new ChallengeStore(database.dialect);
  const definitions = new ChallengeDefinitions(challengeStore);
  const standings = new StandingStore(database.dialect);
  const events = new EventStore(database.dialect);
  const configuration = new ChallengeService(database, challengeStore, now);
  const services: GameplayServices = {
    intake: new EventIntake(database, log, definitions, events, standings, now, limits),
    challenges: new PlayerChallenges(database, log, definitions, standings, now),
    tokens: new PlayerTokens(playerTokenKey, now),
    info: new PlayerInfo(database, now),
    topics: new Topics(database, now),
  };
  const routes = (sanctions: SanctionLookup): BoundRoute[] => [
    ...gameplayRouter(services),
    ...playerChallengeRouter(services.challenges),
    ...challengeRouter(configuration),
    ...playerRouter(services, sanctions),
  ];
  return { ...services, configuration, routes };
}
