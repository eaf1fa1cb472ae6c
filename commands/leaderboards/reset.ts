import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsReset extends ProjectCommand {
  static override summary = leaderboardRoutes.reset.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = {
    id: Args.string({ required: true, description: 'Leaderboard id' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(LeaderboardsReset);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(leaderboardRoutes.reset, { params }));
  }
}
