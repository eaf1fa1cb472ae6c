import { ProjectCommand } from '../../../src/cli/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import {
  CreateLevelChallengeRequest,
  levelChallengeRoutes,
} from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesChallengesCreate extends ProjectCommand {
  static override summary = levelChallengeRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEVEL --name "Three down" --event-name kill-enemy --goal 3',
  ];
  static override args = {
    level: levelArgument,
  };
  static override flags = flagsFor(CreateLevelChallengeRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesChallengesCreate);
    const params = { projectId: await this.projectId(), levelId: args.level };
    const body = requestFrom(CreateLevelChallengeRequest, flags);
    this.show(await this.client.call(levelChallengeRoutes.create, { params, body }), [
      'id',
      'name',
      'eventName',
      'goal',
      'counting',
    ]);
  }
}
