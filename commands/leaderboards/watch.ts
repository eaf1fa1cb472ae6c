import { ProjectCommand } from '../../src/cli/command/command.js';
import { boardScreen } from '../../src/cli/gameplay/leaderboard-view.js';
import { watchLeaderboard } from '../../src/cli/gameplay/watch-leaderboard.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { LiveScreen } from '../../src/cli/terminal/live/screen.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { interruption } from '../../src/terminal/interruption.js';

export default class LeaderboardsWatch extends ProjectCommand {
  static override summary = 'Watch a leaderboard: the ranking as it changes, or its events, one per line.';
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
    const screen = live ? new LiveScreen(() => [drawn, trouble ?? 'ctrl-c quits'].join('\n\n')) : null;
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
