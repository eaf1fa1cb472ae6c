import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { authorQuery } from '../../src/cli/moderation/author-flag.js';
import { imposedView } from '../../src/cli/moderation/sanction-rows.js';
import { moderatorNames } from '../../src/cli/names/moderators.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { ApiError } from '../../src/client/errors.js';
import { sanctionBatchRoutes, UndoSanctionsRequest } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes, UndoActsRequest } from '../../src/contract/moderation/sanctions.js';
import { looksLikeId } from '../../src/names/id-shape.js';
import { relative } from '../../src/terminal/shown-times.js';
import { StateError } from '../../src/terminal/state-error.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { harmless } from '../../src/text/printable.js';

export default class SanctionsUndo extends ProjectCommand {
  static override summary = 'Undo a sanction, a batch of them, or what one person did in a time.';
  static override description =
    'The state before is restored: a sanction that replaced others puts them back. With --by, what the person imposed is revoked, and what they revoked is in force again for the rest of its time.';
  static override aliases = ['undo'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> SANCTION',
    '<%= config.bin %> <%= command.id %> raid-friday --reason "false alarm"',
    '<%= config.bin %> <%= command.id %> --last',
    '<%= config.bin %> <%= command.id %> --by ann@example.com --since 8h --dry-run',
  ];
  static override args = {
    batch: Args.string({ description: 'Sanction, by id, or batch, by name: `sanctions batches` lists them' }),
  };
  static override flags = {
    ...flagsFor(UndoActsRequest, ['createdByUserId', 'since']),
    since: Flags.string({ description: 'With --by: only what they did at this time or later', dependsOn: ['by'] }),
    last: Flags.boolean({ description: 'The newest batch that is not wholly undone' }),
    by: Flags.string({ description: 'What this person or key did: an e-mail address, or key:NAME; needs --since' }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsUndo);
    const projectId = await this.projectId();
    const named = [args.batch !== undefined, flags.last, flags.by !== undefined].filter((one) => one).length;
    if (named !== 1)
      throw new UsageError(
        'Name a sanction or a batch, or write --last, or --by PERSON --since 8h; `earshot sanctions batches` lists batches.',
      );
    if (flags.by !== undefined) return this.acts(projectId, flags.by, flags);
    if (flags['dry-run'] === true)
      throw new UsageError(
        '--dry-run goes with --by: a sanction or a batch says in `sanctions get` and `list` what it is.',
      );
    const id = args.batch ?? (await this.last(projectId, flags));
    const body = requestFrom(UndoSanctionsRequest, { reason: flags.reason });
    const params = { projectId, id };
    if (!looksLikeId.test(id)) return this.show(await this.client.call(sanctionBatchRoutes.undo, { params, body }));
    // Batches that were not named have such ids, too.
    const undone = await this.client.call(sanctionRoutes.undo, { params, body }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'sanction_not_found') return null;
      throw error;
    });
    if (undone === null) return this.show(await this.client.call(sanctionBatchRoutes.undo, { params, body }));
    if (this.common.json === true) return this.printJson(undone);
    this.show(imposedView(undone.sanction));
    for (const one of undone.restored) this.logToStderr(`In force again: ${one.type} ${one.id}`);
  }

  private async acts(
    projectId: string,
    by: string,
    flags: { readonly yes: boolean } & Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { createdByUserId } = await authorQuery(by, (kind, text) => this.idOf(kind, text));
    if (createdByUserId === undefined)
      throw new UsageError(`--by ${by} is no person and no key. \`earshot rules undo\` undoes what a rule did.`);
    if (typeof flags.since !== 'string') throw new UsageError('Add --since: from when on, such as --since 8h.');
    const body = requestFrom(UndoActsRequest, flags, { createdByUserId });
    const params = { projectId };
    const foreseen = await this.client.call(sanctionRoutes.undoActs, { params, body: { ...body, dryRun: true } });
    if (flags['dry-run'] === true) return this.show(foreseen);
    const { revoked, restored } = foreseen;
    if (revoked + restored === 0)
      throw new StateError(
        'nothing_to_undo',
        `There is nothing to undo: nothing that ${harmless(by)} did since ${body.since} can still be taken back.`,
        { createdByUserId },
      );
    const says = `This undoes what ${harmless(by)} did since ${body.since}: ${revoked} sanctions are revoked, ${restored} are in force again.`;
    await confirm('undo', says, flags);
    this.show(await this.client.call(sanctionRoutes.undoActs, { params, body }));
  }

  /** Says which one it is and has that confirmed. An undo that was interrupted has closed its batch and is to go on. */
  private async last(projectId: string, flags: { readonly yes: boolean }): Promise<string> {
    const { batches } = await this.client.call(sanctionBatchRoutes.list, { params: { projectId } });
    const last = batches.find(({ undoneAt, active }) => undoneAt === null || active > 0);
    if (last === undefined) throw new StateError('nothing_to_undo', 'There is no batch to undo.');
    const { batchId, sanctions, active, createdByUserId, createdAt } = last;
    const nameOf = await moderatorNames(this.client, projectId);
    const by = harmless(nameOf(createdByUserId) ?? 'nobody');
    const when = relative(createdAt, daemonNow());
    const gone = `This undoes batch ${batchId}, by ${by}, ${when}: ${active} of its ${sanctions} sanctions are still active.`;
    if (flags.yes) this.logToStderr(gone);
    // The name of a batch may be made of its content, which nobody wants to type.
    await confirm('undo', gone, flags);
    return batchId;
  }
}
