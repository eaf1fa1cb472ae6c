import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { moderatorNames } from '../../src/cli/names/moderators.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { sanctionBatchRoutes, UndoSanctionsRequest } from '../../src/contract/moderation/sanction-batches.js';
import { relative } from '../../src/terminal/shown-times.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { harmless } from '../../src/text/printable.js';

export default class SanctionsUndo extends ProjectCommand {
  static override summary = sanctionBatchRoutes.undo.summary;
  static override aliases = ['undo'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> raid-friday --reason "false alarm"',
    '<%= config.bin %> <%= command.id %> --last',
  ];
  static override args = { batch: Args.string({ description: 'Name of the batch: `sanctions batches` lists them' }) };
  static override flags = {
    ...flagsFor(UndoSanctionsRequest),
    last: Flags.boolean({ description: 'The newest batch that is not wholly undone' }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsUndo);
    const projectId = await this.projectId();
    if (flags.last === (args.batch !== undefined))
      throw new UsageError('Name a batch, or write --last; `earshot sanctions batches` lists them.');
    const id = args.batch ?? (await this.last(projectId, flags));
    const body = requestFrom(UndoSanctionsRequest, flags);
    this.show(await this.client.call(sanctionBatchRoutes.undo, { params: { projectId, id }, body }));
  }

  /** Says which one it is and has that confirmed. An undo that was interrupted has closed its batch and is to go on. */
  private async last(projectId: string, flags: { readonly yes: boolean }): Promise<string> {
    const { batches } = await this.client.call(sanctionBatchRoutes.list, { params: { projectId } });
    const last = batches.find(({ undoneAt, active }) => undoneAt === null || active > 0);
    if (last === undefined) throw new UsageError('There is no batch to undo.');
    const { batchId, sanctions, active, createdByUserId, createdAt } = last;
    const nameOf = await moderatorNames(this.client, projectId);
    const by = harmless(nameOf(createdByUserId) ?? 'nobody');
    const when = relative(createdAt, new Date());
    const gone = `This undoes batch ${batchId}, by ${by}, ${when}: ${active} of its ${sanctions} sanctions are still active.`;
    if (flags.yes) this.logToStderr(gone);
    // The name of a batch may be made of its content, which nobody wants to type.
    await confirm('undo', gone, flags);
    return batchId;
  }
}
