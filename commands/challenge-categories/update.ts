import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import {
  challengeCategoryRoutes,
  UpdateChallengeCategoryRequest,
} from '../../src/contract/gameplay/challenge-categories.js';

export default class ChallengeCategoriesUpdate extends ProjectCommand {
  static override summary = challengeCategoryRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CATEGORY --position 2'];
  static override args = { category: nameArgument('category') };
  static override flags = { ...flagsFor(UpdateChallengeCategoryRequest), ...clearFlag(UpdateChallengeCategoryRequest) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ChallengeCategoriesUpdate);
    const answer = await this.client.call(challengeCategoryRoutes.update, {
      params: { projectId: await this.projectId(), id: args.category },
      body: requestFrom(UpdateChallengeCategoryRequest, flags, cleared(flags)),
    });
    this.show(answer);
  }
}
