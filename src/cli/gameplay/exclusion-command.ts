/** Shared part of the commands that keep a user off leaderboards and let them back. */
import * as Flags from '@oclif/core/flags';
import type { leaderboardExclusionRoutes } from '../../contract/gameplay/leaderboard-exclusions.js';
import { ProjectCommand } from '../command/command.js';
import { nameArgument, optionalNameArgument } from '../names/kinds.js';
import { stated } from '../typed/fields.js';
import { newPersonFlag } from '../typed/new-name.js';

const user = nameArgument('person');
const leaderboard = nameArgument('leaderboard');
const flags = {
  all: Flags.boolean({ description: 'On every leaderboard that the project has now' }),
  new: newPersonFlag,
};

export abstract class ExclusionCommand extends ProjectCommand {
  static override usage = ['<%= command.id %> LEADERBOARD USER', '<%= command.id %> USER --all'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD u_42',
    '<%= config.bin %> <%= command.id %> u_42 --all',
  ];
  static override args = { leaderboard, user: optionalNameArgument('person') };
  static override flags = flags;

  protected abstract readonly route: (typeof leaderboardExclusionRoutes)['exclude' | 'include'];

  async run(): Promise<void> {
    const { baseFlags } = ExclusionCommand;
    // With --all no board is named before the user.
    if (this.argv.includes('--all')) {
      const { args } = await this.input({ args: { user }, flags, baseFlags, strict: true });
      return this.change(args.user);
    }
    const { args } = await this.input({ args: { leaderboard, user }, flags, baseFlags, strict: true });
    return this.change(args.user, args.leaderboard);
  }

  private async change(userId: string, leaderboardId?: string): Promise<void> {
    const params = { projectId: await this.projectId() };
    const changed = await this.client.call(this.route, { params, body: { userId, ...stated({ leaderboardId }) } });
    if (this.common.json === true) return this.printJson(changed);
    const { length: count } = changed.leaderboardIds;
    this.logToStderr(count === 0 ? 'Nothing changed.' : `Changed on ${count} leaderboard${count === 1 ? '' : 's'}.`);
  }
}
