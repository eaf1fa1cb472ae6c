import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';

export default class LeaderboardsExclusions extends ProjectCommand {
  static override summary = leaderboardExclusionRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = { leaderboard: nameArgument('leaderboard') };

  async run(): Promise<void> {
    const { args } = await this.input(LeaderboardsExclusions);
    const params = { projectId: await this.projectId(), id: args.leaderboard };
    const answer = await this.client.call(leaderboardExclusionRoutes.list, { params });
    const users = answer.userIds.map((userId) => ({ userId }));
    this.list(answer, users, ['userId']);
  }
}
