import { EarshotCommand } from '../../src/cli/command/command.js';
import { projectNames } from '../../src/cli/names/project-names.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { ApiKeyListQuery, apiKeyRoutes } from '../../src/contract/identity/api-keys.js';

export default class ApiKeysList extends EarshotCommand {
  static override summary = apiKeyRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --project staging',
    '<%= config.bin %> <%= command.id %> --scope sanctions --unused-since 90d',
  ];
  static override flags = flagsFor(ApiKeyListQuery);

  async run(): Promise<void> {
    const { flags } = await this.input(ApiKeysList);
    const query = requestFrom(ApiKeyListQuery, flags);
    const answer = await this.client.call(apiKeyRoutes.list, { query });
    if (this.common.json === true) return this.list(answer, answer, []);
    const nameOf = await projectNames(this.client);
    const rows = answer.map((key) => ({ ...key, project: nameOf(key.projectId) }));
    this.list(answer, rows, ['name', 'project', 'scopes', 'createdBy', 'lastUsedAt', 'expiresAt', 'keyPrefix', 'id']);
  }
}
