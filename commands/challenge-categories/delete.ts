import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengeCategoriesDelete extends ProjectCommand {
  static override summary = challengeCategoryRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CATEGORY'];
  static override args = { category: nameArgument('category') };

  async run(): Promise<void> {
    const { args } = await this.input(ChallengeCategoriesDelete);
    const params = { projectId: await this.projectId(), id: args.category };
    await this.client.call(challengeCategoryRoutes.delete, { params });
    this.logToStderr('The category is deleted.');
  }
}
