import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { refusedLinesJson } from '../../src/cli/command/error-json.js';
import { readBatch } from '../../src/cli/files/batch-file.js';
import { batchOutcome } from '../../src/cli/moderation/batch-outcome.js';
import { argumentOrFlag } from '../../src/cli/typed/fields.js';
import { type AppliedSanctions, sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { type BatchItem, type BatchPart, inParts } from '../../src/files/batch-lines.js';
import { warningsOf, withoutStrangers } from '../../src/files/batch-strangers.js';
import type { BadLine } from '../../src/files/list-rows.js';
import { table } from '../../src/terminal/output.js';
import { printErrorData } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class SanctionsApply extends ProjectCommand {
  static override summary = 'Issue the sanctions of a file as one batch, which can be undone.';
  static override aliases = ['sanctions:import'];
  static override description =
    'The file holds one JSON object per line, with the fields of `sanctions issue`, or CSV with a header line: user, type, and any of duration, until, reason, note, template, scope; a `ban` without an end is permanent, and an empty cell in a column of durations is refused: write forever. A line with an unknown id that is the display name of somebody is refused without --new. The whole file is checked first: with a bad line, nothing is issued, unless --skip-bad skips such lines (this needs --batch). Each line of a batch is applied once: to continue after an interruption, apply the same file again, or a corrected one under the same --batch. A large file is sent in parts: with --json, the answer to each part is a line of its own.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> raid.ndjson --dry-run',
    '<%= config.bin %> <%= command.id %> bans.csv --batch old-bans --skip-bad',
    '<%= config.bin %> <%= command.id %> raid.ndjson --batch raid-friday',
    '<%= config.bin %> <%= command.id %> raid.ndjson --batch raid-friday --skip-bad',
  ];
  static override args = { file: Args.string({ description: 'File to read; -: standard input' }) };
  static override flags = {
    file: Flags.string({ char: 'f', description: 'Instead of the argument' }),
    batch: Flags.string({ description: 'Name of the batch; default: one made from the content' }),
    'dry-run': Flags.boolean({ description: 'Show what would happen to each line' }),
    new: Flags.boolean({ description: 'Accept ids that nobody has here yet, even if somebody has that name' }),
    'skip-bad': Flags.boolean({ description: 'Skip lines that are wrong, and issue the others; needs --batch' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsApply);
    const file = await readBatch(argumentOrFlag(args.file, flags.file, 'file'));
    const { name, items, bad } = file;
    const batchId = flags.batch !== undefined ? flags.batch : name;
    const apply = (part: BatchPart, dryRun: boolean) => this.apply({ batchId, dryRun, ...part });
    const shown: AppliedSanctions[] = [];
    for (const part of inParts(items)) {
      const answer = await apply(part, true);
      shown.push(flags.new ? answer : withoutStrangers(items, answer, acceptNew));
    }
    const refused = [...bad, ...shown.flatMap(refusals)].sort((a, b) => a.line - b.line);
    const outcome = batchOutcome(batchId, file, shown);
    const isJson = this.common.json === true;
    if (!isJson) this.tellBad(refused);
    const left = new Set(refused.map(({ line }) => line));
    const rest = items.filter(({ line }) => !left.has(line));
    const leavesOut = flags['skip-bad'] && rest.length > 0;
    // Exit code: 5 for sanctions that the daemon would refuse, 2 for lines that are no sanction at all.
    const exitCode = bad.length > 0 ? 2 : 5;
    if (refused.length > 0 && !leavesOut) process.exitCode = exitCode;
    const fails = (words: string) => printErrorData(`${refusedLinesJson(refused, words, exitCode)}\n`);
    if (flags['dry-run']) {
      for (const answer of shown) this.printAnswer(answer, items);
      const words = outcome.words('would be issued', shown);
      return isJson && refused.length > 0 ? fails(words) : this.logToStderr(words);
    }
    if (refused.length > 0 && !leavesOut) {
      const words = `Nothing was issued. Correct ${rest.length > 0 ? 'these lines, or skip them with --skip-bad' : 'the file'}.`;
      if (isJson) return fails(words);
      this.logToStderr(outcome.words('issued', []));
      return this.logToStderr(words);
    }
    // The name that follows from the content is another one once the file is corrected: all would be sanctioned again.
    if (refused.length > 0 && flags.batch === undefined) {
      const words = 'Nothing was issued. Name the batch with --batch, so that the corrected file can continue it.';
      if (isJson) {
        process.exitCode = 2;
        return fails(words);
      }
      this.logToStderr(outcome.words('issued', []));
      throw new UsageError(words);
    }
    if (isJson && refused.length > 0) fails('These lines are skipped.');
    const applied: AppliedSanctions[] = [];
    try {
      for (const part of inParts(rest)) applied.push(await apply(part, false));
    } finally {
      // If a part fails, those before it hold.
      if (this.common.json === true) for (const answer of applied) this.log(JSON.stringify(answer));
      this.logToStderr(outcome.words('issued', applied));
      if (applied.some(({ created }) => created > 0)) this.logToStderr(`To undo: earshot sanctions undo ${batchId}`);
    }
  }

  private async apply(body: BatchPart & { batchId: string; dryRun: boolean }): Promise<AppliedSanctions> {
    return this.client.call(sanctionBatchRoutes.apply, { params: { projectId: await this.projectId() }, body });
  }

  private tellBad(bad: readonly BadLine[]): void {
    if (bad.length > 0)
      this.logToStderr(table(bad, ['line', 'field', 'message'], { ...this.screen, isTerminal: false }));
  }

  /** The lines of a dry run, each with what is to be looked at before it is issued. */
  private printAnswer(answer: AppliedSanctions, items: readonly BatchItem[]): void {
    if (this.common.json === true) {
      this.log(JSON.stringify(answer));
      return;
    }
    const requests = new Map(items.map(({ line, request }) => [line, request]));
    const rows = answer.lines.map((line) => ({
      ...requests.get(line.line),
      ...line,
      '': signs[line.outcome],
      message: line.message ?? warningsOf(line),
    }));
    this.list(answer, rows, ['', 'line', 'type', 'externalUserId', 'participantId', 'inForce', 'message']);
  }
}

const acceptNew = 'To accept it as a new external id, add --new.';
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
