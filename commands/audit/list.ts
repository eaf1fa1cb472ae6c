import * as Flags from '@oclif/core/flags';
import {
  actionsMeant,
  actorsMeant,
  auditColumns,
  auditFilter,
  auditFlags,
  auditPage,
  auditRow,
} from '../../src/cli/audit/audit.js';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { stated } from '../../src/cli/typed/fields.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';

export default class AuditList extends ProjectCommand {
  static override summary = auditRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target bob --since 1d',
    '<%= config.bin %> <%= command.id %> --actor ann@example.com --action "delete*"',
    '<%= config.bin %> <%= command.id %> --actor "game server" --all-projects --json',
  ];
  static override flags = {
    ...auditFlags,
    limit: Flags.integer({ description: 'Entries, up to 200', min: 1, max: 200 }),
    after: Flags.string({ description: 'Continue after the cursor that the previous list printed' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(AuditList);
    const projectId = flags['all-projects'] ? null : await this.projectId();
    const { limit, after } = flags;
    const answer = await auditPage(this.client, projectId, { ...auditFilter(flags), ...stated({ limit, after }) });
    const rows = answer.entries.map((entry) => auditRow(entry, this.screen));
    this.list(answer, rows, auditColumns(this.screen));
    if (answer.entries.length === 0 && flags.actor !== undefined && this.common.json !== true) {
      const meant = await actorsMeant(this.client, projectId, flags.actor);
      if (meant !== null) this.logToStderr(meant);
    }
    if (answer.entries.length === 0 && flags.action !== undefined && this.common.json !== true) {
      const meant = await actionsMeant(flags.action);
      if (meant !== null) this.logToStderr(meant);
    }
    if (answer.next !== null && this.common.json !== true) this.logToStderr(`There is more: --after ${answer.next}`);
  }
}
