import { ProjectCommand } from '../../../src/cli/command/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import {
  levelChallengeRoutes,
  UpdateLevelChallengeRequest,
} from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesChallengesUpdate extends ProjectCommand {
  static override summary = levelChallengeRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> LEVEL CHALLENGE --goal 5'];
  static override args = {
    level: levelArgument,
    challenge: nameArgument('challenge'),
  };
  static override flags = { ...flagsFor(UpdateLevelChallengeRequest), ...clearFlag(UpdateLevelChallengeRequest) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesChallengesUpdate);
    const params = { projectId: await this.projectId(), levelId: args.level, id: args.challenge };
    const body = requestFrom(UpdateLevelChallengeRequest, flags, cleared(flags));
    this.show(await this.client.call(levelChallengeRoutes.update, { params, body }));
  }
}
