import { ProjectCommand } from '../../../src/cli/command/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import {
  battlePassLevelRoutes,
  UpdateBattlePassLevelRequest,
} from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesLevelsUpdate extends ProjectCommand {
  static override summary = battlePassLevelRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PASS LEVEL --position 2'];
  static override args = {
    pass: nameArgument('battlePass'),
    level: levelArgument,
  };
  static override flags = { ...flagsFor(UpdateBattlePassLevelRequest), ...clearFlag(UpdateBattlePassLevelRequest) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesLevelsUpdate);
    const params = { projectId: await this.projectId(), id: args.pass, levelId: args.level };
    const body = requestFrom(UpdateBattlePassLevelRequest, flags, cleared(flags));
    this.show(await this.client.call(battlePassLevelRoutes.update, { params, body }));
  }
}
