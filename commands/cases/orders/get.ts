import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../../src/cli/command/command.js';
import { orderRoutes } from '../../../src/contract/reports/orders.js';

export default class CasesOrdersGet extends ProjectCommand {
  static override summary = orderRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> ORDER'];
  static override args = { order: Args.string({ required: true, description: 'Order, by id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(CasesOrdersGet);
    const params = { projectId: await this.projectId(), id: args.order };
    this.show(await this.client.call(orderRoutes.get, { params }));
  }
}
