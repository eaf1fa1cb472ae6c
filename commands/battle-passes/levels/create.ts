import { ProjectCommand } from '../../../src/cli/command/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import {
  battlePassLevelRoutes,
  CreateBattlePassLevelRequest,
} from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesLevelsCreate extends ProjectCommand {
  static override summary = battlePassLevelRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> PASS --position 1 --reward-type coin --reward-amount 100 --premium-reward-type item --premium-reward-amount cape',
  ];
  static override args = {
    pass: nameArgument('battlePass'),
  };
  static override flags = flagsFor(CreateBattlePassLevelRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesLevelsCreate);
    const params = { projectId: await this.projectId(), id: args.pass };
    const body = requestFrom(CreateBattlePassLevelRequest, flags);
    this.show(await this.client.call(battlePassLevelRoutes.create, { params, body }), [
      'id',
      'position',
      'rewardType',
      'rewardAmount',
      'premiumRewardType',
      'premiumRewardAmount',
    ]);
  }
}
