import * as Args from '@oclif/core/args';
import { commandRow } from '../../src/cli/command/row.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';

export default {
  create: commandRow({
    route: projectRoutes.create,
    examples: ['"Space Game"'],
    args: { name: Args.string({ required: true, description: 'Name, unique in the tenant' }) },
  }),
  list: commandRow({
    route: projectRoutes.list,
    examples: ['', '--search eu'],
    columns: ['name', 'role', 'isConfigured', 'createdAt', 'id'],
  }),
};
