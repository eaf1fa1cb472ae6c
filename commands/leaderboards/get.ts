import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsGet extends ProjectCommand {
  static override summary = leaderboardRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(LeaderboardsGet);
    const params = { projectId: await this.projectId(), id: args.leaderboard };
    this.show(await this.client.call(leaderboardRoutes.get, { params }));
  }
}
