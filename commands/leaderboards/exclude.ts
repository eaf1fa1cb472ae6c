import { ExclusionCommand } from '../../src/cli/gameplay/exclusion-command.js';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';

export default class LeaderboardsExclude extends ExclusionCommand {
  static override summary = leaderboardExclusionRoutes.exclude.summary;
  static override description = leaderboardExclusionRoutes.exclude.description;
  protected readonly route = leaderboardExclusionRoutes.exclude;
}
