import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom, stated } from '../../src/cli/typed/fields.js';
import { repeated } from '../../src/cli/typed/repeated.js';
import { secretsFlags, statedSecrets } from '../../src/cli/typed/secret-flags.js';
import {
  FunctionSecrets,
  functionRoutes,
  UpdateFunctionSettingsRequest,
} from '../../src/contract/functions/functions.js';

export default class FunctionsSet extends ProjectCommand {
  static override summary = functionRoutes.update.summary;
  static override description =
    'Credentials and variable values are read from standard input or a file, as JSON: {"credentials":{"token":"…"},"environment":{"NAME":"value"}}.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --enabled --provider http --address https://hosting.example/v1 --secrets-file hosting.json',
    '<%= config.bin %> <%= command.id %> --resource-package-id small --location-id eu-1',
    '<%= config.bin %> <%= command.id %> --unset OLD_NAME',
    '<%= config.bin %> <%= command.id %> --no-enabled',
  ];
  static override flags = {
    ...flagsFor(UpdateFunctionSettingsRequest, ['credentials', 'environment']),
    unset: Flags.string({ description: 'Variable to remove', ...repeated }),
    ...secretsFlags('credentials, environment'),
    ...clearFlag(UpdateFunctionSettingsRequest),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(FunctionsSet);
    const secrets = (await statedSecrets(FunctionSecrets, flags)) ?? {};
    const removed = Object.fromEntries((flags.unset ?? []).map((name) => [name, null]));
    const environment = flags.unset === undefined ? secrets.environment : { ...secrets.environment, ...removed };
    const also = { ...stated({ credentials: secrets.credentials, environment }), ...cleared(flags) };
    const body = requestFrom(UpdateFunctionSettingsRequest, flags, also);
    this.show(await this.client.call(functionRoutes.update, { params: { projectId: await this.projectId() }, body }));
  }
}
