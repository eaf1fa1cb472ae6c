import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { forEach, linesOfFile } from '../../src/cli/files/each-line.js';
import { CreateReportRequest, reportRoutes } from '../../src/contract/reports/reports.js';
import { UsageError } from '../../src/terminal/usage-error.js';

/** Throws UsageError. */
function noticeIn(line: string): CreateReportRequest {
  try {
    const notice = CreateReportRequest.parse(JSON.parse(line));
    if (notice.notice !== undefined) return notice;
  } catch (cause) {
    throw new UsageError(`This line is no notice: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  throw new UsageError('This line is no notice: it has no field notice with from and reference.');
}

export default class ReportsImport extends ProjectCommand {
  static override summary = 'Import notices that came from outside the game, one JSON object a line.';
  static override description =
    'Each line has the fields of a report, and `notice` with `from` and `reference`; `trustedFlagger` and `receivedAt` may be added. A notice is stored once by its origin and reference, so an interrupted import can be repeated. A refused line does not stop the others.';
  static override examples = ['<%= config.bin %> <%= command.id %> notices.ndjson'];
  static override args = { file: Args.string({ required: true, description: 'File to read; -: standard input' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ReportsImport);
    const params = { projectId: await this.projectId() };
    const stored = await forEach(
      linesOfFile(args.file),
      (line) => this.client.call(reportRoutes.create, { params, body: noticeIn(line) }),
      this.common,
    );
    if (this.common.json === true) return this.printJson(stored);
    const cases = new Set(stored.map(({ caseId }) => caseId)).size;
    this.logToStderr(`${stored.length.toLocaleString('en')} notices, in ${cases.toLocaleString('en')} cases.`);
  }
}
