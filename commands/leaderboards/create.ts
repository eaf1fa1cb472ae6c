import { ProjectCommand } from '../../src/cli/command/command.js';
import { resetPeriodFlags, resetPeriodFrom } from '../../src/cli/gameplay/reset-period.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { newNameArgument, newNameFlag, withName } from '../../src/cli/typed/new-name.js';
import { CreateLeaderboardRequest, leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsCreate extends ProjectCommand {
  static override summary = leaderboardRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> Kills --event-name kill-enemy',
    '<%= config.bin %> <%= command.id %> "Best lap" --event-name finish-laps --aggregate best --sort-order asc',
    '<%= config.bin %> <%= command.id %> "Kills this week" --event-name kill-enemy --reset-period "weekly 04:30"',
  ];
  static override args = { name: newNameArgument };
  static override flags = {
    ...flagsFor(CreateLeaderboardRequest, ['name', 'resetPeriod']),
    name: newNameFlag,
    ...resetPeriodFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsCreate);
    const answer = await this.client.call(leaderboardRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateLeaderboardRequest, withName(args, flags), resetPeriodFrom(flags)),
    });
    this.show(answer, ['id', 'name', 'eventName', 'aggregate', 'sortOrder']);
  }
}
