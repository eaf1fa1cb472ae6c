import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { battlePassRoutes, UpdateBattlePassRequest } from '../../src/contract/gameplay/battle-passes.js';

export default class BattlePassesUpdate extends ProjectCommand {
  static override summary = battlePassRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PASS --priority 2 --clear endDate'];
  static override args = {
    pass: nameArgument('battlePass'),
  };
  static override flags = { ...flagsFor(UpdateBattlePassRequest), ...clearFlag(UpdateBattlePassRequest) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesUpdate);
    const params = { projectId: await this.projectId(), id: args.pass };
    const body = requestFrom(UpdateBattlePassRequest, flags, cleared(flags));
    this.show(await this.client.call(battlePassRoutes.update, { params, body }));
  }
}
