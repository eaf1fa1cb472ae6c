import { ProjectCommand } from '../../src/cli/command/command.js';
import { functionRoutes } from '../../src/contract/functions/functions.js';

export default class FunctionsActivate extends ProjectCommand {
  static override summary = functionRoutes.activate.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(FunctionsActivate);
    this.show(await this.client.call(functionRoutes.activate, { params: { projectId: await this.projectId() } }));
  }
}
