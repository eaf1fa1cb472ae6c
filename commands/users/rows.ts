import { commandRow } from '../../src/cli/command/row.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';

export default {
  list: commandRow({
    route: projectUserRoutes.list,
    examples: ['', '--role moderator --status pending'],
    columns: ['email', 'role', 'status', 'invitedAt', 'permissionId'],
  }),
};
