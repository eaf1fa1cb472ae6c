import { Args } from '@oclif/core';
import { ProjectCommand } from '../../../src/cli/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { battlePassLevelRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesLevelsDelete extends ProjectCommand {
  static override summary = battlePassLevelRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PASS LEVEL'];
  static override args = {
    pass: nameArgument('battlePass'),
    level: Args.string({ required: true, description: 'Level id' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesLevelsDelete);
    const params = { projectId: await this.projectId(), id: args.pass, levelId: args.level };
    await this.client.call(battlePassLevelRoutes.delete, { params });
    this.logToStderr('The level is deleted.');
  }
}
