import { Flags } from '@oclif/core';
import { type BatchPart, readBatch } from '../../src/cli/batch-file.js';
import { ProjectCommand } from '../../src/cli/command.js';
import { type AppliedSanctions, sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';

export default class SanctionsApply extends ProjectCommand {
  static override summary = 'Issue the sanctions of a file as one batch, which can be sent again and taken back.';
  static override description =
    'One JSON object a line, with the fields of `sanctions issue`. Each line is applied once: after an interruption the same command goes on where it broke off.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file raid.ndjson --dry-run',
    '<%= config.bin %> <%= command.id %> --file raid.ndjson --batch raid-friday',
  ];
  static override flags = {
    file: Flags.string({ char: 'f', required: true, description: 'File to read; -: standard input' }),
    batch: Flags.string({ description: 'Name of the batch; left out: follows from the content' }),
    'dry-run': Flags.boolean({ description: 'Show what would happen to each line' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(SanctionsApply);
    const { name, parts } = await readBatch(flags.file);
    const batchId = flags.batch !== undefined ? flags.batch : name;
    const projectId = await this.projectId();
    const dryRun = flags['dry-run'];
    let refused = 0;
    for (const part of parts) {
      const answer = await this.client.call(sanctionBatchRoutes.apply, {
        params: { projectId },
        body: { batchId, dryRun, ...part },
      });
      this.tell(answer, part);
      refused += answer.refused;
    }
    if (refused > 0) process.exitCode = 5;
  }

  private tell(answer: AppliedSanctions, { firstLine, items }: BatchPart): void {
    const rows = answer.lines.map((line) => ({ ...items[line.line - firstLine], ...line, '': signs[line.outcome] }));
    if (answer.dryRun || this.common.json === true)
      this.list(answer, rows, ['', 'line', 'type', 'externalUserId', 'participantId', 'inForce', 'message']);
    const { batchId, dryRun, created, unchanged, refused } = answer;
    const done = dryRun ? 'would be issued' : 'issued';
    this.logToStderr(`Batch ${batchId}: ${created} ${done}, ${unchanged} were there before, ${refused} refused.`);
  }
}

const signs = { created: '+', unchanged: '=', refused: '!' } as const;
