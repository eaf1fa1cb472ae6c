import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { writeOut } from '../../src/cli/files/write-out.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { writeSeason } from '../../src/files/season-text.js';

export default class GameplayExport extends ProjectCommand {
  static override summary = 'Write the gameplay configuration of a project as a season file.';
  static override description =
    'Objects without a key get one, made from their names. Applying the file again changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> > season.yaml',
    '<%= config.bin %> <%= command.id %> --output season.yaml',
  ];
  static override flags = {
    output: Flags.string({ char: 'o', description: 'File to write; default: standard output' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(GameplayExport);
    const state = await this.client.call(seasonRoutes.get, { params: { projectId: await this.projectId() } });
    const text = this.common.json === true ? `${JSON.stringify(state, null, 2)}\n` : writeSeason(state.season);
    if (flags.output === undefined) this.log(text.trimEnd());
    else await writeOut(flags.output, text);
    if (state.changed === null)
      this.logToStderr(
        `Changes since a file was last applied (${state.appliedAt}) are unknown: another version of Earshot stored it.`,
      );
    else if (state.changed.length > 0)
      this.logToStderr(`Changed on the daemon since a file was last applied (${state.appliedAt}):`);
    for (const { path, message } of state.changed ?? []) this.logToStderr(`  ${path}: ${message}`);
  }
}
