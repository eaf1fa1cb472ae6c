import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../../src/cli/command/command.js';
import { sanctionTemplateRoutes } from '../../../src/contract/moderation/sanction-templates.js';

export default class SanctionsTemplatesDelete extends ProjectCommand {
  static override summary = sanctionTemplateRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> shouting'];
  static override args = { name: Args.string({ required: true, description: 'Name of the template' }) };

  async run(): Promise<void> {
    const { args } = await this.input(SanctionsTemplatesDelete);
    await this.client.call(sanctionTemplateRoutes.remove, {
      params: { projectId: await this.projectId(), name: args.name },
    });
    this.logToStderr('The template is deleted.');
  }
}
