import { ProjectCommand } from '../../../src/cli/command/command.js';
import { orderColumns } from '../../../src/cli/moderation/cases/order-columns.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { CreateOrderRequest, orderRoutes } from '../../../src/contract/reports/orders.js';

export default class CasesOrdersCreate extends ProjectCommand {
  static override summary = orderRoutes.create.summary;
  static override description = orderRoutes.create.description;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --kind act --user u_42 --category hate --authority "Amtsgericht Bonn" --member-state DE --reference "12 Gs 345/26" --legal-ground "§ 130 StGB"',
  ];
  static override flags = flagsFor(CreateOrderRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(CasesOrdersCreate);
    const params = { projectId: await this.projectId() };
    const body = requestFrom(CreateOrderRequest, flags);
    this.show(await this.client.call(orderRoutes.create, { params, body }), orderColumns);
  }
}
