import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class InstancesEnable extends ProjectCommand {
  static override summary = 'Run an installed plugin on the events from now on.';
  static override examples = ['<%= config.bin %> <%= command.id %> INSTANCE'];
  static override args = { id: Args.string({ required: true, description: 'Instance id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(InstancesEnable);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(pluginInstanceRoutes.update, { params, body: { enabled: true } }));
  }
}
