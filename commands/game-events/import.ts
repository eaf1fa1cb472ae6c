import * as Args from '@oclif/core/args';
import { againFlag, ImportCommand, waitFlags } from '../../src/cli/gameplay/import-command.js';

export default class GameEventsImport extends ImportCommand {
  static override summary = 'Send the game events of a file: JSON, one JSON object per line, or CSV.';
  static override description =
    'Fields are those of an event, or of `game-events export`: user_id, event_name, event_type, team_id, session_id, occurred_at; every other column is a property of the catalogue. If a line is wrong, nothing is sent and the line is named. Events count as of now, or as of occurred_at; ids and times of storage of an export are ignored. The daemon stores each line of a file once, so an import that broke off is continued by the same command; to count a file again, add --again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> events.csv',
    '<%= config.bin %> <%= command.id %> - --wait-completed "Three down" < events.ndjson',
  ];
  static override args = { file: Args.string({ required: true, description: 'File; -: standard input' }) };
  static override flags = { ...againFlag, ...waitFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.input(GameEventsImport);
    await this.importFile(args.file, flags);
  }
}
