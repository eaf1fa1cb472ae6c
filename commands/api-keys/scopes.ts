import { EarshotCommand } from '../../src/cli/command/command.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { type ScopeName, scopeDescriptions } from '../../src/contract/scopes.js';

export default class ApiKeysScopes extends EarshotCommand {
  static override summary = apiKeyRoutes.scopes.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(ApiKeysScopes);
    const answer = await this.client.call(apiKeyRoutes.scopes, {});
    const rows = answer.map((scope) => ({ scope, opens: opens(scope) }));
    this.list(answer, rows, ['scope', 'opens']);
  }
}

const opens = (scope: string): string => {
  const [name = '', read] = scope.split(':');
  return `${scopeDescriptions[name as ScopeName] ?? ''}${read === undefined ? '' : ' (read only)'}`;
};
