import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';

export default class ChallengeCategoriesGet extends ProjectCommand {
  static override summary = challengeCategoryRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CATEGORY'];
  static override args = { category: nameArgument('category') };

  async run(): Promise<void> {
    const { args } = await this.input(ChallengeCategoriesGet);
    const params = { projectId: await this.projectId(), id: args.category };
    this.show(await this.client.call(challengeCategoryRoutes.get, { params }));
  }
}
