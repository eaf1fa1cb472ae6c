import * as Args from '@oclif/core/args';
import { commandRow } from '../../src/cli/command/row.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default {
  create: commandRow({
    route: playerRoutes.createToken,
    examples: ['u_42'],
    args: {
      user: Args.string({ required: true, description: 'External id of the player' }),
    },
  }),
};
