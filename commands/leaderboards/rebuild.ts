import * as Flags from '@oclif/core/flags';
import { detach, WaitingForRebuild } from '../../src/cli/gameplay/rebuild-command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import {
  leaderboardRebuildRoutes,
  RebuildLeaderboardRequest,
} from '../../src/contract/gameplay/leaderboard-rebuilds.js';

export default class LeaderboardsRebuild extends WaitingForRebuild {
  static override summary = leaderboardRebuildRoutes.make.summary;
  static override description =
    'Prints the difference, and applies it with --apply. `leaderboards undo-rebuild` reverts it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD --without u_42',
    '<%= config.bin %> <%= command.id %> LEADERBOARD --readmit u_42 --apply',
  ];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
  };
  static override flags = {
    ...flagsFor(RebuildLeaderboardRequest),
    apply: Flags.boolean({ description: 'Apply the rebuild after printing the difference', exclusive: ['detach'] }),
    detach,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsRebuild);
    const board = { projectId: await this.projectId(), id: args.leaderboard };
    const body = requestFrom(RebuildLeaderboardRequest, flags);
    const begun = await this.client.call(leaderboardRebuildRoutes.make, { params: board, body });
    const params = { ...board, rebuildId: begun.id };
    const made = flags.detach ? begun : await this.ended(params, begun);
    const goesOn = flags.apply && made.status === 'ready';
    if (!goesOn || this.common.json !== true) this.print(made);
    this.refuseUnless('ready', made);
    if (goesOn) {
      const applying = await this.client.call(leaderboardRebuildRoutes.apply, { params });
      const applied = await this.ended(params, applying);
      if (this.common.json === true) this.print(applied);
      else if (applied.status === 'applied')
        this.logToStderr(`applied. To undo: leaderboards undo-rebuild ${board.id} ${begun.id}`);
      this.refuseUnless('applied', applied);
    } else if (made.status === 'ready')
      this.logToStderr(`Nothing has changed yet. To apply: leaderboards apply-rebuild ${board.id} ${made.id}`);
  }
}
