import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { writeOut } from '../../src/cli/files/write-out.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';

export default class ReportsAudio extends ProjectCommand {
  static override summary = reportRoutes.audio.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> REPORT heard.wav'];
  static override args = {
    report: Args.string({ required: true, description: 'Report, by id' }),
    file: Args.string({ required: true, description: 'File to write; an existing file is not overwritten' }),
  };
  static override flags = flagsFor(reportRoutes.audio.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(ReportsAudio);
    const params = { projectId: await this.projectId(), id: args.report };
    const query = requestFrom(reportRoutes.audio.query, flags);
    const audio = Buffer.from(await this.client.bytes(reportRoutes.audio, { params, query }));
    await writeOut(args.file, audio, { isNew: true });
    this.logToStderr(`${audio.length} bytes in ${args.file}.`);
  }
}
