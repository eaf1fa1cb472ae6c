import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenges.js';

export default class ChallengeCategoriesGet extends ProjectCommand {
  static override summary = challengeCategoryRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CATEGORY'];
  static override args = { id: Args.string({ required: true, description: 'Category id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ChallengeCategoriesGet);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(challengeCategoryRoutes.get, { params }));
  }
}
