import { ProjectCommand } from '../../../src/cli/command/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { type BattlePassLevel, battlePassLevelRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

/** A type and an amount in one column: two more do not fit into a terminal of 80. */
const levelLine = ({ premiumRewardType, premiumRewardAmount, ...level }: BattlePassLevel) => ({
  ...level,
  premium: [premiumRewardType, premiumRewardAmount].filter((word) => word !== null).join(' '),
});

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
    const columns = ['position', 'rewardType', 'rewardAmount', 'premium', 'id'];
    this.list(answer, answer.levels.map(levelLine), columns);
  }
}
