import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { complaintRoutes } from '../../src/contract/reports/reports.js';
import { harmless } from '../../src/text/printable.js';

export default class ReportsReceipt extends ProjectCommand {
  static override summary = complaintRoutes.receipt.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> REPORT'];
  static override args = { report: Args.string({ required: true, description: 'Report, by id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ReportsReceipt);
    const params = { projectId: await this.projectId(), id: args.report };
    const receipt = await this.client.call(complaintRoutes.receipt, { params });
    if (this.common.json === true) return this.show(receipt);
    for (const line of [receipt.message, receipt.url ?? '']) this.log(harmless(line));
  }
}
