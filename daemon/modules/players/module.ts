/** Players: their tokens, names and topics, the API of the public SDK, and what operators see of a player. */
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { Challenges } from '../challenges/module.js';
import type { GameEvents } from '../game-events/module.js';
import type { Leaderboards } from '../leaderboards/module.js';
import type { Moderation } from '../moderation/module.js';
import { playerMove } from './move-store.js';
import { playerRouter } from './operator-routes.js';
import { playerPersonRecords } from './person-records-store.js';
import { PlayerOverview } from './player-overview.js';
import { PlayerTokens } from './player-tokens.js';
import { sdkRouter } from './routes.js';

interface PlayerNeeds {
  readonly challenges: Challenges;
  readonly leaderboards: Leaderboards;
  readonly gameEvents: GameEvents;
  readonly moderation: Moderation;
}

export interface Players extends Module {
  readonly tokens: PlayerTokens;
  readonly overview: Pick<PlayerOverview, 'progress'>;
}

export async function playersModule(
  platform: Platform,
  { projects, players, rooms }: Records,
  { challenges, leaderboards, gameEvents, moderation }: PlayerNeeds,
): Promise<Players> {
  const { database, now } = platform;
  const tokens = new PlayerTokens(await platform.signingKey('player-tokens'), rooms.ledger, now);
  const { ofPlayers, battlePasses } = challenges;
  const overview = new PlayerOverview({
    info: players.info,
    challenges: ofPlayers,
    battlePasses,
    rankings: leaderboards.boards.rankings,
    sanctions: moderation.sanctions,
  });
  const services = { ...players, intake: gameEvents.intake, challenges: ofPlayers, battlePasses, tokens, overview };
  return {
    name: 'players',
    ...{ tokens, overview },
    routes: [...sdkRouter(services), ...playerRouter(services)],
    verifiers: {
      playerToken: async (token) => {
        const player = await tokens.caller(token);
        return player !== null && (await projects.store.isOpen(player.projectId)) ? player : null;
      },
    },
    personRecords: playerPersonRecords(database),
    personMove: playerMove(database),
  };
}
