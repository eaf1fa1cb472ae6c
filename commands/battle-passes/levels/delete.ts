import { ProjectCommand } from '../../../src/cli/command/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { deletedForADay, progressIn, undoableForADay } from '../../../src/cli/gameplay/undoable.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../../src/cli/terminal/confirm.js';
import { battlePassLevelRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../../src/contract/gameplay/battle-passes.js';
import { textOf } from '../../../src/contract/gameplay/localised-text.js';

export default class BattlePassesLevelsDelete extends ProjectCommand {
  static override summary = battlePassLevelRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PASS LEVEL'];
  static override args = {
    pass: nameArgument('battlePass'),
    level: levelArgument,
  };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesLevelsDelete);
    const params = { projectId: await this.projectId(), id: args.pass, levelId: args.level };
    const pass = await this.client.call(battlePassRoutes.get, { params });
    const name = textOf(pass.name);
    const lost = await progressIn(this.client, { projectId: params.projectId, id: params.levelId });
    const gone = `This deletes a level of the battle pass ${name} with its challenges and ${lost}.`;
    await confirm(name, gone, flags, undoableForADay);
    await this.client.call(battlePassLevelRoutes.delete, { params });
    this.logToStderr(deletedForADay('The level is', params.levelId));
  }
}
