import { commandRow } from '../../src/cli/command/row.js';
import { functionRoutes } from '../../src/contract/functions/functions.js';

export default {
  activate: commandRow({
    route: functionRoutes.activate,
    examples: [''],
  }),
  get: commandRow({
    route: functionRoutes.get,
    examples: [''],
  }),
  locations: commandRow({
    route: functionRoutes.locations,
    examples: [''],
    columns: ['id', 'name', 'region', 'available'],
  }),
  'resource-packages': commandRow({
    route: functionRoutes.resourcePackages,
    examples: [''],
    columns: ['id', 'name', 'cpu', 'memoryMiB', 'pricePerHour'],
  }),
};
