import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { complaintRoutes } from '../../src/contract/reports/reports.js';

export default class ReportsAnswer extends ProjectCommand {
  static override summary = complaintRoutes.decide.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> REPORT --decision upheld --answer "We heard nothing of that in the room."',
    '<%= config.bin %> <%= command.id %> REPORT --decision overturned --answer "You are right. We look at it again."',
  ];
  static override args = { report: Args.string({ required: true, description: 'Report, by id' }) };
  static override flags = flagsFor(complaintRoutes.decide.body);

  async run(): Promise<void> {
    const { args, flags } = await this.input(ReportsAnswer);
    const report = await this.client.call(complaintRoutes.decide, {
      params: { projectId: await this.projectId(), id: args.report },
      body: requestFrom(complaintRoutes.decide.body, flags),
    });
    this.show(report, ['externalUserId', 'category', 'status', 'complaintDecision', 'caseId', 'id']);
  }
}
