/** Part of the composition root: gameplay, from its stores to its routes. */
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { BoundRoute } from '../../platform/http/bind.js';
import { ChallengeService } from './challenge-service.js';
import { ChallengeStore } from './challenge-store.js';
import { challengeRouter } from './configuration-routes.js';
import { ChallengeDefinitions } from './definitions.js';
import { EventStore } from './event-store.js';
import { EventIntake, type IntakeLimits } from './intake.js';
import { playerRouter, type SanctionLookup } from './operator-routes.js';
import { playerChallengeRouter } from './player-challenge-routes.js';
import { PlayerChallenges } from './player-challenges.js';
import { PlayerTokens } from './player-tokens.js';
import { PlayerInfo, Topics } from './players.js';
import { type GameplayServices, gameplayRouter } from './routes.js';
import { StandingStore } from './standing-store.js';

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
