import { ProjectCommand } from '../../src/cli/command/command.js';
import { functionRoutes } from '../../src/contract/functions/functions.js';

export default class FunctionsLocations extends ProjectCommand {
  static override summary = functionRoutes.locations.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(FunctionsLocations);
    const answer = await this.client.call(functionRoutes.locations, { params: { projectId: await this.projectId() } });
    this.list(answer, answer, ['id', 'name', 'region', 'available']);
  }
}
