import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsRebuilds extends ProjectCommand {
  static override summary = leaderboardRoutes.rebuilds.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD'];
  static override args = {
    id: Args.string({ required: true, description: 'Leaderboard id' }),
  };
  static override flags = flagsFor(leaderboardRoutes.rebuilds.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsRebuilds);
    const answer = await this.client.call(leaderboardRoutes.rebuilds, {
      params: { projectId: await this.projectId(), id: args.id },
      query: requestFrom(leaderboardRoutes.rebuilds.query, flags),
    });
    this.list(answer, answer.rebuilds, ['id', 'status', 'changed', 'excluded']);
  }
}
