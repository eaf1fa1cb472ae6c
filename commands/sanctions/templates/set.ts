import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import {
  SetSanctionTemplateRequest,
  sanctionTemplateRoutes,
} from '../../../src/contract/moderation/sanction-templates.js';

export default class SanctionsTemplatesSet extends ProjectCommand {
  static override summary = sanctionTemplateRoutes.set.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> shouting "Please do not shout."',
    '<%= config.bin %> <%= command.id %> slur "You used a slur." --reasons \'{"de":"Du hast jemanden beschimpft."}\' --ground \'{"kind":"terms","reference":"Section 4"}\'',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the template' }),
    reason: Args.string({ required: true, description: 'Reason that the sanctioned person sees' }),
  };

  static override flags = flagsFor(SetSanctionTemplateRequest, ['reason']);

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsTemplatesSet);
    const answer = await this.client.call(sanctionTemplateRoutes.set, {
      params: { projectId: await this.projectId(), name: args.name },
      body: requestFrom(SetSanctionTemplateRequest, flags, { reason: args.reason }),
    });
    this.show(answer);
  }
}
