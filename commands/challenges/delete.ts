import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengesDelete extends ProjectCommand {
  static override summary = challengeRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CHALLENGE'];
  static override args = { challenge: nameArgument('challenge') };

  async run(): Promise<void> {
    const { args } = await this.input(ChallengesDelete);
    const params = { projectId: await this.projectId(), id: args.challenge };
    await this.client.call(challengeRoutes.delete, { params });
    this.logToStderr('The challenge is deleted.');
  }
}
