import { ProjectCommand } from '../../../src/cli/command/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { blockRoutes } from '../../../src/contract/people/blocks.js';

export default class ParticipantsBlocksRemove extends ProjectCommand {
  static override summary = blockRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 u_43'];
  static override args = {
    user: nameArgument('person', 'Who blocks, by display name, external id or participant id'),
    blocked: nameArgument('person', 'Whom they hear again'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsBlocksRemove);
    const params = { projectId: await this.projectId(), user: args.user, blockedUserId: args.blocked };
    await this.client.call(blockRoutes.remove, { params });
    this.logToStderr('The block has ended.');
  }
}
