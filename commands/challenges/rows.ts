import { commandRow } from '../../src/cli/command/row.js';
import { resetPeriodTyped } from '../../src/cli/gameplay/reset-period.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';

export default {
  completion: commandRow({
    route: challengeRoutes.completion,
    examples: ['CHALLENGE'],
    args: { challenge: nameArgument('challenge') },
  }),
  get: commandRow({
    route: challengeRoutes.get,
    examples: ['CHALLENGE'],
    args: { challenge: nameArgument('challenge') },
  }),
  list: commandRow({
    route: challengeRoutes.list,
    examples: ['', '--search week'],
    columns: ['name.en', 'eventName', 'goal', 'counting', 'id'],
  }),
  update: commandRow({
    route: challengeRoutes.update,
    examples: ['CHALLENGE --goal 5 --clear reward'],
    args: { challenge: nameArgument('challenge') },
    ownWay: resetPeriodTyped,
  }),
};
