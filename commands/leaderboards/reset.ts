import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { textOf } from '../../src/contract/gameplay/localised-text.js';

export default class LeaderboardsReset extends ProjectCommand {
  static override summary = leaderboardRoutes.reset.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD',
    '<%= config.bin %> <%= command.id %> LEADERBOARD --yes',
  ];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsReset);
    const params = { projectId: await this.projectId(), id: args.leaderboard };
    const name = textOf((await this.client.call(leaderboardRoutes.get, { params })).name);
    await confirm(
      name,
      `This ends the current period of the leaderboard ${name}: the board is emptied, and its ranking is archived.`,
      flags,
    );
    this.show(await this.client.call(leaderboardRoutes.reset, { params }));
  }
}
