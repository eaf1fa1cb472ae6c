import { ProjectCommand } from '../../src/cli/command.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class InstancesList extends ProjectCommand {
  static override summary = pluginInstanceRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(InstancesList);
    const params = { projectId: await this.projectId() };
    const answer = await this.client.call(pluginInstanceRoutes.list, { params });
    this.list(answer, answer, ['id', 'pluginId', 'enabled', 'settings', 'updatedAt']);
  }
}
