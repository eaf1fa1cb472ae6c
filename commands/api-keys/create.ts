import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { projectNames } from '../../src/cli/names/project-names.js';
import { argumentOrFlag, flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { apiKeyRoutes, CreateApiKey } from '../../src/contract/identity/api-keys.js';

export default class ApiKeysCreate extends EarshotCommand {
  static override summary = apiKeyRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> ci --scopes events,gameplay',
    '<%= config.bin %> <%= command.id %> "game server" --project Live --scopes gameplay',
    '<%= config.bin %> <%= command.id %> --name dashboard --scopes sanctions:read --expires-at "in 30d"',
  ];
  static override args = { name: Args.string({ description: CreateApiKey.shape.name.description }) };
  static override flags = {
    ...flagsFor(CreateApiKey, ['name']),
    name: Flags.string({ description: 'Instead of the argument' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ApiKeysCreate);
    const name = argumentOrFlag(args.name, flags.name, 'name');
    const answer = await this.client.call(apiKeyRoutes.create, { body: requestFrom(CreateApiKey, { ...flags, name }) });
    if (this.common.json === true) this.show(answer);
    else {
      const nameOf = await projectNames(this.client);
      const shown = ['name', 'project', 'scopes', 'expiresAt', 'id', 'key'];
      this.show({ ...answer, project: nameOf(answer.projectId) }, shown);
    }
    this.logToStderr('The key is shown only once. Store it in a safe place.');
  }
}
