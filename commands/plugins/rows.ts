import { commandRow } from '../../src/cli/command/row.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { pluginInstanceRoutes, pluginRoutes } from '../../src/contract/plugins/plugins.js';

export default {
  disable: commandRow({
    route: pluginInstanceRoutes.update,
    summary: 'Disable an installed plugin; it never reads the events of that time.',
    hiddenAliases: ['instances:disable'],
    examples: ['toxicity'],
    args: { plugin: nameArgument('instance') },
    body: { enabled: false },
  }),
  enable: commandRow({
    route: pluginInstanceRoutes.update,
    summary: 'Enable an installed plugin, for events from now on.',
    hiddenAliases: ['instances:enable'],
    examples: ['toxicity'],
    args: { plugin: nameArgument('instance') },
    body: { enabled: true },
  }),
  list: commandRow({
    route: pluginRoutes.list,
    examples: [''],
    columns: ['slug', 'name', 'version', 'kind', 'events'],
  }),
  resume: commandRow({
    route: pluginInstanceRoutes.resume,
    hiddenAliases: ['instances:resume'],
    examples: ['toxicity'],
    args: { plugin: nameArgument('instance') },
  }),
};
