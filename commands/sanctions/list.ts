import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsList extends ProjectCommand {
  static override summary = sanctionRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --active-only'];
  static override flags = flagsFor(sanctionRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(SanctionsList);
    const answer = await this.client.call(sanctionRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(sanctionRoutes.list.query, flags),
    });
    this.list(answer, answer.sanctions, ['id', 'type', 'externalUserId', 'status', 'endAt', 'reason', 'createdAt']);
  }
}
