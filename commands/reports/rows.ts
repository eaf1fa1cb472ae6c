import { commandRow } from '../../src/cli/command/row.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';

export default {
  reporters: commandRow({
    route: reporterRoutes.list,
    examples: ['--status proposed', '--status suspended'],
    columns: [
      'externalUserId',
      'decided',
      'upheld',
      'unfounded',
      'proposedUntil',
      'suspendedUntil',
      'appealsProposedUntil',
      'appealsSuspendedUntil',
    ],
  }),
};
