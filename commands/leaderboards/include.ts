import { ExclusionCommand } from '../../src/cli/gameplay/exclusion-command.js';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';

export default class LeaderboardsInclude extends ExclusionCommand {
  static override summary = leaderboardExclusionRoutes.include.summary;
  static override description = leaderboardExclusionRoutes.include.description;
  protected readonly route = leaderboardExclusionRoutes.include;
}
