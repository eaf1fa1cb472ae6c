import { commandRow } from '../../src/cli/command/row.js';
import { figureRoutes } from '../../src/contract/figures/figures.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { projectDayRoutes } from '../../src/contract/stats/project-day.js';

export default {
  day: commandRow({
    route: projectDayRoutes.get,
    description: projectDayRoutes.get.description,
    examples: ['', '--since yesterday'],
  }),
  waiting: commandRow({ route: figureRoutes.project, examples: [''] }),
  rebuild: commandRow({
    route: moderationStatsRoutes.rebuild,
    description: moderationStatsRoutes.rebuild.description,
    examples: [''],
  }),
};
