import { ProjectCommand } from '../../src/cli/command/command.js';
import { functionRoutes } from '../../src/contract/functions/functions.js';

export default class FunctionsGet extends ProjectCommand {
  static override summary = functionRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(FunctionsGet);
    this.show(await this.client.call(functionRoutes.get, { params: { projectId: await this.projectId() } }));
  }
}
