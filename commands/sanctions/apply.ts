import { Args, Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { type BadLine, type BatchItem, type BatchPart, inParts, readBatch } from '../../src/cli/files/batch-file.js';
import { table } from '../../src/cli/terminal/output.js';
import { argumentOrFlag } from '../../src/cli/typed/fields.js';
import { NotUnderstood } from '../../src/cli/typed/not-understood.js';
import { type AppliedSanctions, sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';

export default class SanctionsApply extends ProjectCommand {
  static override summary = 'Issue the sanctions of a file as one batch, which can be taken back.';
  static override aliases = ['sanctions:import'];
  static override description =
    'One JSON object a line, with the fields of `sanctions issue`, or CSV with a line of names: user, type, and any of duration, until, reason, note, template, scope; a type `ban` is one for good where nothing says until when. The whole file is checked first: with a bad line nothing is issued, unless --skip-bad leaves those out of a batch that --batch names. Each line of a batch is applied once: the same file after an interruption, or a corrected one under the same --batch, goes on with it. The daemon takes a large file in parts: with --json the answer to each is a line of its own.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> raid.ndjson --dry-run',
    '<%= config.bin %> <%= command.id %> bans.csv --batch old-bans --skip-bad',
    '<%= config.bin %> <%= command.id %> raid.ndjson --batch raid-friday',
    '<%= config.bin %> <%= command.id %> raid.ndjson --batch raid-friday --skip-bad',
  ];
  static override args = { file: Args.string({ description: 'File to read; -: standard input' }) };
  static override flags = {
    file: Flags.string({ char: 'f', description: 'The same as a flag' }),
    batch: Flags.string({ description: 'Name of the batch; left out: follows from the content' }),
    'dry-run': Flags.boolean({ description: 'Show what would happen to each line' }),
    'skip-bad': Flags.boolean({ description: 'Leave out lines that are wrong, and issue the others; needs --batch' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsApply);
    const { name, items, bad } = await readBatch(argumentOrFlag(args.file, flags.file, 'file'));
    const batchId = flags.batch !== undefined ? flags.batch : name;
    const apply = (part: BatchPart, dryRun: boolean) => this.apply({ batchId, dryRun, ...part });
    const shown: AppliedSanctions[] = [];
    for (const part of inParts(items)) shown.push(await apply(part, true));
    const refused = [...bad, ...shown.flatMap(refusals)].sort((a, b) => a.line - b.line);
    this.tellBad(refused);
    // What the daemon would refuse ends with 5, what is no sanction at all with 2.
    if (refused.length > 0 && !flags['skip-bad']) process.exitCode = bad.length > 0 ? 2 : 5;
    if (flags['dry-run']) return this.tell(shown, items);
    if (refused.length > 0 && !flags['skip-bad'])
      return this.logToStderr('Nothing was issued. Correct these lines, or leave them out with --skip-bad.');
    // The name that follows from the content is another one once the file is corrected: all would be sanctioned again.
    if (refused.length > 0 && flags.batch === undefined)
      throw new NotUnderstood(
        'Nothing was issued. Name the batch with --batch: the corrected file goes on with it under that name.',
      );
    const left = new Set(refused.map(({ line }) => line));
    const applied: AppliedSanctions[] = [];
    try {
      for (const part of inParts(items.filter(({ line }) => !left.has(line)))) applied.push(await apply(part, false));
    } finally {
      this.tell(applied, items); // where a part fails, those before it hold
    }
  }

  private async apply(body: BatchPart & { batchId: string; dryRun: boolean }): Promise<AppliedSanctions> {
    return this.client.call(sanctionBatchRoutes.apply, { params: { projectId: await this.projectId() }, body });
  }

  private tellBad(bad: readonly BadLine[]): void {
    if (bad.length > 0)
      this.logToStderr(table(bad, ['line', 'field', 'message'], { ...this.screen, isTerminal: false }));
  }

  private tell(answers: readonly AppliedSanctions[], items: readonly BatchItem[]): void {
    const requests = new Map(items.map(({ line, request }) => [line, request]));
    for (const answer of answers) {
      const rows = answer.lines.map((line) => ({ ...requests.get(line.line), ...line, '': signs[line.outcome] }));
      if (this.common.json === true) this.log(JSON.stringify(answer));
      else if (answer.dryRun)
        this.list(answer, rows, ['', 'line', 'type', 'externalUserId', 'participantId', 'inForce', 'message']);
      const { batchId, dryRun, created, unchanged, refused } = answer;
      const done = dryRun ? 'would be issued' : 'issued';
      this.logToStderr(`Batch ${batchId}: ${created} ${done}, ${unchanged} were there before, ${refused} refused.`);
      if (!dryRun && created > 0) this.logToStderr(`To undo: earshot sanctions undo ${batchId}`);
    }
  }
}

const signs = { created: '+', unchanged: '=', refused: '!' } as const;

const refusals = ({ lines }: AppliedSanctions): BadLine[] =>
  lines.flatMap(({ line, outcome, code, message }) =>
    outcome === 'refused' ? [{ line, field: fieldsRefused[code ?? ''] ?? '', message: message ?? '' }] : [],
  );

/** The field that a refusal of the daemon is about. */
const fieldsRefused: Readonly<Record<string, string>> = {
  sanction_target_required: 'externalUserId',
  sanction_target_mismatch: 'participantId',
  sanction_time_invalid: 'duration',
  sanction_parameters_invalid: 'parameters',
  participant_not_found: 'participantId',
  session_not_found: 'sessionId',
  sanction_template_not_found: 'template',
};
