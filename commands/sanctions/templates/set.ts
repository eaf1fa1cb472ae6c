import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../../src/cli/command/command.js';
import { sanctionTemplateRoutes } from '../../../src/contract/moderation/sanction-templates.js';

export default class SanctionsTemplatesSet extends ProjectCommand {
  static override summary = sanctionTemplateRoutes.set.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> shouting "Please do not shout."'];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the template' }),
    reason: Args.string({ required: true, description: 'Reason that the sanctioned person sees' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(SanctionsTemplatesSet);
    const answer = await this.client.call(sanctionTemplateRoutes.set, {
      params: { projectId: await this.projectId(), name: args.name },
      body: { reason: args.reason },
    });
    this.show(answer);
  }
}
