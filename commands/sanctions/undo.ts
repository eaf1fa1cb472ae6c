import { Args, Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { NotUnderstood } from '../../src/cli/times.js';
import { sanctionBatchRoutes, UndoSanctionsRequest } from '../../src/contract/moderation/sanction-batches.js';

export default class SanctionsUndo extends ProjectCommand {
  static override summary = sanctionBatchRoutes.undo.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> raid-friday --reason "false alarm"',
    '<%= config.bin %> <%= command.id %> --last',
  ];
  static override args = { batch: Args.string({ description: 'Name of the batch: `sanctions batches` lists them' }) };
  static override flags = {
    ...flagsFor(UndoSanctionsRequest),
    last: Flags.boolean({ description: 'The newest batch that has not been taken back' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsUndo);
    const projectId = await this.projectId();
    if (flags.last === (args.batch !== undefined))
      throw new NotUnderstood('Name a batch, or write --last; `earshot sanctions batches` lists them.');
    const id = args.batch ?? (await this.last(projectId));
    const body = requestFrom(UndoSanctionsRequest, flags);
    this.show(await this.client.call(sanctionBatchRoutes.undo, { params: { projectId, id }, body }));
  }

  private async last(projectId: string): Promise<string> {
    const { batches } = await this.client.call(sanctionBatchRoutes.list, { params: { projectId } });
    const last = batches.find(({ undoneAt }) => undoneAt === null);
    if (last === undefined) throw new NotUnderstood('There is no batch that could be taken back.');
    return last.batchId;
  }
}
