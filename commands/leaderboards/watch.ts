import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { interruption } from '../../src/cli/interruption.js';
import { boardScreen } from '../../src/cli/leaderboard-view.js';
import { LiveScreen } from '../../src/cli/live/screen.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { watchLeaderboard } from '../../src/cli/watch-leaderboard.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsWatch extends ProjectCommand {
  static override summary = 'Watch a leaderboard: the ranking as it changes, or its events one a line.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD',
    '<%= config.bin %> <%= command.id %> LEADERBOARD --json | jq .payload.data.new_leaderboard_ranking',
  ];
  static override args = { leaderboard: nameArgument('leaderboard') };
  static override flags = flagsFor(leaderboardRoutes.ranking.query, ['periodId']);

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsWatch);
    const params = { projectId: await this.projectId(), id: args.leaderboard };
    const query = requestFrom(leaderboardRoutes.ranking.query, flags);
    const live = this.common.json !== true && this.screen.isTerminal;
    let drawn = '';
    let trouble: string | null = null;
    const screen = live ? new LiveScreen(() => [drawn, trouble ?? 'ctrl-c leaves'].join('\n\n')) : null;
    try {
      await watchLeaderboard(this.client, params, query, {
        until: interruption(),
        event: (event) => (live ? undefined : this.log(JSON.stringify(event))),
        ranking: (ranking) => {
          drawn = boardScreen(ranking, this.screen);
          screen?.show();
        },
        trouble: (line) => {
          trouble = line;
          if (live) screen?.show();
          else this.logToStderr(line ?? 'Watching.');
        },
      });
    } finally {
      screen?.close();
      if (live) this.log(drawn);
    }
  }
}
