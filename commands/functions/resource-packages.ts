import { ProjectCommand } from '../../src/cli/command/command.js';
import { functionRoutes } from '../../src/contract/functions/functions.js';

export default class FunctionsResourcePackages extends ProjectCommand {
  static override summary = functionRoutes.resourcePackages.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(FunctionsResourcePackages);
    const answer = await this.client.call(functionRoutes.resourcePackages, {
      params: { projectId: await this.projectId() },
    });
    this.list(answer, answer, ['id', 'name', 'cpu', 'memoryMiB', 'pricePerHour']);
  }
}
