import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengesGet extends ProjectCommand {
  static override summary = challengeRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CHALLENGE'];
  static override args = { id: Args.string({ required: true, description: 'Challenge id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ChallengesGet);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(challengeRoutes.get, { params }));
  }
}
