import { ProjectCommand } from '../../src/cli/command/command.js';
import { resetPeriodFlags, resetPeriodFrom } from '../../src/cli/gameplay/reset-period.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { leaderboardRoutes, UpdateLeaderboardRequest } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsUpdate extends ProjectCommand {
  static override summary = leaderboardRoutes.update.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD --name "Kills this week" --clear endDate',
  ];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };
  static override flags = {
    ...flagsFor(UpdateLeaderboardRequest, ['resetPeriod']),
    ...resetPeriodFlags,
    ...clearFlag(UpdateLeaderboardRequest),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsUpdate);
    const answer = await this.client.call(leaderboardRoutes.update, {
      params: { projectId: await this.projectId(), id: args.leaderboard },
      body: requestFrom(UpdateLeaderboardRequest, flags, { ...resetPeriodFrom(flags), ...cleared(flags) }),
    });
    this.show(answer);
  }
}
