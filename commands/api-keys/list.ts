import { EarshotCommand } from '../../src/cli/command.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';

export default class ApiKeysList extends EarshotCommand {
  static override summary = apiKeyRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(ApiKeysList);
    const answer = await this.client.call(apiKeyRoutes.list, {});
    this.list(answer, answer, ['id', 'name', 'keyPrefix', 'scopes', 'projectId', 'lastUsedAt', 'expiresAt']);
  }
}
