import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { named } from '../../src/cli/moderators.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';

export default class SanctionsBatches extends ProjectCommand {
  static override summary = sanctionBatchRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> sanctions undo --last'];
  static override flags = flagsFor(sanctionBatchRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(SanctionsBatches);
    const projectId = await this.projectId();
    const query = requestFrom(sanctionBatchRoutes.list.query, flags);
    const answer = await this.client.call(sanctionBatchRoutes.list, { params: { projectId }, query });
    const rows = this.common.json === true ? answer.batches : await named(this.client, projectId, answer.batches);
    this.list(answer, rows, ['batchId', 'sanctions', 'active', 'by', 'createdAt', 'undoneAt']);
  }
}
