import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import {
  CreateChallengeCategoryRequest,
  challengeCategoryRoutes,
} from '../../src/contract/gameplay/challenge-categories.js';

export default class ChallengeCategoriesCreate extends ProjectCommand {
  static override summary = challengeCategoryRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --name Daily --slug daily --is-daily'];
  static override flags = flagsFor(CreateChallengeCategoryRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(ChallengeCategoriesCreate);
    const answer = await this.client.call(challengeCategoryRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateChallengeCategoryRequest, flags),
    });
    this.show(answer);
  }
}
