import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class InstancesDisable extends ProjectCommand {
  static override summary = 'Stop running an installed plugin; events meanwhile are passed over.';
  static override examples = ['<%= config.bin %> <%= command.id %> INSTANCE'];
  static override args = { id: Args.string({ required: true, description: 'Instance id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(InstancesDisable);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(pluginInstanceRoutes.update, { params, body: { enabled: false } }));
  }
}
