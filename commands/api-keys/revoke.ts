import { Args } from '@oclif/core';
import { EarshotCommand } from '../../src/cli/command.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';

export default class ApiKeysRevoke extends EarshotCommand {
  static override summary = apiKeyRoutes.revoke.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> ID'];
  static override args = { id: Args.string({ required: true, description: 'Key id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ApiKeysRevoke);
    this.show(await this.client.call(apiKeyRoutes.revoke, { params: { id: args.id } }));
  }
}
