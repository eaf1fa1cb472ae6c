import { ProjectCommand } from '../../../src/cli/command.js';
import { sanctionTemplateRoutes } from '../../../src/contract/moderation/sanction-templates.js';

export default class SanctionsTemplatesList extends ProjectCommand {
  static override summary = sanctionTemplateRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(SanctionsTemplatesList);
    const answer = await this.client.call(sanctionTemplateRoutes.list, {
      params: { projectId: await this.projectId() },
    });
    this.list(answer, answer, ['name', 'reason', 'updatedAt']);
  }
}
