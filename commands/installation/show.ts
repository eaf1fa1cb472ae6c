import { EarshotCommand } from '../../src/cli/command/command.js';
import { installationRoutes } from '../../src/contract/installation/installation.js';
import { table } from '../../src/terminal/output.js';

const route = installationRoutes.get;

export default class InstallationShow extends EarshotCommand {
  static override summary = route.summary;
  static override description = route.description;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json | jq .backups.files',
  ];

  async run(): Promise<void> {
    await this.input(InstallationShow);
    const answer = await this.client.call(route, {});
    if (this.common.json === true) return this.show(answer);
    const { settings, nodes, disk, backups, ...rest } = answer;
    const backupDueAt = backups.nextAt ?? undefined;
    this.show({
      ...rest,
      backupDueAt,
      dataBytes: disk.dataBytes,
      databaseBytes: disk.databaseBytes,
      freeBytes: disk.freeBytes,
    });
    const nodeRows = nodes.map(({ roles, ...node }) => ({ ...node, roles: roles.join(' ') }));
    const set = settings.filter(({ value }) => value !== null);
    const tables: readonly (readonly [readonly object[], readonly string[]])[] = [
      [nodeRows, ['host', 'version', 'roles', 'connectedAt']],
      [backups.files, ['name', 'createdAt', 'bytes', 'verified']],
      [set, ['name', 'value']],
    ];
    for (const [rows, columns] of tables) if (rows.length > 0) this.log(`\n${table(rows, columns, this.screen)}`);
    if (backups.instead !== null) this.logToStderr(backups.instead);
  }
}
