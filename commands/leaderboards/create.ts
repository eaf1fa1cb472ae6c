import { ProjectCommand } from '../../src/cli/command.js';
import { resetPeriodFlags, resetPeriodFrom } from '../../src/cli/gameplay/reset-period.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { CreateLeaderboardRequest, leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsCreate extends ProjectCommand {
  static override summary = leaderboardRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --name Kills --event-name kill-enemy',
    '<%= config.bin %> <%= command.id %> --name "Best lap" --event-name finish-laps --aggregate best --sort-order asc',
    '<%= config.bin %> <%= command.id %> --name "Kills this week" --event-name kill-enemy --reset-period "weekly 04:30"',
  ];
  static override flags = { ...flagsFor(CreateLeaderboardRequest, ['resetPeriod']), ...resetPeriodFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(LeaderboardsCreate);
    const answer = await this.client.call(leaderboardRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateLeaderboardRequest, flags, resetPeriodFrom(flags)),
    });
    this.show(answer, ['id', 'name', 'eventName', 'aggregate', 'sortOrder']);
  }
}
