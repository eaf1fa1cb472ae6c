import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsDelete extends ProjectCommand {
  static override summary = leaderboardRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = {
    id: Args.string({ required: true, description: 'Leaderboard id' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(LeaderboardsDelete);
    const params = { projectId: await this.projectId(), id: args.id };
    await this.client.call(leaderboardRoutes.delete, { params });
    this.logToStderr('The leaderboard is deleted.');
  }
}
