import { SeasonCommand, seasonFlags } from '../../src/cli/gameplay/season-command.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class GameplayCopy extends SeasonCommand {
  static override summary = 'Apply the gameplay configuration of a project to another one.';
  static override description = 'Player progress, scores and events are not copied.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --project STAGING --to LIVE --dry-run',
    '<%= config.bin %> <%= command.id %> --to LIVE --prune',
  ];
  static override flags = {
    to: nameFlag('project', 'Project to copy to, by name or id'),
    ...seasonFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.input(GameplayCopy);
    if (flags.to === undefined) throw new UsageError('Name the project to copy to with --to.');
    const { season } = await this.client.call(seasonRoutes.get, { params: { projectId: await this.projectId() } });
    await this.applySeason(flags.to, season, flags);
  }
}
