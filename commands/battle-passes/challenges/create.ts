import { ProjectCommand } from '../../../src/cli/command/command.js';
import { levelArgument } from '../../../src/cli/gameplay/level-argument.js';
import { flagsFor, requestFrom } from '../../../src/cli/typed/fields.js';
import { newNameArgument, newNameFlag, withName } from '../../../src/cli/typed/new-name.js';
import {
  CreateLevelChallengeRequest,
  levelChallengeRoutes,
} from '../../../src/contract/gameplay/battle-pass-levels.js';

export default class BattlePassesChallengesCreate extends ProjectCommand {
  static override summary = levelChallengeRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> LEVEL "Three down" --event-name kill-enemy --goal 3',
  ];
  static override args = {
    level: levelArgument,
    name: newNameArgument,
  };
  static override flags = { ...flagsFor(CreateLevelChallengeRequest, ['name']), name: newNameFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesChallengesCreate);
    const params = { projectId: await this.projectId(), levelId: args.level };
    const body = requestFrom(CreateLevelChallengeRequest, withName(args, flags));
    this.show(await this.client.call(levelChallengeRoutes.create, { params, body }), [
      'id',
      'name',
      'eventName',
      'goal',
      'counting',
    ]);
  }
}
