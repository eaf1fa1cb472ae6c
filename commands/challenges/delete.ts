import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengesDelete extends ProjectCommand {
  static override summary = challengeRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CHALLENGE'];
  static override args = { id: Args.string({ required: true, description: 'Challenge id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ChallengesDelete);
    const params = { projectId: await this.projectId(), id: args.id };
    await this.client.call(challengeRoutes.delete, { params });
    this.logToStderr('The challenge is deleted.');
  }
}
