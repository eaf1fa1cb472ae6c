import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class InstancesResume extends ProjectCommand {
  static override summary = pluginInstanceRoutes.resume.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> INSTANCE'];
  static override args = { instance: nameArgument('instance') };

  async run(): Promise<void> {
    const { args } = await this.input(InstancesResume);
    const params = { projectId: await this.projectId(), id: args.instance };
    this.show(await this.client.call(pluginInstanceRoutes.resume, { params }));
  }
}
