import { EarshotCommand } from '../../src/cli/command/command.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { allRoutes } from '../../src/contract/routes.js';
import { opens, type ScopeName, scopeDescriptions } from '../../src/contract/scopes.js';

export default class ApiKeysScopes extends EarshotCommand {
  static override summary = apiKeyRoutes.scopes.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(ApiKeysScopes);
    const answer = await this.client.call(apiKeyRoutes.scopes, {});
    const rows = answer.map((scope) => ({ scope, operations: operationsOf(scope), opens: describe(scope) }));
    this.list(answer, rows, ['scope', 'operations', 'opens']);
  }
}

/** The number of operations that a key with this scope alone may call. */
const operationsOf = (scope: string): number =>
  allRoutes.filter((route) => route.scope != null && opens([scope], route.scope)).length;

const describe = (scope: string): string => {
  const [name = '', read] = scope.split(':');
  return `${scopeDescriptions[name as ScopeName] ?? ''}${read === undefined ? '' : ' (read only)'}`;
};
