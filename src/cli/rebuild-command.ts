/** What the commands share that look at one rebuild of a leaderboard, or do something with it. */
import { Args } from '@oclif/core';
import type { LeaderboardRebuild } from '../contract/gameplay/leaderboards.js';
import { ProjectCommand } from './command.js';
import { rebuildView } from './leaderboard-view.js';

export interface RebuildParams {
  readonly projectId: string;
  readonly id: string;
  readonly rebuildId: string;
}

export abstract class RebuildCommand extends ProjectCommand {
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD REBUILD'];
  static override args = {
    id: Args.string({ required: true, description: 'Leaderboard id' }),
    rebuild: Args.string({ required: true, description: 'Rebuild id' }),
  };

  protected abstract call(params: RebuildParams): Promise<LeaderboardRebuild>;

  async run(): Promise<void> {
    const { args } = await this.input(RebuildCommand);
    const rebuild = await this.call({ projectId: await this.projectId(), id: args.id, rebuildId: args.rebuild });
    this.log(this.common.json === true ? JSON.stringify(rebuild, null, 2) : rebuildView(rebuild, this.screen));
  }
}
