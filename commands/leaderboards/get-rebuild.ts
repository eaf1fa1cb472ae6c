import { RebuildCommand, type RebuildParams } from '../../src/cli/rebuild-command.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsGetRebuild extends RebuildCommand {
  static override summary = leaderboardRoutes.getRebuild.summary;

  protected call = (params: RebuildParams) => this.client.call(leaderboardRoutes.getRebuild, { params });
}
