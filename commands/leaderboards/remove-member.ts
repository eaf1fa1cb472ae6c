import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsRemoveMember extends ProjectCommand {
  static override summary = leaderboardRoutes.removeMember.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD u_42'];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
    member: Args.string({ required: true, description: 'User, or team with --team' }),
  };
  static override flags = { ...yesFlag, team: Flags.boolean({ description: 'The member is a team' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsRemoveMember);
    const params = {
      ...{ projectId: await this.projectId(), id: args.leaderboard },
      ...{ memberType: flags.team ? ('team' as const) : ('user' as const), memberId: args.member },
    };
    await confirm(
      args.member,
      `This removes ${args.member} and the score from the board; earlier events will not count again.`,
      flags,
    );
    await this.client.call(leaderboardRoutes.removeMember, { params });
    this.logToStderr('The member is removed; the next event starts from nothing.');
  }
}
