import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';

export default class BattlePassesActivate extends ProjectCommand {
  static override summary = battlePassProgressRoutes.activateLevel.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 LEVEL'];
  static override args = {
    user: Args.string({ required: true, description: 'User id of the player' }),
    level: Args.string({ required: true, description: 'Level id' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesActivate);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.level };
    this.show(await this.client.call(battlePassProgressRoutes.activateLevel, { params }), [
      'levelId',
      'position',
      'activatedAt',
      'completedAt',
      'claimedAt',
    ]);
  }
}
