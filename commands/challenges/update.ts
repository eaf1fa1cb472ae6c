import { ProjectCommand } from '../../src/cli/command/command.js';
import { resetPeriodFlags, resetPeriodFrom } from '../../src/cli/gameplay/reset-period.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { challengeRoutes, UpdateChallengeRequest } from '../../src/contract/gameplay/challenges.js';

export default class ChallengesUpdate extends ProjectCommand {
  static override summary = challengeRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CHALLENGE --goal 5 --clear reward'];
  static override args = { challenge: nameArgument('challenge') };
  static override flags = {
    ...flagsFor(UpdateChallengeRequest, ['resetPeriod']),
    ...resetPeriodFlags,
    ...clearFlag(UpdateChallengeRequest),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ChallengesUpdate);
    const answer = await this.client.call(challengeRoutes.update, {
      params: { projectId: await this.projectId(), id: args.challenge },
      body: requestFrom(UpdateChallengeRequest, flags, { ...resetPeriodFrom(flags), ...cleared(flags) }),
    });
    this.show(answer);
  }
}
