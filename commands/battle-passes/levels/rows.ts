import { commandRow } from '../../../src/cli/command/row.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { battlePassLevelRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

export default {
  create: commandRow({
    route: battlePassLevelRoutes.create,
    examples: [
      'PASS --position 1 --reward-type coin --reward-amount 100 --premium-reward-type item --premium-reward-amount cape',
    ],
    args: {
      pass: nameArgument('battlePass'),
    },
    columns: ['id', 'position', 'rewardType', 'rewardAmount', 'premiumRewardType', 'premiumRewardAmount'],
  }),
  get: commandRow({
    route: battlePassLevelRoutes.get,
    examples: ['PASS LEVEL'],
    args: {
      pass: nameArgument('battlePass'),
      level: levelArgument,
    },
  }),
  list: commandRow({
    route: battlePassLevelRoutes.list,
    examples: ['PASS'],
    args: {
      pass: nameArgument('battlePass'),
    },
    columns: ['position', 'rewardType', 'rewardAmount', 'premium', 'id'],
    // A type and an amount in one column: two more do not fit into a terminal of 80.
    line: ({ premiumRewardType, premiumRewardAmount, ...level }) => ({
      ...level,
      premium: [premiumRewardType, premiumRewardAmount].filter((word) => word !== null).join(' '),
    }),
  }),
  update: commandRow({
    route: battlePassLevelRoutes.update,
    examples: ['PASS LEVEL --position 2'],
    args: {
      pass: nameArgument('battlePass'),
      level: levelArgument,
    },
  }),
};
