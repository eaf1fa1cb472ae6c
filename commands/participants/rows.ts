import { commandRow } from '../../src/cli/command/row.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { participantRoutes } from '../../src/contract/people/participants.js';

export default {
  get: commandRow({
    route: participantRoutes.get,
    examples: ['PARTICIPANT'],
    args: { user: nameArgument('participant') },
  }),
  list: commandRow({
    route: participantRoutes.list,
    examples: ['--search ann', '--all'],
    columns: ['displayName', 'externalUserId', 'joinedAt', 'id'],
  }),
  update: commandRow({
    route: participantRoutes.update,
    examples: ['PARTICIPANT --display-name Ann'],
    args: { user: nameArgument('participant') },
  }),
};
