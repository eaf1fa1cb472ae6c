import { nameArgument } from '../../../src/cli/names/kinds.js';
import { ListCommand, listFlags } from '../../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { blockRoutes } from '../../../src/contract/people/blocks.js';

export default class ParticipantsBlocksList extends ListCommand {
  static override summary = blockRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42',
    '<%= config.bin %> <%= command.id %> u_42 --by-others',
  ];
  static override args = { user: nameArgument('person') };
  static override flags = { ...flagsFor(blockRoutes.list.query), ...listFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsBlocksList);
    const params = { projectId: await this.projectId(), user: args.user };
    const query = requestFrom(blockRoutes.list.query, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(blockRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.blocks,
      columns: ['externalUserId', 'blockedUserId', 'createdAt'],
    });
  }
}
