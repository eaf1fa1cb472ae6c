import { commandRow } from '../../../src/cli/command/row.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { blockRoutes } from '../../../src/contract/people/blocks.js';

export default {
  add: commandRow({
    route: blockRoutes.create,
    examples: ['u_42 u_43'],
    args: {
      user: nameArgument('person', 'Who blocks, by display name, external id or participant id'),
      blocked: nameArgument('person', 'Whom they hear no more'),
    },
    body: ({ blocked }) => ({ blockedUserId: blocked }),
  }),
  list: commandRow({
    route: blockRoutes.list,
    examples: ['u_42', 'u_42 --by-others'],
    args: { user: nameArgument('person') },
    columns: ['externalUserId', 'blockedUserId', 'createdAt'],
  }),
  remove: commandRow({
    route: blockRoutes.remove,
    examples: ['u_42 u_43'],
    args: {
      user: nameArgument('person', 'Who blocks, by display name, external id or participant id'),
      blocked: nameArgument('person', 'Whom they hear again'),
    },
    says: 'The block has ended.',
  }),
};
