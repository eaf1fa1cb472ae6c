import { ProjectCommand } from '../../src/cli/command.js';
import { resetPeriodFlags, resetPeriodFrom } from '../../src/cli/gameplay/reset-period.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { CreateChallengeRequest, challengeRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengesCreate extends ProjectCommand {
  static override summary = challengeRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --name "Three down" --event-name kill-enemy --goal 3',
    '<%= config.bin %> <%= command.id %> --name "Three a day" --event-name kill-enemy --goal 3 --reset-period daily --time-zone Europe/Berlin',
  ];
  static override flags = { ...flagsFor(CreateChallengeRequest, ['resetPeriod']), ...resetPeriodFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(ChallengesCreate);
    const answer = await this.client.call(challengeRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateChallengeRequest, flags, resetPeriodFrom(flags)),
    });
    this.show(answer, ['id', 'name', 'eventName', 'goal', 'counting']);
  }
}
