import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { atLines, readWritten } from '../../src/cli/files/written-file.js';
import { SeasonCommand, seasonFlags } from '../../src/cli/gameplay/season-command.js';
import { argumentOrFlag } from '../../src/cli/typed/fields.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { readSeason } from '../../src/files/season-text.js';

export default class GameplayApply extends SeasonCommand {
  static override summary = seasonRoutes.apply.summary;
  static override description =
    'Objects are matched by their keys. If one of them was changed on the daemon since a file was last applied, nothing is applied without --force. Objects that the file does not list stay, unless you pass --prune.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> season.yaml --dry-run',
    '<%= config.bin %> <%= command.id %> --file season.yaml --prune',
  ];
  static override args = { file: Args.string({ description: 'File to read; -: standard input' }) };
  static override flags = {
    file: Flags.string({ char: 'f', description: 'Instead of the argument' }),
    ...seasonFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(GameplayApply);
    const file = argumentOrFlag(args.file, flags.file, 'file');
    const season = await readWritten(file, readSeason);
    const projectId = await this.projectId();
    await this.applySeason(projectId, { ...season.file, players: [] }, flags).catch((refused: unknown) => {
      throw atLines(file, season, refused, ['body', 'season']);
    });
  }
}
