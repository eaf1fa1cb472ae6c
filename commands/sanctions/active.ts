import { ProjectCommand } from '../../src/cli/command.js';
import { named } from '../../src/cli/moderators.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsActive extends ProjectCommand {
  static override summary = sanctionRoutes.activeOfUser.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  static override args = { user: nameArgument('person') };

  async run(): Promise<void> {
    const { args } = await this.input(SanctionsActive);
    const params = { projectId: await this.projectId(), externalUserId: args.user };
    const answer = await this.client.call(sanctionRoutes.activeOfUser, { params });
    const rows = this.common.json === true ? answer : await named(this.client, params.projectId, answer);
    this.list(answer, rows, ['type', 'endAt', 'reason', 'by', 'id']);
  }
}
