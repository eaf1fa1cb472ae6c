import { ProjectCommand } from '../../../src/cli/command/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { battlePassLevelRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesLevelsGet extends ProjectCommand {
  static override summary = battlePassLevelRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PASS LEVEL'];
  static override args = {
    pass: nameArgument('battlePass'),
    level: levelArgument,
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesLevelsGet);
    const params = { projectId: await this.projectId(), id: args.pass, levelId: args.level };
    this.show(await this.client.call(battlePassLevelRoutes.get, { params }));
  }
}
