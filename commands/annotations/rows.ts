import { commandRow } from '../../src/cli/command/row.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';

export default {
  session: commandRow({
    route: annotationRoutes.ofSession,
    examples: ['SESSION'],
    args: { session: nameArgument('session') },
    columns: ['createdAt', 'pluginSlug', 'type', 'content'],
  }),
};
