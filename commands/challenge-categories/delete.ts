import { ProjectCommand } from '../../src/cli/command/command.js';
import { deletedForADay, undoableForADay } from '../../src/cli/gameplay/undoable.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';
import { textOf } from '../../src/contract/gameplay/localised-text.js';

export default class ChallengeCategoriesDelete extends ProjectCommand {
  static override summary = challengeCategoryRoutes.delete.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> CATEGORY',
    '<%= config.bin %> <%= command.id %> CATEGORY --yes',
  ];
  static override args = { category: nameArgument('category') };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(ChallengeCategoriesDelete);
    const params = { projectId: await this.projectId(), id: args.category };
    const name = textOf((await this.client.call(challengeCategoryRoutes.get, { params })).name);
    await confirm(name, `This deletes the category ${name}.`, flags, undoableForADay);
    await this.client.call(challengeCategoryRoutes.delete, { params });
    this.logToStderr(deletedForADay('The category is', params.id));
  }
}
