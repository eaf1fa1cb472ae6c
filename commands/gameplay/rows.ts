import { commandRow } from '../../src/cli/command/row.js';
import { deletionRoutes } from '../../src/contract/gameplay/deletions.js';

export default {
  deletions: commandRow({
    route: deletionRoutes.list,
    examples: [''],
    columns: ['id', 'expiresAt', 'count', 'first'],
    line: ({ objects, ...deletion }) => ({ ...deletion, first: objects[0]?.name }),
  }),
};
