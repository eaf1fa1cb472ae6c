import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { confidenceLabel } from '../../src/client/confidence-label.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';

export default class ReportsGet extends ProjectCommand {
  static override summary = reportRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> REPORT'];
  static override args = { report: Args.string({ required: true, description: 'Report, by id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ReportsGet);
    const params = { projectId: await this.projectId(), id: args.report };
    const report = await this.client.call(reportRoutes.get, { params });
    if (this.common.json === true) return this.show(report);
    const { transcript, sound, ...fields } = report;
    this.show(fields);
    if (sound.length > 0) this.log(`\nSound of ${sound.length} speakers: earshot reports audio ${report.id} FILE`);
    if (transcript.length === 0) return;
    const lines = transcript.map(({ named, asr, ...line }) => ({
      ...line,
      named: named ? '>' : '',
      confidence: confidenceLabel({ asr }),
    }));
    this.log('\nThe transcript around, as it was then');
    this.list(lines, lines, ['named', 'saidAt', 'senderName', 'content', 'confidence']);
  }
}
