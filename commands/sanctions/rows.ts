import { commandRow } from '../../src/cli/command/row.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default {
  update: commandRow({
    route: sanctionRoutes.update,
    examples: ['SANCTION --duration 2h', 'SANCTION --clear endAt'],
    args: { sanction: nameArgument('sanction') },
  }),
};
