import { authorFlag, authorQuery } from '../../src/cli/moderation/author-flag.js';
import { sanctionRows } from '../../src/cli/moderation/sanction-rows.js';
import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsList extends ListCommand {
  static override summary = sanctionRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --type ban --active',
    '<%= config.bin %> <%= command.id %> --type ban --since "last month" --until "this month" --all --csv',
    '<%= config.bin %> <%= command.id %> --user bob --moderator ann@example.com',
    '<%= config.bin %> <%= command.id %> --by me --since 8h',
    '<%= config.bin %> <%= command.id %> --by rule:insults --since 2h',
    '<%= config.bin %> <%= command.id %> --ends-before tonight',
  ];
  static override flags = {
    ...flagsFor(sanctionRoutes.list.query, ['createdByRuleId', 'bySystem']),
    ...authorFlag,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.input(SanctionsList);
    const params = { projectId: await this.projectId() };
    const by = await authorQuery(flags.by, (kind, text) => this.idOf(kind, text));
    const query = { ...requestFrom(sanctionRoutes.list.query, flags), ...by };
    await this.showPages(flags, {
      fetch: (page) => this.client.call(sanctionRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.sanctions,
      rows: (sanctions) => sanctionRows(this.client, params.projectId, sanctions),
      columns: ['who', 'type', 'reason', 'status', 'endAt', 'by', 'createdAt', 'id'],
      csvColumns: ['externalUserId', 'type', 'reason', 'status', 'endAt', 'by', 'createdAt', 'id'],
    });
  }
}
