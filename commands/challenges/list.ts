import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengesList extends ProjectCommand {
  static override summary = challengeRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --search week',
  ];
  static override flags = flagsFor(challengeRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(ChallengesList);
    const answer = await this.client.call(challengeRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(challengeRoutes.list.query, flags),
    });
    this.list(answer, answer.challenges, ['name.en', 'eventName', 'goal', 'counting', 'id']);
  }
}
