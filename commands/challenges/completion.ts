import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengesCompletion extends ProjectCommand {
  static override summary = challengeRoutes.completion.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CHALLENGE'];
  static override args = { challenge: nameArgument('challenge') };

  async run(): Promise<void> {
    const { args } = await this.input(ChallengesCompletion);
    const params = { projectId: await this.projectId(), id: args.challenge };
    this.show(await this.client.call(challengeRoutes.completion, { params }));
  }
}
