/** The season of a project: its challenges, battle passes and leaderboards as one document. */
import { deletionRoutes } from '../../../src/contract/gameplay/deletions.js';
import { seasonRoutes } from '../../../src/contract/gameplay/season-routes.js';
import { bind } from '../../platform/http/bind.js';
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Challenges } from '../challenges/module.js';
import { DeletionStore } from '../game-events/deletion-store.js';
import type { Leaderboards } from '../leaderboards/module.js';
import { GameplayDeletions } from './deletions.js';
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
  const store = new DeletionStore(now);
  const hidden = [challenges.stores.hidden, boards.hidden];
  const deletions = new GameplayDeletions({ database, sources, store, hidden });
  const effects = new SeasonEffects(sources.rows, sources.boards, () => database.read);
  const service = new SeasonService(database, sources, new SeasonWriter(sources, boards.service, store), effects, now);
  return {
    name: 'seasons',
    service,
    routes: [
      ...bind(seasonRoutes, {
        get: ({ project }) => service.get(project.projectId),
        progress: ({ project, params }) => service.progress(project.projectId, params.id),
        apply: ({ project, body }) => service.apply(project.projectId, body),
      }),
      ...bind(deletionRoutes, {
        list: ({ project, query }) => deletions.list(project.projectId, query),
        undo: ({ project, params }) => deletions.undo(project.projectId, params.id),
      }),
    ],
    keeps: [deletions.completion],
  };
}
