import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsList extends ProjectCommand {
  static override summary = leaderboardRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --search week',
  ];
  static override flags = flagsFor(leaderboardRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(LeaderboardsList);
    const answer = await this.client.call(leaderboardRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(leaderboardRoutes.list.query, flags),
    });
    this.list(answer, answer.leaderboards, ['name.en', 'eventName', 'aggregate', 'id']);
  }
}
