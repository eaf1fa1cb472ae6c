/** The modules of play over one database: what the daemon serves, and what a simulation plays. */
import { type ChallengeNeeds, challengesModule } from './modules/challenges/module.js';
import { type GameEventNeeds, type GameEventPlatform, gameEventsModule } from './modules/game-events/module.js';
import { type LeaderboardNeeds, type LeaderboardPlatform, leaderboardsModule } from './modules/leaderboards/module.js';
import type { PlayerRecords } from './modules/players/records.js';
import { seasonsModule } from './modules/seasons/module.js';

type PlayPlatform = GameEventPlatform & LeaderboardPlatform;

interface PlayNeeds extends Pick<ChallengeNeeds, 'tenants'>, Omit<GameEventNeeds, 'counters'> {
  readonly restrictions: ChallengeNeeds['restrictions'] & LeaderboardNeeds['restrictions'];
  readonly players: PlayerRecords;
}

export function playModules(
  platform: PlayPlatform,
  { tenants, players: { info, topics }, restrictions, ...events }: PlayNeeds,
) {
  const challenges = challengesModule(platform, { tenants, players: info, topics, restrictions });
  const leaderboards = leaderboardsModule(platform, { tenants, info, topics, restrictions });
  const seasons = seasonsModule(platform, { challenges, leaderboards });
  const counters = [challenges.counter, leaderboards.boards.counter];
  const gameEvents = gameEventsModule(platform, { counters, ...events });
  return { challenges, leaderboards, seasons, gameEvents };
}
