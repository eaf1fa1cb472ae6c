import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsTopic extends ProjectCommand {
  static override summary = leaderboardRoutes.topic.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(LeaderboardsTopic);
    const params = { projectId: await this.projectId(), id: args.leaderboard };
    this.show(await this.client.call(leaderboardRoutes.topic, { params }));
  }
}
