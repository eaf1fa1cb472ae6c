import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { forEach, rowsOfFile } from '../../src/cli/files/each-line.js';
import { judgeWithoutNulls, problemLines } from '../../src/contract/judge.js';
import { CreateReportRequest, reportRoutes } from '../../src/contract/reports/reports.js';
import type { ListRow, ListShape } from '../../src/files/list-rows.js';
import { UsageError } from '../../src/terminal/usage-error.js';

const shape: ListShape = {
  fields: {},
  ids: ['externalUserId', 'reporterUserId'],
  other: () => undefined,
  within: ['reports', 'items'],
  example: '{"externalUserId":"u_42","category":"threats","notice":{"from":"mail","reference":"17"}}',
};

/** Throws UsageError. */
function noticeIn(row: ListRow['fields']): CreateReportRequest {
  const judged = judgeWithoutNulls(CreateReportRequest, { ...row });
  if (!judged.success)
    throw new UsageError(`This line is no notice: ${problemLines(judged.problems, 'line').join('; ')}`);
  if (judged.data.notice !== undefined) return judged.data;
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
      await rowsOfFile(args.file, shape),
      (row) => this.client.call(reportRoutes.create, { params, body: noticeIn(row) }),
      this.common,
    );
    if (this.common.json === true) return this.printJson(stored);
    const cases = new Set(stored.map(({ caseId }) => caseId)).size;
    this.logToStderr(`${stored.length.toLocaleString('en')} notices, in ${cases.toLocaleString('en')} cases.`);
  }
}
