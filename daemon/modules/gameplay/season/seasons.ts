/** Seasons put together. */

import type { Database } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { BoardService } from '../leaderboards/board-service.js';
import { SeasonEffects } from './effects.js';
import { SeasonService } from './season-service.js';
import { SeasonStore } from './season-store.js';
import { SeasonWriter } from './season-writer.js';
import type { SeasonSources } from './stored-season.js';

export function seasonsOf(
  database: Database,
  stores: Omit<SeasonSources, 'seasons'>,
  boards: BoardService,
  now: Clock,
): SeasonService {
  const seasons = new SeasonStore(database.dialect);
  const sources = { ...stores, seasons };
  const effects = new SeasonEffects(seasons, () => database.read);
  return new SeasonService(database, sources, new SeasonWriter(sources, boards), effects, now);
}
