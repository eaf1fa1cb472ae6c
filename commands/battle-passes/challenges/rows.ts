import { commandRow } from '../../../src/cli/command/row.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { newNameArgument } from '../../../src/cli/typed/new-name.js';
import { levelChallengeRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

export default {
  create: commandRow({
    route: levelChallengeRoutes.create,
    examples: ['LEVEL "Three down" --event-name kill-enemy --goal 3'],
    args: {
      level: levelArgument,
      name: newNameArgument,
    },
    columns: ['id', 'name', 'eventName', 'goal', 'counting'],
  }),
  get: commandRow({
    route: levelChallengeRoutes.get,
    examples: ['LEVEL CHALLENGE'],
    args: {
      level: levelArgument,
      challenge: nameArgument('challenge'),
    },
  }),
  list: commandRow({
    route: levelChallengeRoutes.list,
    examples: ['LEVEL'],
    args: {
      level: levelArgument,
    },
    columns: ['name.en', 'eventName', 'goal', 'id'],
  }),
  update: commandRow({
    route: levelChallengeRoutes.update,
    examples: ['LEVEL CHALLENGE --goal 5'],
    args: {
      level: levelArgument,
      challenge: nameArgument('challenge'),
    },
  }),
};
