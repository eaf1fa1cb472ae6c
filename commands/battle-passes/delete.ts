import { ProjectCommand } from '../../src/cli/command/command.js';
import { deletedForADay, progressIn, undoableForADay } from '../../src/cli/gameplay/undoable.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { textOf } from '../../src/contract/gameplay/localised-text.js';

export default class BattlePassesDelete extends ProjectCommand {
  static override summary = battlePassRoutes.delete.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> PASS',
    '<%= config.bin %> <%= command.id %> PASS --yes',
  ];
  static override args = {
    pass: nameArgument('battlePass'),
  };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesDelete);
    const params = { projectId: await this.projectId(), id: args.pass };
    const name = textOf((await this.client.call(battlePassRoutes.get, { params })).name);
    await confirm(
      name,
      `This deletes the battle pass ${name} with its levels and ${await progressIn(this.client, params)}.`,
      flags,
      undoableForADay,
    );
    await this.client.call(battlePassRoutes.delete, { params });
    this.logToStderr(deletedForADay('The battle pass is', params.id));
  }
}
