import { ProjectCommand } from '../../../src/cli/command/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { blockRoutes } from '../../../src/contract/people/blocks.js';

export default class ParticipantsBlocksAdd extends ProjectCommand {
  static override summary = blockRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 u_43'];
  static override args = {
    user: nameArgument('person', 'Who blocks, by display name, external id or participant id'),
    blocked: nameArgument('person', 'Whom they hear no more'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsBlocksAdd);
    const params = { projectId: await this.projectId(), user: args.user };
    const body = { blockedUserId: args.blocked };
    this.show(await this.client.call(blockRoutes.create, { params, body }));
  }
}
