import { EarshotCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { apiKeyRoutes, RevokeApiKeyQuery } from '../../src/contract/identity/api-keys.js';
import { madeAccessLines } from '../../src/text/made-access.js';

export default class ApiKeysRevoke extends EarshotCommand {
  static override summary = apiKeyRoutes.revoke.summary;
  static override examples = [
    "<%= config.bin %> <%= command.id %> 'game server'",
    '<%= config.bin %> <%= command.id %> KEY --yes',
  ];
  static override args = { key: nameArgument('apiKey') };
  static override flags = { ...flagsFor(RevokeApiKeyQuery), ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ApiKeysRevoke);
    const found = (await this.client.call(apiKeyRoutes.list, {})).find(({ id }) => id === args.key);
    // The API says what is wrong where the key is not there.
    if (found !== undefined) {
      const gone = `This revokes the key ${found.name} (${found.keyPrefix}…): requests with it are refused at once.`;
      await confirm(found.name, gone, flags);
    }
    const query = requestFrom(RevokeApiKeyQuery, flags);
    const revoked = await this.client.call(apiKeyRoutes.revoke, { params: { id: args.key }, query });
    this.show(revoked, ['id', 'deleted']);
    for (const line of madeAccessLines(revoked.made)) this.logToStderr(line);
  }
}
