import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsDelete extends ProjectCommand {
  static override summary = leaderboardRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(LeaderboardsDelete);
    const params = { projectId: await this.projectId(), id: args.leaderboard };
    await this.client.call(leaderboardRoutes.delete, { params });
    this.logToStderr('The leaderboard is deleted.');
  }
}
