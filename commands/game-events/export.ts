import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { csvLine } from '../../src/cli/files/csv.js';
import type { ExportedRow } from '../../src/cli/files/line-export.js';
import { exportedEvents } from '../../src/cli/gameplay/game-event-export.js';
import { askForTime, daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { stated } from '../../src/cli/typed/fields.js';
import { parseTime } from '../../src/cli/typed/times.js';
import type { ExportedGameEvent } from '../../src/contract/gameplay/game-event-export.js';
import { gameEventRoutes } from '../../src/contract/gameplay/game-event-export.js';
import { interruption } from '../../src/terminal/interruption.js';
import { ProgressLine } from '../../src/terminal/progress.js';
import { printData } from '../../src/terminal/terminal.js';

const columns = [
  ...(['id', 'createdAt', 'userId', 'teamId', 'eventName', 'eventType', 'sessionId', 'amount', 'properties'] as const),
];

const formats = {
  ndjson: (rows: readonly ExportedRow<ExportedGameEvent>[]) => rows.map(({ line }) => `${line}\n`).join(''),
  csv: (rows: readonly ExportedRow<ExportedGameEvent>[]) => rows.map(({ row }) => csvLine(cellsOf(row))).join(''),
};

const cellsOf = ({ properties, ...event }: ExportedGameEvent) =>
  columns.map((name) => (name === 'properties' ? JSON.stringify(properties) : event[name]));

export default class GameEventsExport extends ProjectCommand {
  static override summary = gameEventRoutes.export.summary;
  static override description =
    'NDJSON has the exact values. In CSV, a text that begins with = + - @, a tab or a carriage return gets a leading apostrophe, so that no spreadsheet runs it as a formula. Continue an interrupted export with --after.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 7d > events.ndjson',
    '<%= config.bin %> <%= command.id %> --format csv --user u_42 --since 2027-01-01T00:00:00Z > events.csv',
  ];
  static override flags = {
    format: Flags.string({ default: 'ndjson', options: Object.keys(formats), description: 'Output format' }),
    since: Flags.string({ description: 'Only events stored at this time or later: a time, or 7d for seven days ago' }),
    until: Flags.string({ description: 'Only events stored before this time; default: now' }),
    user: Flags.string({ description: 'Only events of this player' }),
    after: Flags.string({ description: 'Continue after the event with this id; CSV then has no header line' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(GameEventsExport);
    if (flags.until === undefined) await askForTime(this.baseUrl); // events go until the daemon's now
    const now = daemonNow();
    const until = flags.until === undefined ? now.toISOString() : parseTime(flags.until, now, 'past');
    const since = flags.since === undefined ? undefined : parseTime(flags.since, now, 'past');
    const projectId = await this.projectId();
    const request = { projectId, until, ...stated({ since, userId: flags.user, after: flags.after }) };
    const isCsv = flags.format === 'csv';
    if (isCsv && flags.after === undefined) await printData(csvLine(columns));
    const [progress, signal] = [new ProgressLine(), interruption()];
    const ends = Date.parse(until);
    let begins: number | null = null;
    const trouble = (line: string) => {
      progress.clear();
      this.logToStderr(line);
    };
    let [count, last, isWhole] = [0, flags.after, false];
    try {
      for await (const rows of exportedEvents(this.client, request, signal, trouble)) {
        await printData(isCsv ? formats.csv(rows) : formats.ndjson(rows));
        count += rows.length;
        const event = rows.at(-1)?.row;
        if (event === undefined) continue;
        last = event.id;
        const at = Date.parse(event.createdAt);
        begins ??= Date.parse(rows[0]?.row.createdAt ?? event.createdAt);
        const text = `${count.toLocaleString('en')} events, up to ${event.createdAt}`;
        progress.show(at - begins, ends - begins, text);
      }
      isWhole = !signal.aborted;
    } finally {
      progress.clear();
      const rest = isWhole || last === undefined ? '' : ` Continue with --after ${last}`;
      this.logToStderr(`${count.toLocaleString('en')} events.${rest}`);
    }
  }
}
