/** Rows of players and names of topics, which challenges and leaderboards need first. */
import type { Platform } from '../../platform/platform.js';
import { PlayerInfo, Topics } from './player-store.js';

export interface PlayerDirectory {
  readonly info: PlayerInfo;
  readonly topics: Topics;
}

export const playerDirectory = ({ database, now }: Pick<Platform, 'database' | 'now'>): PlayerDirectory => ({
  info: new PlayerInfo(database, now),
  topics: new Topics(database, now),
});
