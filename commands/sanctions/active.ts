import { authorFlag, authorQuery } from '../../src/cli/moderation/author-flag.js';
import { sanctionRows } from '../../src/cli/moderation/sanction-rows.js';
import { optionalNameArgument } from '../../src/cli/names/kinds.js';
import { named } from '../../src/cli/names/moderators.js';
import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsActive extends ListCommand {
  static override summary = 'List the sanctions in force now, against one person or everybody.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> u_42'];
  static override args = {
    user: optionalNameArgument('person', 'Somebody, by display name or id; default: everybody'),
  };
  static override flags = { ...authorFlag, ...listFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsActive);
    const projectId = await this.projectId();
    const { user } = args;
    const by = await authorQuery(flags.by, (kind, text) => this.idOf(kind, text));
    if (user === undefined || flags.by !== undefined)
      return this.showPages(flags, {
        fetch: (page) =>
          this.client.call(sanctionRoutes.list, {
            params: { projectId },
            query: { activeOnly: true, externalUserId: user, ...by, ...page },
          }),
        items: (answer) => answer.sanctions,
        rows: (sanctions) => sanctionRows(this.client, projectId, sanctions),
        columns: ['who', 'type', 'reason', 'endAt', 'by', 'createdAt', 'id'],
        csvColumns: ['externalUserId', 'type', 'reason', 'endAt', 'by', 'createdAt', 'id'],
      });
    const params = { projectId, externalUserId: user };
    const answer = await this.client.call(sanctionRoutes.activeOfUser, { params });
    const rows = this.common.json === true ? answer : await named(this.client, projectId, answer);
    this.list(answer, rows, ['type', 'endAt', 'reason', 'by', 'id']);
  }
}
