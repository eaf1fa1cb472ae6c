import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';

export default class ChallengeCategoriesList extends ProjectCommand {
  static override summary = challengeCategoryRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --search week',
  ];
  static override flags = flagsFor(challengeCategoryRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(ChallengeCategoriesList);
    const answer = await this.client.call(challengeCategoryRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(challengeCategoryRoutes.list.query, flags),
    });
    this.list(answer, answer.challengeCategories, ['slug', 'name.en', 'position', 'isDaily', 'id']);
  }
}
