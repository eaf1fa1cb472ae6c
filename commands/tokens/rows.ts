import { commandRow } from '../../src/cli/command/row.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';

export default {
  create: commandRow({
    route: tokenRoutes.generateForProject,
    examples: ['--room-id demo --user-id u_42'],
  }),
};
