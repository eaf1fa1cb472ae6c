import { detach, RebuildCommand, type RebuildParams } from '../../src/cli/gameplay/rebuild-command.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';

export default class LeaderboardsUndoRebuild extends RebuildCommand {
  static override summary = leaderboardRebuildRoutes.undo.summary;
  static override flags = { detach };

  protected override readonly wanted = 'undone';
  protected call = (params: RebuildParams) => this.client.call(leaderboardRebuildRoutes.undo, { params });
}
