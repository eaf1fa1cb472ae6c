import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { sanctionBatchRoutes, UndoSanctionsRequest } from '../../src/contract/moderation/sanction-batches.js';

export default class SanctionsUndo extends ProjectCommand {
  static override summary = sanctionBatchRoutes.undo.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> raid-friday --reason "false alarm"'];
  static override args = { batch: Args.string({ required: true, description: 'Name of the batch' }) };
  static override flags = flagsFor(UndoSanctionsRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsUndo);
    const answer = await this.client.call(sanctionBatchRoutes.undo, {
      params: { projectId: await this.projectId(), id: args.batch },
      body: requestFrom(UndoSanctionsRequest, flags),
    });
    this.show(answer);
  }
}
