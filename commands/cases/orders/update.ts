import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../../src/cli/command/command.js';
import { orderColumns } from '../../../src/cli/moderation/cases/order-columns.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { orderRoutes, UpdateOrderRequest } from '../../../src/contract/reports/orders.js';

export default class CasesOrdersUpdate extends ProjectCommand {
  static override summary = orderRoutes.update.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> ORDER --receipt-confirmed-at now',
    '<%= config.bin %> <%= command.id %> ORDER --outcome information_given',
  ];
  static override args = { order: Args.string({ required: true, description: 'Order, by id' }) };
  static override flags = flagsFor(UpdateOrderRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesOrdersUpdate);
    const params = { projectId: await this.projectId(), id: args.order };
    const body = requestFrom(UpdateOrderRequest, flags);
    this.show(await this.client.call(orderRoutes.update, { params, body }), orderColumns);
  }
}
