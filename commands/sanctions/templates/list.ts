import { ProjectCommand } from '../../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { sanctionTemplateRoutes } from '../../../src/contract/moderation/sanction-templates.js';

export default class SanctionsTemplatesList extends ProjectCommand {
  static override summary = sanctionTemplateRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --search spam',
  ];
  static override flags = flagsFor(sanctionTemplateRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(SanctionsTemplatesList);
    const answer = await this.client.call(sanctionTemplateRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(sanctionTemplateRoutes.list.query, flags),
    });
    this.list(answer, answer, ['name', 'reason', 'updatedAt']);
  }
}
