/** The season of a project: its challenges, battle passes and leaderboards as one document. */
import { seasonRoutes } from '../../../src/contract/gameplay/season-routes.js';
import { bind } from '../../platform/http/bind.js';
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Challenges } from '../challenges/module.js';
import type { Leaderboards } from '../leaderboards/module.js';
import { SeasonEffects } from './effects.js';
import { SeasonService } from './season-service.js';
import { SeasonStore } from './season-store.js';
import { SeasonWriter } from './season-writer.js';

interface SeasonNeeds {
  readonly challenges: Pick<Challenges, 'stores'>;
  readonly leaderboards: Pick<Leaderboards, 'boards'>;
}

export interface Seasons extends Module {
  readonly service: SeasonService;
}

export function seasonsModule(
  { database, now }: Pick<Platform, 'database' | 'now'>,
  { challenges, leaderboards: { boards } }: SeasonNeeds,
): Seasons {
  const sources = { ...challenges.stores, boards: boards.store, seasons: new SeasonStore() };
  const effects = new SeasonEffects(sources.rows, sources.boards, () => database.read);
  const service = new SeasonService(database, sources, new SeasonWriter(sources, boards.service), effects, now);
  return {
    name: 'seasons',
    service,
    routes: bind(seasonRoutes, {
      get: ({ project }) => service.get(project.projectId),
      apply: ({ project, body }) => service.apply(project.projectId, body),
    }),
  };
}
