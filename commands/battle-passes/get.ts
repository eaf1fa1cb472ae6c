import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';

export default class BattlePassesGet extends ProjectCommand {
  static override summary = battlePassRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PASS'];
  static override args = {
    pass: nameArgument('battlePass'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesGet);
    const params = { projectId: await this.projectId(), id: args.pass };
    this.show(await this.client.call(battlePassRoutes.get, { params }));
  }
}
