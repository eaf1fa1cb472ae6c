import type { Platform } from '../../platform/platform.js';
import { PlayerInfo, Topics } from './player-store.js';

export type PlayerRecords = ReturnType<typeof playerRecords>;

/** Rows of players, and names of topics. */
export const playerRecords = ({ database, now }: Pick<Platform, 'database' | 'now'>) => ({
  info: new PlayerInfo(database, now),
  topics: new Topics(database, now),
});
