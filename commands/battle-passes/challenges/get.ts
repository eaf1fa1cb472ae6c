import { ProjectCommand } from '../../../src/cli/command/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { levelChallengeRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesChallengesGet extends ProjectCommand {
  static override summary = levelChallengeRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEVEL CHALLENGE'];
  static override args = {
    level: levelArgument,
    challenge: nameArgument('challenge'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesChallengesGet);
    const params = { projectId: await this.projectId(), levelId: args.level, id: args.challenge };
    this.show(await this.client.call(levelChallengeRoutes.get, { params }));
  }
}
