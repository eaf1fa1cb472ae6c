import { RebuildCommand, type RebuildParams } from '../../src/cli/rebuild-command.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsUndoRebuild extends RebuildCommand {
  static override summary = leaderboardRoutes.undoRebuild.summary;

  protected call = (params: RebuildParams) => this.client.call(leaderboardRoutes.undoRebuild, { params });
}
