import { ProjectCommand } from '../../../src/cli/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { battlePassLevelRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesLevelsList extends ProjectCommand {
  static override summary = battlePassLevelRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PASS'];
  static override args = {
    pass: nameArgument('battlePass'),
  };
  static override flags = flagsFor(battlePassLevelRoutes.list.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesLevelsList);
    const params = { projectId: await this.projectId(), id: args.pass };
    const query = requestFrom(battlePassLevelRoutes.list.query, flags);
    const answer = await this.client.call(battlePassLevelRoutes.list, { params, query });
    this.list(answer, answer.levels, ['position', 'rewardType', 'rewardAmount', 'id']);
  }
}
