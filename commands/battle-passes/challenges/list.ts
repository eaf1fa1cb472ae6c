import { ProjectCommand } from '../../../src/cli/command/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { levelChallengeRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesChallengesList extends ProjectCommand {
  static override summary = levelChallengeRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEVEL'];
  static override args = {
    level: levelArgument,
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesChallengesList);
    const params = { projectId: await this.projectId(), levelId: args.level };
    const answer = await this.client.call(levelChallengeRoutes.list, { params });
    this.list(answer, answer.challenges, ['name.en', 'eventName', 'goal', 'id']);
  }
}
