import { Args } from '@oclif/core';
import { ProjectCommand } from '../../../src/cli/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { levelChallengeRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesChallengesDelete extends ProjectCommand {
  static override summary = levelChallengeRoutes.delete.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEVEL CHALLENGE'];
  static override args = {
    level: Args.string({ required: true, description: 'Level id' }),
    challenge: nameArgument('challenge'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(BattlePassesChallengesDelete);
    const params = { projectId: await this.projectId(), levelId: args.level, id: args.challenge };
    await this.client.call(levelChallengeRoutes.delete, { params });
    this.logToStderr('The challenge is deleted.');
  }
}
