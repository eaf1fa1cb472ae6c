import { moderationStatsRoutes } from '../../../src/contract/stats/moderation-stats.js';
import { publicStatementRoutes } from '../../../src/contract/stats/public-statements.js';
import { bind } from '../../platform/http/bind.js';
import type { DayFolding } from './days/folding.js';
import type { StatsService } from './service.js';
import type { StatementExport } from './statements/export.js';

export const statsRouter = (stats: StatsService, folding: DayFolding, statements: StatementExport) => [
  ...bind(moderationStatsRoutes, {
    get: ({ project, query }) => stats.moderation(project.projectId, query),
    rebuild: ({ project }) => folding.rebuild(project.projectId),
  }),
  ...bind(publicStatementRoutes, {
    export: ({ project, query }) => statements.page(project.projectId, query),
  }),
];
