import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { forEach, rowsOfFile } from '../../src/cli/files/each-line.js';
import { noticeIn, noticeShape } from '../../src/cli/moderation/notice-file.js';
import { stated } from '../../src/cli/typed/fields.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';

export default class ReportsImport extends ProjectCommand {
  static override summary = 'Import notices that came from outside the game: one JSON object a line, or CSV.';
  static override description =
    'Each line has the fields of a report, and `notice` with `from` and `reference`; `trustedFlagger` and `receivedAt` may be added. CSV has columns user, category, from, reference, and any of words, room, language, reporter, trustedFlagger, receivedAt; what `reports list --csv` and `--json` print of notices is read as well. People are named as in `reports create`: by id or display name, with --id by id alone. A notice is stored once by its origin and reference, so an interrupted import can be repeated. A refused line does not stop the others.';
  static override examples = ['<%= config.bin %> <%= command.id %> notices.ndjson'];
  static override args = { file: Args.string({ required: true, description: 'File to read; -: standard input' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ReportsImport);
    const params = { projectId: await this.projectId() };
    const stored = await forEach(
      await rowsOfFile(args.file, noticeShape),
      async (row) => {
        const { externalUserId, reporterUserId, ...notice } = noticeIn(row);
        const people = stated({
          externalUserId: await this.person(externalUserId),
          reporterUserId: await this.person(reporterUserId),
        });
        return this.client.call(reportRoutes.create, { params, body: { ...notice, ...people } });
      },
      this.common,
    );
    if (this.common.json === true) return this.printJson(stored);
    const cases = new Set(stored.map(({ caseId }) => caseId)).size;
    this.logToStderr(`${stored.length.toLocaleString('en')} notices, in ${cases.toLocaleString('en')} cases.`);
  }

  private person = async (named: string | undefined): Promise<string | undefined> =>
    named === undefined ? undefined : this.idOf('player', named);
}
