import { RebuildCommand, type RebuildParams } from '../../src/cli/gameplay/rebuild-command.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';

export default class LeaderboardsCancelRebuild extends RebuildCommand {
  static override summary = leaderboardRebuildRoutes.cancel.summary;

  protected call = (params: RebuildParams) => this.client.call(leaderboardRebuildRoutes.cancel, { params });
}
