import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';

export default class BattlePassesDelete extends ProjectCommand {
  static override summary = battlePassRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PASS'];
  static override args = {
    pass: nameArgument('battlePass'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesDelete);
    const params = { projectId: await this.projectId(), id: args.pass };
    await this.client.call(battlePassRoutes.delete, { params });
    this.logToStderr('The battle pass is deleted.');
  }
}
