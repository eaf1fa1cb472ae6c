import { ProjectCommand } from '../../src/cli/command/command.js';
import { deletedForADay, progressIn, undoableForADay } from '../../src/cli/gameplay/undoable.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { textOf } from '../../src/contract/gameplay/localised-text.js';

export default class LeaderboardsDelete extends ProjectCommand {
  static override summary = leaderboardRoutes.delete.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD',
    '<%= config.bin %> <%= command.id %> LEADERBOARD --yes',
  ];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsDelete);
    const params = { projectId: await this.projectId(), id: args.leaderboard };
    const name = textOf((await this.client.call(leaderboardRoutes.get, { params })).name);
    await confirm(
      name,
      `This deletes the leaderboard ${name} with its archive and ${await progressIn(this.client, params)}.`,
      flags,
      undoableForADay,
    );
    await this.client.call(leaderboardRoutes.delete, { params });
    this.logToStderr(deletedForADay('The leaderboard is', params.id));
  }
}
