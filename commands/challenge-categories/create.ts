import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { newNameArgument, newNameFlag, withName } from '../../src/cli/typed/new-name.js';
import {
  CreateChallengeCategoryRequest,
  challengeCategoryRoutes,
} from '../../src/contract/gameplay/challenge-categories.js';

export default class ChallengeCategoriesCreate extends ProjectCommand {
  static override summary = challengeCategoryRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> Daily --slug daily --is-daily'];
  static override args = { name: newNameArgument };
  static override flags = { ...flagsFor(CreateChallengeCategoryRequest, ['name']), name: newNameFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ChallengeCategoriesCreate);
    const answer = await this.client.call(challengeCategoryRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateChallengeCategoryRequest, withName(args, flags)),
    });
    this.show(answer);
  }
}
