import { moderationStatsRoutes } from '../../../src/contract/stats/moderation-stats.js';
import { projectDayRoutes } from '../../../src/contract/stats/project-day.js';
import { publicStatementRoutes } from '../../../src/contract/stats/public-statements.js';
import { transparencyRoutes } from '../../../src/contract/stats/transparency.js';
import { bind } from '../../platform/http/bind.js';
import type { DayFolding } from './days/folding.js';
import type { StatsService } from './service.js';
import type { StatementExport } from './statements/export.js';
import type { TransparencyService } from './transparency.js';

interface StatsServices {
  readonly stats: StatsService;
  readonly folding: DayFolding;
  readonly statements: StatementExport;
  readonly transparency: TransparencyService;
}

export const statsRouter = ({ stats, folding, statements, transparency }: StatsServices) => [
  ...bind(moderationStatsRoutes, {
    get: ({ project, query }) => stats.moderation(project.projectId, query),
    rebuild: ({ project }) => folding.rebuild(project.projectId),
  }),
  ...bind(projectDayRoutes, {
    get: ({ project, query }) => stats.day(project.projectId, query.since),
  }),
  ...bind(publicStatementRoutes, {
    export: ({ project, query }) => statements.page(project.projectId, query),
  }),
  ...bind(transparencyRoutes, {
    get: ({ project, query }) => transparency.figures(project.projectId, query.year),
  }),
];
