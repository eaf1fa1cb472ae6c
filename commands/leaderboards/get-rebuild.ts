import { RebuildCommand, type RebuildParams } from '../../src/cli/gameplay/rebuild-command.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';

export default class LeaderboardsGetRebuild extends RebuildCommand {
  static override summary = leaderboardRebuildRoutes.get.summary;

  protected call = (params: RebuildParams) => this.client.call(leaderboardRebuildRoutes.get, { params });
}
