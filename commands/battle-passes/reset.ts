import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { textOf } from '../../src/contract/gameplay/localised-text.js';

export default class BattlePassesReset extends ProjectCommand {
  static override summary = battlePassProgressRoutes.reset.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42 PASS',
    '<%= config.bin %> <%= command.id %> u_42 PASS --yes',
  ];
  static override args = {
    user: nameArgument('player'),
    pass: nameArgument('battlePass'),
  };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesReset);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.pass };
    const { name } = await this.client.call(battlePassRoutes.get, { params });
    const gone = `This resets the battle pass ${textOf(name)} for ${args.user}, including the unlock.`;
    await confirm(args.user, gone, flags);
    await this.client.call(battlePassProgressRoutes.reset, { params });
    this.logToStderr('The player starts again from the beginning.');
  }
}
