import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { boardView } from '../../src/cli/gameplay/leaderboard-view.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default class LeaderboardsMember extends ProjectCommand {
  static override summary = leaderboardRoutes.member.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEADERBOARD u_42 --around 5',
    '<%= config.bin %> <%= command.id %> LEADERBOARD red --team',
  ];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
    member: Args.string({ required: true, description: 'User, or team with --team' }),
  };
  static override flags = {
    ...flagsFor(leaderboardRoutes.member.query),
    team: Flags.boolean({ description: 'The member is a team' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(LeaderboardsMember);
    const params = {
      ...{ projectId: await this.projectId(), id: args.leaderboard },
      ...{ memberType: flags.team ? ('team' as const) : ('user' as const), memberId: args.member },
    };
    const query = requestFrom(leaderboardRoutes.member.query, flags);
    const answer = await this.client.call(leaderboardRoutes.member, { params, query });
    if (this.common.json === true || answer.around.length === 0)
      this.show(this.common.json === true ? answer : answer.member);
    else this.log(boardView(answer.around, this.screen, answer.member.memberId));
  }
}
