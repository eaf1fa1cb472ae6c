import { commandRow } from '../../src/cli/command/row.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { newNameArgument } from '../../src/cli/typed/new-name.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';

export default {
  create: commandRow({
    route: challengeCategoryRoutes.create,
    examples: ['Daily --slug daily --is-daily'],
    args: { name: newNameArgument },
  }),
  get: commandRow({
    route: challengeCategoryRoutes.get,
    examples: ['CATEGORY'],
    args: { category: nameArgument('category') },
  }),
  list: commandRow({
    route: challengeCategoryRoutes.list,
    examples: ['', '--search week'],
    columns: ['slug', 'name.en', 'position', 'isDaily', 'id'],
  }),
  update: commandRow({
    route: challengeCategoryRoutes.update,
    examples: ['CATEGORY --position 2'],
    args: { category: nameArgument('category') },
  }),
};
