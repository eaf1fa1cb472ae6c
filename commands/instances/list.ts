import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class InstancesList extends ProjectCommand {
  static override summary = pluginInstanceRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --no-enabled',
  ];
  static override flags = flagsFor(pluginInstanceRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(InstancesList);
    const query = requestFrom(pluginInstanceRoutes.list.query, flags);
    const params = { projectId: await this.projectId() };
    const answer = await this.client.call(pluginInstanceRoutes.list, { params, query });
    this.list(answer, answer, ['pluginId', 'enabled', 'settings', 'updatedAt', 'id']);
  }
}
