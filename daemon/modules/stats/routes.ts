import { moderationStatsRoutes } from '../../../src/contract/stats/moderation-stats.js';
import { bind } from '../../platform/http/bind.js';
import type { DayFolding } from './days/folding.js';
import type { StatsService } from './service.js';

export const statsRouter = (stats: StatsService, folding: DayFolding) =>
  bind(moderationStatsRoutes, {
    get: ({ project, query }) => stats.moderation(project.projectId, query),
    rebuild: ({ project }) => folding.rebuild(project.projectId),
  });
