import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { rebuildView } from '../../src/cli/leaderboard-view.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsUndoRebuild extends ProjectCommand {
  static override summary = leaderboardRoutes.undoRebuild.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD REBUILD'];
  static override args = {
    id: Args.string({ required: true, description: 'Leaderboard id' }),
    rebuild: Args.string({ required: true, description: 'Rebuild id' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(LeaderboardsUndoRebuild);
    const params = { projectId: await this.projectId(), id: args.id, rebuildId: args.rebuild };
    const rebuild = await this.client.call(leaderboardRoutes.undoRebuild, { params });
    this.log(this.common.json === true ? JSON.stringify(rebuild, null, 2) : rebuildView(rebuild, this.screen));
  }
}
