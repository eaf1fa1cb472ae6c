import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { withWho } from '../../src/cli/moderation/review-rows.js';
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
    const projectId = await this.projectId();
    const answer = await this.client.call(reviewRoutes.appeal, {
      params: { projectId, id: args.sanction },
      body: { statement: args.statement },
    });
    if (this.common.json === true) return this.show(answer);
    const [shown = answer] = await withWho(this.client, projectId, [answer]);
    this.show(shown, ['who', 'kind', 'status', 'statement', 'sanctionId', 'id']);
  }
}
