import { EarshotCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { projectNames } from '../../src/cli/project-names.js';
import { apiKeyRoutes, CreateApiKey } from '../../src/contract/identity/api-keys.js';

export default class ApiKeysCreate extends EarshotCommand {
  static override summary = apiKeyRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --name ci --scopes events --scopes gameplay',
    '<%= config.bin %> <%= command.id %> --name dashboard --scopes sanctions:read --expires-at "in 30d"',
  ];
  static override flags = flagsFor(CreateApiKey);

  async run(): Promise<void> {
    const { flags } = await this.input(ApiKeysCreate);
    const answer = await this.client.call(apiKeyRoutes.create, { body: requestFrom(CreateApiKey, flags) });
    if (this.common.json === true) this.show(answer);
    else {
      const nameOf = await projectNames(this.client);
      const shown = ['name', 'project', 'scopes', 'expiresAt', 'id', 'key'];
      this.show({ ...answer, project: nameOf(answer.projectId) }, shown);
    }
    this.logToStderr('The key is shown this once. Keep it where it is safe.');
  }
}
