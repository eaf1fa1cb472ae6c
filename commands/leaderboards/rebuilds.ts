import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';

export default class LeaderboardsRebuilds extends ProjectCommand {
  static override summary = leaderboardRebuildRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };
  static override flags = flagsFor(leaderboardRebuildRoutes.list.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsRebuilds);
    const answer = await this.client.call(leaderboardRebuildRoutes.list, {
      params: { projectId: await this.projectId(), id: args.leaderboard },
      query: requestFrom(leaderboardRebuildRoutes.list.query, flags),
    });
    this.list(answer, answer.rebuilds, ['status', 'changed', 'excluded', 'id']);
  }
}
