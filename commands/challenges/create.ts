import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { CreateChallengeRequest, challengeRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengesCreate extends ProjectCommand {
  static override summary = challengeRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --name "Three down" --event-name kill-enemy --goal 3',
  ];
  static override flags = flagsFor(CreateChallengeRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(ChallengesCreate);
    const answer = await this.client.call(challengeRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateChallengeRequest, flags),
    });
    this.show(answer, ['id', 'name', 'eventName', 'goal', 'counting']);
  }
}
