import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsPeriods extends ProjectCommand {
  static override summary = leaderboardRoutes.periods.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };
  static override flags = flagsFor(leaderboardRoutes.periods.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsPeriods);
    const answer = await this.client.call(leaderboardRoutes.periods, {
      params: { projectId: await this.projectId(), id: args.leaderboard },
      query: requestFrom(leaderboardRoutes.periods.query, flags),
    });
    this.list(answer, answer.periods, ['startsAt', 'endsAt', 'isCurrent', 'id']);
  }
}
