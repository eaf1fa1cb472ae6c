import { detach, RebuildCommand, type RebuildParams } from '../../src/cli/gameplay/rebuild-command.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';

export default class LeaderboardsApplyRebuild extends RebuildCommand {
  static override summary = leaderboardRebuildRoutes.apply.summary;
  static override flags = { detach };

  protected override readonly wanted = 'applied';
  protected call = (params: RebuildParams) => this.client.call(leaderboardRebuildRoutes.apply, { params });
}
