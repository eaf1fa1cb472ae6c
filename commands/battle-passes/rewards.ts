import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { levelRewards } from '../../src/cli/gameplay/level-rewards.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { repeated } from '../../src/cli/typed/repeated.js';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesRewards extends ProjectCommand {
  static override summary = battlePassLevelRoutes.setRewards.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> PASS --free 1=coin:100,2=coin:200 --premium 1=item:cape,2=coin:500',
    '<%= config.bin %> <%= command.id %> PASS --premium 2=nothing',
  ];
  static override args = { pass: nameArgument('battlePass') };
  static override flags = {
    free: Flags.string({ ...repeated, description: 'Rewards of the free track, each as LEVEL=TYPE:AMOUNT' }),
    premium: Flags.string({ ...repeated, description: 'Rewards of the premium track, each as LEVEL=TYPE:AMOUNT' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesRewards);
    const body = { levels: levelRewards(flags) };
    const params = { projectId: await this.projectId(), id: args.pass };
    const answer = await this.client.call(battlePassLevelRoutes.setRewards, { params, body });
    this.list(answer, answer.levels, [
      'position',
      'rewardType',
      'rewardAmount',
      'premiumRewardType',
      'premiumRewardAmount',
    ]);
  }
}
