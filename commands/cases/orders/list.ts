import { orderColumns } from '../../../src/cli/moderation/cases/order-columns.js';
import { ListCommand, listFlags } from '../../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { orderRoutes } from '../../../src/contract/reports/orders.js';

export default class CasesOrdersList extends ListCommand {
  static override summary = orderRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --status open'];
  static override flags = { ...flagsFor(orderRoutes.list.query), ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(CasesOrdersList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(orderRoutes.list.query, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(orderRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.orders,
      columns: orderColumns,
    });
  }
}
