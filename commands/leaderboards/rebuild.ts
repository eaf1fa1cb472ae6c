import { Args, Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { rebuildView } from '../../src/cli/leaderboard-view.js';
import { leaderboardRoutes, RebuildLeaderboardRequest } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsRebuild extends ProjectCommand {
  static override summary = leaderboardRoutes.rebuild.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD --without u_42',
    '<%= config.bin %> <%= command.id %> LEADERBOARD --readmit u_42 --apply',
  ];
  static override args = {
    id: Args.string({ required: true, description: 'Leaderboard id' }),
  };
  static override flags = {
    ...flagsFor(RebuildLeaderboardRequest),
    apply: Flags.boolean({ description: 'Apply it at once' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsRebuild);
    const params = { projectId: await this.projectId(), id: args.id };
    const body = requestFrom(RebuildLeaderboardRequest, flags);
    const made = await this.client.call(leaderboardRoutes.rebuild, { params, body });
    const rebuild = flags.apply
      ? await this.client.call(leaderboardRoutes.applyRebuild, { params: { ...params, rebuildId: made.id } })
      : made;
    this.log(this.common.json === true ? JSON.stringify(rebuild, null, 2) : rebuildView(rebuild, this.screen));
    if (rebuild.status === 'ready')
      this.logToStderr(`Nothing has changed yet. Apply it with: leaderboards apply-rebuild ${params.id} ${rebuild.id}`);
  }
}
