import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';

export default class BattlePassesReset extends ProjectCommand {
  static override summary = battlePassProgressRoutes.reset.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 PASS'];
  static override args = {
    user: nameArgument('player'),
    pass: nameArgument('battlePass'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesReset);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.pass };
    await this.client.call(battlePassProgressRoutes.reset, { params });
    this.logToStderr('The player starts from the beginning.');
  }
}
