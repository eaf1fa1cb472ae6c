import { commandRow } from '../../src/cli/command/row.js';
import { gatheringColumns } from '../../src/cli/gatherings/gatherings.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default {
  list: commandRow({
    route: gatheringRoutes.list,
    examples: ['--status active', '--user bob --since yesterday', '--listed --search-properties \'{"mode":"ranked"}\''],
    columns: gatheringColumns,
  }),
};
