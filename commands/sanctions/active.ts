import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsActive extends ProjectCommand {
  static override summary = sanctionRoutes.activeOfUser.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  static override args = { user: nameArgument('person') };

  async run(): Promise<void> {
    const { args } = await this.input(SanctionsActive);
    const answer = await this.client.call(sanctionRoutes.activeOfUser, {
      params: { projectId: await this.projectId(), externalUserId: args.user },
    });
    this.list(answer, answer, ['id', 'type', 'endAt', 'reason']);
  }
}
