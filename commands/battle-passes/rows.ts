import { commandRow } from '../../src/cli/command/row.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { newNameArgument } from '../../src/cli/typed/new-name.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';

export default {
  create: commandRow({
    route: battlePassRoutes.create,
    examples: ['"Season 1" --end-date 2027-01-31T00:00:00Z'],
    args: { name: newNameArgument },
    columns: ['id', 'name', 'startDate', 'endDate', 'isUnlockedIncrementally'],
  }),
  get: commandRow({
    route: battlePassRoutes.get,
    examples: ['PASS'],
    args: {
      pass: nameArgument('battlePass'),
    },
  }),
  list: commandRow({
    route: battlePassRoutes.list,
    examples: ['', '--search week'],
    columns: ['name.en', 'endDate', 'id'],
  }),
  update: commandRow({
    route: battlePassRoutes.update,
    examples: ['PASS --priority 2 --clear endDate'],
    args: {
      pass: nameArgument('battlePass'),
    },
  }),
};
