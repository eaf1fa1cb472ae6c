import { ProjectCommand } from '../../../src/cli/command/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { deletedForADay, progressIn, undoableForADay } from '../../../src/cli/gameplay/undoable.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../../src/cli/terminal/confirm.js';
import { levelChallengeRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';
import { textOf } from '../../../src/contract/gameplay/localised-text.js';

export default class BattlePassesChallengesDelete extends ProjectCommand {
  static override summary = levelChallengeRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEVEL CHALLENGE'];
  static override args = {
    level: levelArgument,
    challenge: nameArgument('challenge'),
  };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesChallengesDelete);
    const params = { projectId: await this.projectId(), levelId: args.level, id: args.challenge };
    const name = textOf((await this.client.call(levelChallengeRoutes.get, { params })).name);
    await confirm(
      name,
      `This deletes the challenge ${name} with ${await progressIn(this.client, params)}.`,
      flags,
      undoableForADay,
    );
    await this.client.call(levelChallengeRoutes.delete, { params });
    this.logToStderr(deletedForADay('The challenge is', params.id));
  }
}
