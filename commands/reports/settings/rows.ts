import { commandRow } from '../../../src/cli/command/row.js';
import { reportSettingsRoutes } from '../../../src/contract/reports/report-settings.js';

export default {
  set: commandRow({
    route: reportSettingsRoutes.update,
    description: 'The flags --categories replace the whole list.',
    examples: ['--categories \'{"name":"threats","weight":9,"goalHours":4}\' --categories \'{"name":"other"}\''],
  }),
};
