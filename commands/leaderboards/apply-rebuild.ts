import { RebuildCommand, type RebuildParams } from '../../src/cli/rebuild-command.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsApplyRebuild extends RebuildCommand {
  static override summary = leaderboardRoutes.applyRebuild.summary;

  protected call = (params: RebuildParams) => this.client.call(leaderboardRoutes.applyRebuild, { params });
}
