import { ProjectCommand } from '../../src/cli/command/command.js';
import { boardScreen } from '../../src/cli/gameplay/leaderboard-view.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsShow extends ProjectCommand {
  static override summary = leaderboardRoutes.ranking.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD',
    '<%= config.bin %> <%= command.id %> LEADERBOARD --member-type team --limit 10',
  ];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };
  static override flags = flagsFor(leaderboardRoutes.ranking.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsShow);
    const params = { projectId: await this.projectId(), id: args.leaderboard };
    const query = requestFrom(leaderboardRoutes.ranking.query, flags);
    const answer = await this.client.call(leaderboardRoutes.ranking, { params, query });
    if (this.common.json === true) this.printJson(answer);
    else this.log(boardScreen(answer, this.screen));
  }
}
