import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesStopAll extends ProjectCommand {
  static override summary = ruleRoutes.setSwitch.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --resume'];
  static override flags = { resume: Flags.boolean({ description: 'Resume them, for messages from now on' }) };

  async run(): Promise<void> {
    const { flags } = await this.input(RulesStopAll);
    const params = { projectId: await this.projectId() };
    const body = { stopped: flags.resume !== true };
    this.show(await this.client.call(ruleRoutes.setSwitch, { params, body }));
  }
}
