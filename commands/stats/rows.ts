import { commandRow } from '../../src/cli/command/row.js';
import { figureRoutes } from '../../src/contract/figures/figures.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';

export default {
  waiting: commandRow({ route: figureRoutes.project, examples: [''] }),
  rebuild: commandRow({
    route: moderationStatsRoutes.rebuild,
    description: moderationStatsRoutes.rebuild.description,
    examples: [''],
  }),
};
