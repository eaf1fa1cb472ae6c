import * as Flags from '@oclif/core/flags';
import { auditFilter, auditFlags, exportedEntries } from '../../src/cli/audit/audit.js';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { csvLine } from '../../src/cli/files/csv.js';
import type { ExportedRow } from '../../src/cli/files/line-export.js';
import { type AuditEntry, auditRoutes } from '../../src/contract/audit/audit.js';
import { interruption } from '../../src/terminal/interruption.js';
import { printData } from '../../src/terminal/terminal.js';

const columns = [
  ...['id', 'at', 'tenantId', 'projectId', 'actorKind', 'actorId', 'actorName', 'address', 'requestId'],
  ...['action', 'outcome', 'targets', 'changed'],
];
const cellsOf = ({ actor, targets, changed, ...entry }: AuditEntry): (string | null)[] => [
  ...[entry.id, entry.at, entry.tenantId, entry.projectId, actor.kind, actor.id, actor.name, entry.address],
  ...[entry.requestId, entry.action, entry.outcome],
  targets.map(({ kind, id, name }) => (name === null ? `${kind}:${id}` : `${kind}:${id} (${name})`)).join('; '),
  changed.join('; '),
];

const formats = {
  ndjson: (rows: readonly ExportedRow<AuditEntry>[]) => rows.map(({ line }) => `${line}\n`).join(''),
  csv: (rows: readonly ExportedRow<AuditEntry>[]) => rows.map(({ row }) => csvLine(cellsOf(row))).join(''),
};

export default class AuditExport extends ProjectCommand {
  static override summary = auditRoutes.export.summary;
  static override description =
    'NDJSON has the exact values. In CSV, a text that begins with = + - @, a tab or a carriage return gets a leading apostrophe, so that no spreadsheet runs it as a formula. The export itself is recorded.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 30d > audit.ndjson',
    '<%= config.bin %> <%= command.id %> --format csv --all-projects > audit.csv',
  ];
  static override flags = {
    ...auditFlags,
    format: Flags.string({ default: 'ndjson', options: Object.keys(formats), description: 'Output format' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(AuditExport);
    const projectId = flags['all-projects'] ? null : await this.projectId();
    const isCsv = flags.format === 'csv';
    const signal = interruption();
    let count = 0;
    if (isCsv) await printData(csvLine(columns));
    const trouble = (line: string): void => this.logToStderr(line);
    for await (const rows of exportedEntries(this.client, projectId, auditFilter(flags), signal, trouble)) {
      await printData(isCsv ? formats.csv(rows) : formats.ndjson(rows));
      count += rows.length;
    }
    this.logToStderr(`${count.toLocaleString('en')} entries.`);
  }
}
