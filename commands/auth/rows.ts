import * as Args from '@oclif/core/args';
import { commandRow } from '../../src/cli/command/row.js';
import { consoleSessionRoutes } from '../../src/contract/identity/console-sessions.js';

export default {
  'end-session': commandRow({
    route: consoleSessionRoutes.revoke,
    examples: ['SESSION'],
    args: {
      session: Args.string({ description: 'Id of a console session, from `auth sessions`', required: true }),
    },
    says: 'The browser is signed out.',
  }),
  sessions: commandRow({
    route: consoleSessionRoutes.list,
    examples: [''],
    columns: ['device', 'network', 'lastUsedAt', 'expiresAt', 'id'],
  }),
};
