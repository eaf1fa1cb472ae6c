import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';

export default class SanctionsAppeal extends ProjectCommand {
  static override summary = reviewRoutes.appeal.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SANCTION "I was only singing."'];
  static override args = {
    sanction: nameArgument('sanction'),
    statement: Args.string({ required: true, description: 'What the person says' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(SanctionsAppeal);
    const answer = await this.client.call(reviewRoutes.appeal, {
      params: { projectId: await this.projectId(), id: args.sanction },
      body: { statement: args.statement },
    });
    this.show(answer, ['externalUserId', 'kind', 'status', 'statement', 'sanctionId', 'id']);
  }
}
