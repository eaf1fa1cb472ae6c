import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsGet extends ProjectCommand {
  static override summary = sanctionRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SANCTION'];
  static override args = { id: Args.string({ required: true, description: 'Sanction id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(SanctionsGet);
    this.show(
      await this.client.call(sanctionRoutes.get, { params: { projectId: await this.projectId(), id: args.id } }),
    );
  }
}
